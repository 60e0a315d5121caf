"""Importing files and subscribing to addresses, as people do it: over HTTP, from a real web server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from tests.support.calendars.ics import ics, meeting
from tests.support.peers.calendar_site import calendar_site
from tests.support.servers.api import problem
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client
from tests.support.waiting import wait_until

NewUser = Callable[[str], httpx.Client]
DAY = f"{datetime.now(UTC) + timedelta(days=7):%Y%m%d}"
BODY = ics(meeting("1", "standup", f"{DAY}T100000Z", "RRULE:FREQ=DAILY;COUNT=3"), head="X-WR-CALNAME:Team\n")


def upload(user: httpx.Client, body: bytes, **fields: str) -> httpx.Response:
    return user.post("/v1/calendars", files={"file": ("a.ics", body, "text/calendar")}, data=fields)


def titles(url: str) -> list[str]:
    with psycopg.connect(url) as conn:
        rows = conn.execute("select title from summit.occurrences where source <> 'own' order by starts_at").fetchall()
    return [title for (title,) in rows]


@pytest.fixture
def working(database_url: str, tmp_path: Path) -> Iterator[httpx.Client]:
    """A user of a server that also does the jobs, and may call this machine."""
    with working_server(database_url, tmp_path) as client:
        yield client


@contextmanager
def working_server(database_url: str, folder: Path) -> Iterator[httpx.Client]:
    settings = settings_for(
        database_url, folder, workers_in_process=True, allowed_networks=["127.0.0.0/8"], max_calendar_bytes=100_000
    )
    with live_server(settings) as url, plain_client(url) as admin:
        made = admin.post("/v1/users", json={"name": "Ada"}, headers={"Authorization": f"Bearer {ADMIN_KEY}"}).json()
        admin.headers["Authorization"] = f"Bearer {made['api_key']}"
        yield admin


def until(client: httpx.Client, path: str, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The calendar once it is as wanted."""

    def one_that_is() -> dict[str, Any] | None:
        found: dict[str, Any] = client.get(path).json()
        return found if wanted(found) else None

    return wait_until(one_that_is) or {}


def read_again(database_url: str) -> None:
    """Let time pass: every calendar is due, and the minute's look for such ones comes."""
    with psycopg.connect(database_url, options="-c search_path=summit,public") as conn:
        conn.execute("update calendars set next_refresh = now()")
        conn.execute(
            "insert into procrastinate_jobs (queue_name, task_name, priority, args, status) "
            "values ('default', 'summit:look_for_calendars', 0, '{\"timestamp\": 0}', 'todo')"
        )


def test_a_file_is_imported_listed_and_removed(alice: httpx.Client, bob: httpx.Client) -> None:
    made = upload(alice, BODY)
    assert made.status_code == 201, made.text
    found = made.json()
    assert (found["name"], found["state"], found["url"]) == ("Team", "current", None)
    assert (found["events"], found["occurrences"], found["error"]) == (1, 3, None)
    path = made.headers["location"]
    assert alice.get(path).json() == found
    assert alice.get("/v1/calendars").json()["items"] == [found]
    assert bob.get("/v1/calendars").json()["items"] == []
    problem(bob.get(path), 404)
    problem(bob.delete(path), 404)
    assert alice.delete(path).status_code == 204
    problem(alice.get(path), 404)
    assert upload(alice, BODY, name="My team").json()["name"] == "My team"


def test_a_file_that_is_sent_twice_is_imported_once(alice: httpx.Client) -> None:
    key = {"Idempotency-Key": "import"}
    request = alice.build_request("POST", "/v1/calendars", files={"file": ("a.ics", BODY)}, headers=key)
    request.read()
    first = alice.send(request)
    second = alice.post(
        "/v1/calendars", content=request.content, headers={**key, "content-type": request.headers["content-type"]}
    )
    assert (first.status_code, second.json()) == (201, first.json())
    parted_anew = alice.post("/v1/calendars", files={"file": ("a.ics", BODY)}, headers=key)
    assert parted_anew.request.headers["content-type"] != request.headers["content-type"]
    assert parted_anew.json() == first.json()
    problem(alice.post("/v1/calendars", files={"file": ("b.ics", BODY)}, headers=key), 422)
    assert len(alice.get("/v1/calendars").json()["items"]) == 1


