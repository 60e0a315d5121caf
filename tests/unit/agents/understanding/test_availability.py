"""Questions about time that is free and time that is left, over recurring events too."""

from __future__ import annotations

from typing import Any

import pytest

from agents.conventions import Conventions
from agents.mind.message import understand
from tests.support.asking import answers, ask, proposals
from tests.unit.agents.understanding.test_series import EVENTS

TRIP = {"title": "Trip to Porto", "start": "2026-11-27", "end": "2026-11-29", "all_day": True}
GIVEN: dict[str, Any] = {"events": [*EVENTS, TRIP], "todos": [{"task": "write the report", "deadline": "2026-11-23"}]}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("first free 30 minutes tomorrow", "tomorrow from 09:00 to 09:30. After that: tomorrow from 09:45 to 10:15."),
        ("when am I free for an hour tomorrow?", "tomorrow from 09:45 to 10:45."),
        ("do i have an hour free on friday", "Friday 20 November from 09:45 to 10:45. After that:"),
        ("is there a free half hour tomorrow afternoon?", "tomorrow from 12:00 to 12:30."),
        ("what's my next free slot of 45 minutes", "today from 10:30 to 11:15."),
        ("find me 2 hours free between 2pm and 6pm on friday", "Friday 20 November from 16:00 to 18:00."),
        ("find me a free hour on saturday", "Saturday 21 November from 09:00 to 10:00."),
    ],
)
def test_the_first_free_time_of_a_length_is_found(text: str, answer: str) -> None:
    said = answers(text, **GIVEN)
    assert said.startswith("You are free for ")
    assert answer in said
    assert proposals(text, **GIVEN) == []


def test_no_room_is_said() -> None:
    assert answers("when am I free for 2 hours on friday november 27?", **GIVEN) == (
        "You have no free 2 hours Friday 27 November."
    )


def test_working_hours_are_the_users_own() -> None:
    asked = ask("first free hour tomorrow", **GIVEN)
    late = Conventions(working_start="17:00", working_end="22:00")
    decision = understand(asked.model_copy(update={"conventions": late}))
    (told,) = [line for target in decision.targets if target.proposed for line in target.proposed.answers]
    assert "tomorrow from 17:00 to 18:00. After that: tomorrow from 19:00 to 20:00" in told


@pytest.mark.parametrize(
    "text", ["show me open tasks", "show open tasks", "when do i have the dentist", "free up some space"]
)
def test_other_words_with_free_and_open_are_no_question_about_time(text: str) -> None:
    assert "You are free for" not in answers(text, **GIVEN)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("how long until yoga?", "Yoga is in 1 day 7 hours 30 minutes: tomorrow at 18:00."),
        ("how long until my next meeting", "Standup is in 23 hours: tomorrow at 09:30."),
        ("how many days until the trip", "Trip to Porto is in 9 days: Friday 27 November."),
        ("how long till the dentist", "Dentist is in 2 days 4 hours 30 minutes: Friday 20 November at 15:00."),
        ("how long do i have until the report", "write the report is in 5 days: Monday 23 November."),
    ],
)
def test_how_long_until_counts_to_the_next_time(text: str, answer: str) -> None:
    assert answers(text, **GIVEN) == answer
