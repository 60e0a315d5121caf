"""The server that stands for Google refuses what Google's description does not know; else it would prove nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.fakes.google.discovery import discovery

CALENDAR = discovery("calendar.v3")
EVENTS = "/calendar/v3/calendars/a%40b.c/events"
TIMES: dict[str, Any] = {"start": {"dateTime": "2026-12-01T10:00:00Z"}, "end": {"date": "2026-12-01"}}


def faults(verb: str, path: str, *query: tuple[str, str], body: Any = None) -> list[str]:
    method = CALENDAR.method(verb, path)
    assert method is not None
    return CALENDAR.faults(method, query, body)


def test_a_path_is_a_method_with_its_names() -> None:
    found = CALENDAR.method("PATCH", f"{EVENTS}/e%2F1")
    assert found is not None
    assert (found.id, found.named) == ("calendar.events.patch", {"calendarId": "a@b.c", "eventId": "e/1"})
    assert CALENDAR.method("PUT", f"{EVENTS}/e1") is None
    assert CALENDAR.method("GET", "/calendar/v3/calendar/a/events") is None


def test_what_is_right_has_no_fault() -> None:
    kinds = [("eventTypes", "default"), ("eventTypes", "focusTime")]
    assert faults("GET", EVENTS, *kinds, ("maxResults", "250"), ("syncToken", "1.2")) == []
    assert faults("POST", EVENTS, ("sendUpdates", "none"), body={"summary": "standup", **TIMES}) == []
    assert faults("PATCH", f"{EVENTS}/e1", body={"recurrence": None, "start": {"date": None}}) == []


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        (("syncTokens", "1"), "there is no parameter syncTokens"),
        (("calendarId", "a"), "there is no parameter calendarId"),
        (("maxResults", "many"), "maxResults is no number"),
        (("singleEvents", "yes"), "singleEvents is no boolean"),
        (("eventTypes", "party"), "eventTypes cannot be party"),
    ],
)
def test_a_wrong_parameter_is_named(query: tuple[str, str], fault: str) -> None:
    assert faults("GET", EVENTS, query) == [fault]


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ({**TIMES, "sumary": "standup"}, "there is no .sumary"),
        ({**TIMES, "summary": 1}, ".summary is no string"),
        ({**TIMES, "location": None}, ".location is no string"),
        ({**TIMES, "start": {"dateTime": "2026-12-01T10:00:00"}}, ".start.dateTime is no date-time"),
        ({**TIMES, "start": {"datetime": "2026-12-01T10:00:00Z"}}, "there is no .start.datetime"),
        ({**TIMES, "recurrence": "RRULE:FREQ=DAILY"}, ".recurrence is no array"),
        ({"start": TIMES["start"]}, "end is missing"),
    ],
)
def test_a_wrong_body_is_named(body: dict[str, Any], fault: str) -> None:
    assert faults("POST", EVENTS, body=body) == [fault]


def test_a_body_where_none_belongs_is_named() -> None:
    assert faults("GET", f"{EVENTS}/e1", body={}) == ["this method takes no body"]
