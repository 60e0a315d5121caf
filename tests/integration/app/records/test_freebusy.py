"""Busy and free time over HTTP."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.support.servers.api import problem


@pytest.fixture
def lisbon(alice: httpx.Client) -> httpx.Client:
    assert alice.patch("/v1/settings", json={"timezone": "Europe/Lisbon"}).status_code == 200
    return alice


def book(client: httpx.Client, **fields: Any) -> None:
    answer = client.post("/v1/events", json={"title": "secret", **fields})
    assert answer.status_code == 201, answer.text


def ask(client: httpx.Client, since: str, until: str, **more: Any) -> dict[str, Any]:
    answer = client.get("/v1/freebusy", params={"from": since, "to": until, **more})
    assert answer.status_code == 200, answer.text
    assert "secret" not in answer.text
    found: dict[str, Any] = answer.json()
    return found


def shown(periods: list[dict[str, str]]) -> list[str]:
    return [f"{period['start'][5:16]}/{period['end'][5:16]}" for period in periods]


def test_busy_time_is_merged_and_the_rest_is_free(lisbon: httpx.Client) -> None:
    book(lisbon, start="2026-11-23T09:00:00Z", end="2026-11-23T10:00:00Z")
    book(lisbon, start="2026-11-23T09:30:00Z", end="2026-11-23T11:00:00Z")
    book(lisbon, start="2026-11-23T15:00:00Z", busy=False)
    found = ask(lisbon, "2026-11-23", "2026-11-24", minutes=60)
    assert found["timezone"] == "Europe/Lisbon"
    assert shown(found["busy"]) == ["11-23T09:00/11-23T11:00"]
    assert shown(found["free"]) == ["11-23T00:00/11-23T09:00", "11-23T11:00/11-24T00:00"]
    assert shown(found["openings"]) == ["11-23T11:00/11-23T12:00"]


def test_recurring_events_count_now_and_far_from_now(lisbon: httpx.Client) -> None:
    book(lisbon, start="2020-01-06T09:00:00Z", end="2020-01-06T09:30:00Z", recurrence="FREQ=WEEKLY")
    for monday in ("2026-11-23", "2021-11-22", "2035-11-26"):
        found = ask(lisbon, f"{monday}T00:00:00Z", f"{monday}T12:00:00Z")
        assert shown(found["busy"]) == [f"{monday[5:]}T09:00/{monday[5:]}T09:30"], monday


def test_what_reaches_beyond_the_time_asked_for_is_cut(lisbon: httpx.Client) -> None:
    book(lisbon, start="2026-11-20", end="2026-11-30")
    found = ask(lisbon, "2026-11-23T10:00:00Z", "2026-11-23T12:00:00Z")
    assert (shown(found["busy"]), found["free"], found["openings"]) == (["11-23T10:00/11-23T12:00"], [], [])


def test_openings_lie_in_the_users_own_working_hours(lisbon: httpx.Client) -> None:
    hours = {"working_start": "13:00", "working_end": "14:00", "working_days": ["sunday"]}
    assert lisbon.patch("/v1/settings", json={"conventions": hours}).status_code == 200
    found = ask(lisbon, "2026-11-23", "2026-12-07", minutes=45)
    assert shown(found["openings"]) == ["11-29T13:00/11-29T13:45", "12-06T13:00/12-06T13:45"]


@pytest.mark.parametrize(
    "params",
    [
        {"from": "2026-11-23"},
        {"from": "2026-11-23", "to": "2026-11-23"},
        {"from": "2026-11-24", "to": "2026-11-23"},
        {"from": "2026-11-23", "to": "2036-11-23"},
        {"from": "soon", "to": "2026-11-23"},
        {"from": "2026-11-23", "to": "2026-11-24", "minutes": 0},
        {"from": "2026-11-23", "to": "2026-11-24", "who": "me"},
    ],
)
def test_what_cannot_be_answered_is_refused_with_a_hint(lisbon: httpx.Client, params: dict[str, Any]) -> None:
    problem(lisbon.get("/v1/freebusy", params=params), 422)


def test_nobody_is_told_of_anothers_busy_time(lisbon: httpx.Client, new_user: Any) -> None:
    book(lisbon, start="2026-11-23T09:00:00Z")
    assert ask(new_user("ben"), "2026-11-23", "2026-11-24")["busy"] == []
