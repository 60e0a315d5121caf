"""The private address of a calendar: who may fetch it, when it must be fetched again, and what a log tells of it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import psycopg
import pytest
from icalendar import Calendar

from app.calendars.routes.feed import is_open
from app.http.auth import digest_of
from tests.support.servers.api import NewClient, problem

NewUser = Callable[[str], httpx.Client]


def make(user: httpx.Client, **body: Any) -> str:
    """The path of a new feed."""
    made = user.post("/v1/calendar", json=body)
    assert made.status_code == 201, made.text
    assert made.json()["webcal_url"] == made.json()["url"].replace("http://", "webcal://")
    return httpx.URL(made.json()["url"]).path


def add_event(user: httpx.Client, title: str = "dentist", **fields: Any) -> dict[str, Any]:
    body = {"title": title, "start": "2026-12-01T15:00:00+00:00", **fields}
    made: dict[str, Any] = user.post("/v1/events", json=body).json()
    return made


def test_anyone_with_the_address_reads_that_users_calendar(
    alice: httpx.Client, bob: httpx.Client, client: NewClient
) -> None:
    event = add_event(alice)
    add_event(bob, "somebody else's")
    alice.post("/v1/todos", json={"task": "pay rent", "deadline": "2026-12-03"})
    done = alice.post("/v1/todos", json={"task": "done already", "deadline": "2026-12-03"}).json()
    alice.patch(f"/v1/todos/{done['id']}", json={"status": "done"})
    answer = client().get(make(alice))
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    found = Calendar.from_ical(answer.content)
    assert [str(item["UID"]) for item in found.walk("VEVENT")] == [f"{event['id']}@summit"]
    assert [str(item["SUMMARY"]) for item in found.walk("VTODO")] == ["pay rent"]
    head = client().head(httpx.URL(str(answer.url)).path)
    assert (head.status_code, head.content, head.headers["etag"]) == (200, b"", answer.headers["etag"])


def test_an_unchanged_feed_is_not_sent_again(alice: httpx.Client, client: NewClient) -> None:
    path, event = make(alice), add_event(alice)
    first = client().get(path)
    known = {"If-None-Match": first.headers["etag"]}
    same = client().get(path, headers=known)
    assert (same.status_code, same.content) == (304, b"")
    assert client().get(path, headers={"If-None-Match": f'"x", W/{first.headers["etag"]}'}).status_code == 304
    alice.patch(f"/v1/events/{event['id']}", json={"title": "dentist, moved"})
    changed = client().get(path, headers=known)
    assert changed.status_code == 200
    assert b"SUMMARY:dentist\\, moved\r\n" in changed.content


def test_who_moves_to_another_zone_gets_the_feed_anew(alice: httpx.Client, client: NewClient) -> None:
    path = make(alice)
    known = {"If-None-Match": client().get(path).headers["etag"]}
    assert alice.patch("/v1/settings", json={"timezone": "Asia/Kathmandu"}).status_code == 200
    assert client().get(path, headers=known).status_code == 200


def test_what_is_over_leaves_and_what_repeats_stays(alice: httpx.Client, client: NewClient) -> None:
    add_event(alice, "long ago", start="2020-12-01T15:00:00+00:00")
    add_event(alice, "since long ago", start="2020-12-01T15:00:00+00:00", recurrence="FREQ=DAILY")
    add_event(alice, "of late", start=(datetime.now(UTC) - timedelta(days=30)).isoformat())
    body = client().get(make(alice, todos="none")).text
    assert "SUMMARY:of late" in body
    assert "SUMMARY:since long ago" in body
    assert "SUMMARY:long ago" not in body


def test_a_new_address_ends_the_old_one(alice: httpx.Client, client: NewClient) -> None:
    old = make(alice)
    new = make(alice, todos="event")
    problem(client().get(old), 404)
    assert client().get(new).status_code == 200
    assert alice.delete("/v1/calendar").status_code == 204
    problem(client().get(new), 404)
    problem(alice.delete("/v1/calendar"), 404)


def test_whether_there_is_an_address_is_no_error_either_way(alice: httpx.Client) -> None:
    closed = {"open": False, "todos": None, "created_at": None}
    none = alice.get("/v1/calendar")
    assert (none.status_code, none.json()) == (200, closed)
    made = alice.post("/v1/calendar", json={"todos": "event"}).json()
    assert alice.get("/v1/calendar").json() == {"open": True, "todos": "event", "created_at": made["created_at"]}
    alice.delete("/v1/calendar")
    assert alice.get("/v1/calendar").json() == closed


def test_the_token_is_kept_nowhere(alice: httpx.Client, doors_database: str) -> None:
    made = alice.post("/v1/calendar", json={}, headers={"Idempotency-Key": "feed"})
    token = made.json()["url"].rpartition("/")[2].removesuffix(".ics")
    again = alice.post("/v1/calendar", json={}, headers={"Idempotency-Key": "feed"})
    assert again.json() == {**made.json(), "url": None, "webcal_url": None}
    with psycopg.connect(doors_database) as conn:
        rows = conn.execute("select digest from summit.calendar_feeds").fetchall()
        kept = conn.execute("select r::text from summit.replays r").fetchall()
    assert (digest_of(token),) in rows
    assert token not in repr(kept)


def test_no_log_and_no_metric_tells_the_address(
    alice: httpx.Client, client: NewClient, caplog: pytest.LogCaptureFixture
) -> None:
    path = make(alice)
    with caplog.at_level(logging.DEBUG):
        client().get(path)
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("summit")]
    assert any("route=/v1/calendar/{token}.ics" in line for line in ours)
    token = path.rpartition("/")[2].removesuffix(".ics")
    assert token not in "\n".join(ours)
    assert token not in client().get("/metrics").text


@pytest.mark.parametrize("token", ["x", "../calendar", "x" * 5000, "%00", "é"])
def test_a_wrong_address_tells_nothing(client: NewClient, alice: httpx.Client, token: str) -> None:
    assert client().get(f"/v1/calendar/{token}.ics").status_code in {401, 404}


def test_the_address_opens_nothing_else(alice: httpx.Client, client: NewClient) -> None:
    path = make(alice)
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        problem(client().request(method, path), 401)
    problem(client().get("/v1/calendar"), 401)
    problem(client().get(f"{path}/x"), 401)
    assert is_open(path)
    assert not is_open("/v1/calendars/a.ics")


def test_a_key_that_cannot_read_makes_no_address_to_read_by(alice: httpx.Client, client: NewClient) -> None:
    key = alice.post("/v1/keys", json={"name": "writer", "scopes": ["write"]}).json()["api_key"]
    problem(client(key).post("/v1/calendar", json={}), 403)
