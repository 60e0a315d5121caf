"""Stretches of the day in which nothing is scheduled, against events of every form."""

from __future__ import annotations

from typing import Any

import pytest

from agents.policies.rules import TimeLimit
from agents.policies.windows import breaks
from tests.support.readings import wishes

LISBON = "Europe/Lisbon"  # in November the wall clock is UTC
WISHES = wishes(
    "{rule/never never schedule [w before 9]}",
    "{rule/never no [q meetings] [w after 5]}",
    "{rule/never no [q meetings] [w on fridays]}",
    "{rule/never keep lunch [w 12-1] free}",
    "{rule/never keep [w friday afternoons] free}",
    "{rule/never keep [w fridays] free}",
    "{rule/never never give me [q deadlines] [w on fridays]}",
    "{rule/never no [q reminders] [w before 8]}",
)


def event(start: str, end: str | None = None, **fields: Any) -> dict[str, Any]:
    return {"title": "meeting", "start": start, "end": end or start, **fields}


def limit(text: str) -> TimeLimit:
    (rule,) = WISHES[text].rules
    assert isinstance(rule, TimeLimit)
    return rule


@pytest.mark.parametrize(
    ("text", "start", "end", "broken"),
    [
        ("never schedule before 9", "2026-11-20T08:00:00+00:00", "2026-11-20T09:00:00+00:00", True),
        ("never schedule before 9", "2026-11-20T08:59:00+00:00", "2026-11-20T10:00:00+00:00", True),
        ("never schedule before 9", "2026-11-20T09:00:00+00:00", "2026-11-20T10:00:00+00:00", False),
        ("never schedule before 9", "2026-11-20T22:00:00+00:00", "2026-11-21T02:00:00+00:00", True),
        ("never schedule before 9", "2026-11-20T09:30:00+01:00", "2026-11-20T10:30:00+01:00", True),
        ("never schedule before 9", "2026-11-20", "2026-11-20", False),
        ("no meetings after 5", "2026-11-20T16:30:00Z", "2026-11-20T17:00:00Z", False),
        ("no meetings after 5", "2026-11-20T16:30:00Z", "2026-11-20T17:01:00Z", True),
        ("no meetings on fridays", "2026-11-20T15:00:00Z", "2026-11-20T16:00:00Z", True),
        ("no meetings on fridays", "2026-11-19T15:00:00Z", "2026-11-19T16:00:00Z", False),
        ("no meetings on fridays", "2026-11-20", "2026-11-20", True),
        ("no meetings on fridays", "2026-11-18", "2026-11-21", True),
        ("keep lunch 12-1 free", "2026-11-20T11:30:00Z", "2026-11-20T12:00:00Z", False),
        ("keep lunch 12-1 free", "2026-11-20T11:30:00Z", "2026-11-20T12:30:00Z", True),
        ("keep lunch 12-1 free", "2026-11-20T13:00:00Z", "2026-11-20T14:00:00Z", False),
        ("keep friday afternoons free", "2026-11-20T11:00:00Z", "2026-11-20T12:30:00Z", True),
        ("keep friday afternoons free", "2026-11-19T13:00:00Z", "2026-11-19T14:00:00Z", False),
    ],
)
def test_what_stands_in_the_stretch_breaks_the_limit(text: str, start: str, end: str, broken: bool) -> None:  # noqa: FBT001
    assert breaks(limit(text), "event", None, event(start, end), LISBON) is broken


def test_a_series_breaks_a_limit_by_any_of_its_occurrences() -> None:
    rule = limit("no meetings on fridays")
    first = "2026-11-18T15:00:00Z"
    assert breaks(rule, "event", None, event(first, recurrence="FREQ=WEEKLY;BYDAY=WE,FR"), LISBON)
    assert not breaks(rule, "event", None, event(first, recurrence="FREQ=WEEKLY;BYDAY=WE"), LISBON)
    assert breaks(rule, "event", None, event(first, recurrence="FREQ=DAILY"), LISBON)
    assert not breaks(rule, "event", None, event(first, recurrence="FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"), LISBON)


def test_what_stood_there_before_may_stay() -> None:
    rule, early = limit("never schedule before 9"), event("2026-11-20T08:00:00Z", "2026-11-20T08:30:00Z")
    assert not breaks(rule, "event", early, {**early, "title": "early meeting"}, LISBON)
    assert breaks(rule, "event", early, {**early, "start": "2026-11-20T07:00:00Z"}, LISBON)


def test_only_what_the_limit_is_about() -> None:
    friday = "2026-11-20T15:00:00Z"
    assert not breaks(limit("no meetings on fridays"), "event", None, {**event(friday), "title": "dentist"}, LISBON)
    assert breaks(limit("keep fridays free"), "event", None, {**event(friday), "title": "dentist"}, LISBON)
    assert not breaks(limit("keep fridays free"), "todo", None, {"task": "x", "deadline": "2026-11-20"}, LISBON)
    assert breaks(
        limit("never give me deadlines on fridays"), "todo", None, {"task": "x", "deadline": "2026-11-20"}, LISBON
    )
    assert breaks(
        limit("no reminders before 8"), "todo", None, {"task": "x", "remind_at": "2026-11-20T07:30:00Z"}, LISBON
    )