@pytest.mark.parametrize(
    ("body", "status", "why"),
    [
        (b"", 422, "no file"),
        (b"<html>sign in</html>", 422, "begins with BEGIN:VCALENDAR"),
        (BODY[:-30], 422, "cut short"),
        (ics(*["UID:1\nDTSTART:20261120T100000Z"] * 20_001), 422, "20001 events"),
        (b"BEGIN:VCALENDAR\r\n" + b" " * (50 * 1024 * 1024), 413, "larger than"),
    ],
)
def test_files_that_are_refused(alice: httpx.Client, body: bytes, status: int, why: str) -> None:
    assert why in problem(upload(alice, body), status)["detail"]
    assert alice.get("/v1/calendars").json()["items"] == []


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"url": "https://example.org/a.ics", "extra": 1}, 422),
        ({"url": "ftp://example.org/a.ics"}, 422),
        ({"url": "file:///etc/passwd"}, 422),
        ({"url": "http://127.0.0.1/a.ics"}, 422),
        ({"url": "webcal://169.254.169.254/latest"}, 422),
        ({"url": "http://[::1]/a.ics"}, 422),
        ({"url": "x" * 3000}, 422),
    ],
)
def test_addresses_that_are_refused(alice: httpx.Client, body: dict[str, Any], status: int) -> None:
    problem(alice.post("/v1/calendars", json=body), status)
    assert alice.get("/v1/calendars").json()["items"] == []


def test_other_bodies_are_refused(alice: httpx.Client) -> None:
    problem(alice.post("/v1/calendars", content=BODY, headers={"content-type": "text/calendar"}), 415)
    two = [("file", ("a.ics", BODY)), ("other", ("b.ics", BODY))]
    problem(alice.post("/v1/calendars", files=two), 400)


def test_an_address_is_read_at_once_and_again(working: httpx.Client, database_url: str) -> None:
    with calendar_site(BODY) as site:
        site.headers["ETag"] = '"1"'
        made = working.post("/v1/calendars", json={"url": site.url})
        assert made.status_code == 201, made.text
        assert made.json()["state"] == "waiting"
        path = made.headers["location"]
        first = until(working, path, lambda found: found["state"] == "current")
        assert (first["name"], first["occurrences"]) == ("Team", 3)
        problem(working.post("/v1/calendars", json={"url": site.url}), 409)

        read_again(database_url)
        same = until(working, path, lambda found: found["last_refreshed"] > first["last_refreshed"])
        assert same["occurrences"] == 3
        assert site.asked[-1]["if-none-match"] == '"1"'

        site.body, site.headers["ETag"] = ics(meeting("2", "review", f"{DAY}T150000Z")), '"2"'
        read_again(database_url)
        until(working, path, lambda found: found["occurrences"] == 1)
        assert titles(database_url) == ["review"]


def test_a_calendar_that_breaks_keeps_what_it_said(working: httpx.Client, database_url: str) -> None:
    with calendar_site(BODY) as site:
        path = working.post("/v1/calendars", json={"url": site.url, "name": "Mine"}).headers["location"]
        good = until(working, path, lambda found: found["state"] == "current")
        site.body = b"<html>maintenance</html>"
        read_again(database_url)
        bad = until(working, path, lambda found: found["state"] == "failing")
        assert "no calendar" in bad["error"]
        assert bad["error_at"] > good["last_refreshed"]
        assert (bad["name"], bad["last_refreshed"], bad["occurrences"]) == ("Mine", good["last_refreshed"], 3)
        assert titles(database_url) == ["standup"] * 3
        site.status, site.body = 302, b""
        site.headers["Location"] = "http://169.254.169.254/a.ics"
        read_again(database_url)
        until(working, path, lambda found: "private network" in (found["error"] or ""))
        site.status, site.body = 200, b"BEGIN:VCALENDAR" + b" " * 100_000
        read_again(database_url)
        until(working, path, lambda found: "larger than" in (found["error"] or ""))
        assert working.delete(path).status_code == 204
        assert titles(database_url) == []


