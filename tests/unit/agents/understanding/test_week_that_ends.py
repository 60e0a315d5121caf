"""A question about "this week" on its last three days looks ahead as well; a request keeps to the calendar week."""

from __future__ import annotations

from typing import Any

import pytest

from agents.conventions import Conventions
from agents.mind.message import understand
from tests.support.asking import answers, ask, proposals

WEDNESDAY, FRIDAY, SUNDAY = "2026-11-18T10:30:00", "2026-11-20T10:30:00", "2026-11-22T10:30:00"
EVENTS: list[dict[str, Any]] = [
    {"title": "Dinner", "start": "2026-11-21T19:00", "end": "2026-11-21T21:00"},
    {"title": "Dentist", "start": "2026-11-24T15:00", "end": "2026-11-24T16:00"},
    {"title": "Call with Bob", "start": "2026-11-25T15:00", "end": "2026-11-25T16:00"},
    {"title": "Concert", "start": "2026-11-29T20:00", "end": "2026-11-29T22:00"},
    {
        "title": "Yoga",
        "start": "2026-11-06T18:00",
        "end": "2026-11-06T19:00",
        "recurrence": "FREQ=WEEKLY;BYDAY=FR",
    },
]
TODOS = [{"task": "tax return", "deadline": "2026-11-25"}, {"task": "milk", "deadline": "2026-11-21"}]
DINNER = "Dinner (Saturday 21 November from 19:00 to 21:00)"
DENTIST = "Dentist (Tuesday 24 November from 15:00 to 16:00)"
BOB = "Call with Bob (Wednesday 25 November from 15:00 to 16:00)"


@pytest.mark.parametrize("text", ["what's on this week", "what's my week like", "what do i have on this week?"])
def test_from_friday_on_the_days_after_the_week_are_named_too(text: str) -> None:
    said = answers(text, now=FRIDAY, events=EVENTS, todos=TODOS)
    assert said == (
        "You have 2 events until Sunday 22 November: Yoga (today from 18:00 to 19:00); "
        "Dinner (tomorrow from 19:00 to 21:00). Due: milk. "
        f"After that, until Thursday 26 November: {DENTIST}; {BOB}. Due: tax return."
    )


def test_on_the_last_day_of_the_week_six_more_days_are_named() -> None:
    said = answers("what's on this week", now=SUNDAY, events=EVENTS)
    assert said == (
        "You have nothing on your calendar today. After that, until Saturday 28 November: "
        f"{DENTIST}; {BOB}; Yoga (Friday 27 November from 18:00 to 19:00)."
    )


def test_nothing_to_come_is_said_too() -> None:
    said = answers("what's on this week", now=SUNDAY, events=EVENTS[:1])
    assert said.endswith("After that, until Saturday 28 November: nothing on your calendar.")


def test_a_person_is_looked_for_in_the_days_after_too() -> None:
    said = answers("what's on this week with bob", now=FRIDAY, events=EVENTS)
    assert f"After that, until Thursday 26 November: {BOB}." in said


def test_earlier_in_the_week_it_ends_on_sunday() -> None:
    said = answers("what's on this week", now=WEDNESDAY, events=EVENTS)
    assert "After that" not in said
    assert "Dentist" not in said


def test_a_week_that_begins_on_sunday_ends_on_saturday() -> None:
    thursday = ask("what's on this week", now="2026-11-19T10:30:00", events=EVENTS)
    decision = understand(thursday.model_copy(update={"conventions": Conventions(week_start="sunday")}))
    (told,) = [target.proposed.answers[0] for target in decision.targets if target.proposed]
    assert "until Saturday 21 November" in told
    assert "After that, until Wednesday 25 November" in told


def test_tasks_of_this_week_include_those_of_the_coming_days() -> None:
    said = answers("what's due this week", now=FRIDAY, todos=TODOS)
    assert said == (
        "You have 2 open tasks due until Thursday 26 November: milk (due tomorrow); "
        "tax return (due Wednesday 25 November)."
    )


def test_other_stretches_do_not_look_ahead() -> None:
    for text in ("what's on this weekend", "what's on today", "what's on this month", "what's on next week"):
        assert "After that" not in answers(text, now=FRIDAY, events=EVENTS)


def test_whether_a_week_is_free_counts_what_is_left_of_it() -> None:
    assert answers("am i free this week", now=SUNDAY, events=EVENTS) == "Yes, you are free today."


def test_a_request_keeps_to_the_calendar_week() -> None:
    (skipped,) = proposals("skip yoga this week", now=FRIDAY, events=EVENTS)
    assert skipped.fields == {"exdates": ["2026-11-20"]}
