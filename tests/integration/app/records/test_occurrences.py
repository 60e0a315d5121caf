"""What takes place when: series one by one, imported appointments beside one's own."""

from __future__ import annotations

from typing import Any

import httpx

from tests.support.calendars.ics import ics, meeting
from tests.support.servers.api import problem


def between(client: httpx.Client, since: str, until: str) -> list[dict[str, Any]]:
    answer = client.get("/v1/occurrences", params={"from": since, "to": until})
    assert answer.status_code == 200, answer.text
    return list(answer.json()["items"])


def test_a_series_is_listed_once_for_each_day(alice: httpx.Client) -> None:
    fields = {"title": "standup", "start": "2026-11-23T09:00:00+00:00", "end": "2026-11-23T09:15:00+00:00"}
    made = alice.post("/v1/events", json={**fields, "recurrence": "FREQ=DAILY;COUNT=3", "zone": "UTC"}).json()
    found = between(alice, "2026-11-23T00:00:00Z", "2026-11-25T00:00:00Z")
    assert [one["event_id"] for one in found] == [made["id"]] * 2
    assert {one["title"] for one in found} == {"standup"}
    assert found[0]["calendar"] is None


def test_imported_appointments_are_there_with_their_calendar(alice: httpx.Client) -> None:
    file = ics(meeting("1", "dentist", "20270301T100000Z"))
    made = alice.post("/v1/calendars", files={"file": ("a.ics", file, "text/calendar")}, data={"name": "Work"})
    assert made.status_code == 201, made.text
    [found] = between(alice, "2027-03-01", "2027-03-02")
    assert (found["title"], found["calendar"], found["event_id"]) == ("dentist", "Work", None)


def test_nobody_sees_what_takes_place_for_others(alice: httpx.Client, bob: httpx.Client) -> None:
    alice.post("/v1/events", json={"title": "secret", "start": "2026-12-01T09:00:00+00:00"})
    assert between(bob, "2026-11-30", "2026-12-03") == []


def test_a_time_that_ends_before_it_begins_is_refused(alice: httpx.Client) -> None:
    problem(alice.get("/v1/occurrences", params={"from": "2026-12-02", "to": "2026-12-01"}), 422)
    problem(alice.get("/v1/occurrences", params={"from": "2026-12-02", "to": "2036-12-01"}), 422)