def ask(user: httpx.Client, text: str) -> dict[str, Any]:
    answer: dict[str, Any] = user.post("/v1/turns", json={"text": text, "timezone": "UTC"}).json()
    return answer


def test_imported_appointments_are_busy_time_and_said_to_be_imported(alice: httpx.Client) -> None:
    upload(alice, ics(meeting("1", "board meeting", f"{DAY}T100000Z")), name="Work")
    day = f"{DAY[:4]}-{DAY[4:6]}-{DAY[6:]}"
    assert "board meeting (10:00 to 11:00, from Work)" in ask(alice, f"what is on my calendar on {day}?")["reply"]
    assert "board meeting" in ask(alice, f"am I free on {day} at 10?")["reply"]
    booked = ask(alice, f"book the dentist on {day} at 10:30")
    (conflict,) = booked["changes"][0]["conflicts"]
    assert (conflict["title"], conflict["calendar"]) == ("board meeting", "Work")
    assert "from Work" in booked["reply"]
    assert alice.get("/v1/events").json()["items"][0]["title"] == "dentist"
    assert len(alice.get("/v1/events").json()["items"]) == 1


@pytest.mark.parametrize("clock", ["00:00", "16:45"])
def test_what_ends_when_it_starts_is_told_and_stands_in_nobodys_way(alice: httpx.Client, clock: str) -> None:
    zone = {"timezone": "UTC"}
    assert alice.patch("/v1/settings", json=zone).status_code == 200
    point = f"UID:9\nSUMMARY:bins out\nDTSTART:{DAY}T{clock.replace(':', '')}00Z"
    made = upload(alice, ics(point), name="Town").json()
    assert (made["events"], made["occurrences"], made["warnings"]) == (1, 1, [])
    day = f"{DAY[:4]}-{DAY[4:6]}-{DAY[6:]}"
    until = (date.fromisoformat(day) + timedelta(days=1)).isoformat()
    [found] = alice.get("/v1/occurrences", params={"from": day, "to": until}).json()["items"]
    assert (found["title"], found["start"], found["end"]) == ("bins out", *[f"{day}T{clock}:00Z"] * 2)
    assert found["busy"] is False
    before = (date.fromisoformat(day) - timedelta(days=1)).isoformat()
    assert alice.get("/v1/occurrences", params={"from": before, "to": day}).json()["items"] == []
    booked = alice.post("/v1/events", json={"title": "walk", "start": f"{day}T16:30:00Z", "end": f"{day}T17:00:00Z"})
    assert booked.status_code == 201
    assert alice.get("/v1/changes").json()["items"][-1]["conflicts"] == []


def test_a_point_in_time_is_said_once(alice: httpx.Client) -> None:
    upload(alice, ics(f"UID:9\nSUMMARY:bins out\nDTSTART:{DAY}T164500Z"), name="Town")
    day = f"{DAY[:4]}-{DAY[4:6]}-{DAY[6:]}"
    assert "bins out (16:45, from Town)" in ask(alice, f"what is on my calendar on {day}?")["reply"]


def test_a_file_with_a_broken_line_is_imported_and_the_line_is_named(alice: httpx.Client) -> None:
    made = upload(alice, BODY.replace(b"PRODID", b"METHOD:\r\nREFRESH-INTERVAL:VALUE=DURATION:P3D\r\nPRODID"))
    assert made.status_code == 201, made.text
    assert made.json()["warnings"] == ["Line 4 (REFRESH-INTERVAL) breaks the rules of iCalendar; it is left out."]
    assert made.json()["occurrences"] == 3
