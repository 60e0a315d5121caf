"""Room is offered for what is to be done, and booked on a yes, a number or another time."""

from __future__ import annotations

from typing import Any

import pytest

from agents.contract import Pending, Question
from agents.mind.message import understand
from tests.support.asking import ask

GIVEN: dict[str, Any] = {
    "events": [{"title": "standup", "start": "2026-11-19T09:00", "end": "2026-11-19T09:30"}],
    "todos": [{"task": "write the report", "time_to_complete": 120}],
}


def question(said: str) -> Question:
    decision = understand(ask(said, **GIVEN))
    asked = [
        *decision.questions,
        *(q for target in decision.targets if target.proposed for q in target.proposed.questions),
    ]
    assert len(asked) == 1, asked
    return asked[0]


def booked(said: str, pending: Pending) -> dict[str, Any]:
    decision = understand(ask(said, pending=pending, **GIVEN))
    made = [item for target in decision.targets if target.proposed for item in target.proposed.proposals]
    assert [(item.op, item.kind) for item in made] == [("create", "event")]
    return made[0].fields


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("find me an hour tomorrow for a run", "Tomorrow from 09:30 to 10:30 is free for “run”. Shall I book it?"),
        (
            "schedule a run whenever I'm free tomorrow",
            "Tomorrow from 09:30 to 10:30 is free for “run”. Shall I book it?",
        ),
        (
            "find 30 minutes on friday to call the bank",
            "Friday 20 November from 09:00 to 09:30 is free for “call the bank”. Shall I book it?",
        ),
        (
            "when should I do the report?",
            (
                "Today from 10:30 to 12:30 is free for “write the report”. Later: tomorrow from 09:30 to 11:30 or "
                "Friday 20 November from 09:00 to 11:00. Shall I book the first?"
            ),
        ),
    ],
)
def test_the_first_free_times_are_offered(said: str, asked: str) -> None:
    assert question(said).text == asked


@pytest.mark.parametrize(
    ("said", "answer", "start", "end"),
    [
        ("find me an hour tomorrow for a run", "yes", "2026-11-19T09:30", "2026-11-19T10:30"),
        ("find me an hour tomorrow for a run", "book it at 10", "2026-11-19T10:00", "2026-11-19T11:00"),
        ("when can I fit in a haircut", "the second one please", "2026-11-19T09:30", "2026-11-19T10:30"),
        ("when can I fit in a haircut", "the last", "2026-11-20T09:00", "2026-11-20T10:00"),
        ("when should I do the report", "monday at 2", "2026-11-23T14:00", "2026-11-23T16:00"),
        ("book gym for 2 hours", "tomorrow at 5", "2026-11-19T17:00", "2026-11-19T19:00"),
        ("book gym for 2 hours tomorrow", "at 5", "2026-11-19T17:00", "2026-11-19T19:00"),
    ],
)
def test_an_answer_books_it_as_long_as_was_said(said: str, answer: str, start: str, end: str) -> None:
    fields = booked(answer, question(said).pending)
    assert (fields["start"][:16], fields["end"][:16]) == (start, end)


def test_the_task_is_linked() -> None:
    assert booked("ok", question("when should I do the report").pending)["task_id"] == "todo-1"


def test_what_was_not_offered_books_nothing() -> None:
    decision = understand(ask("the third one", pending=question("find me an hour tomorrow for a run").pending, **GIVEN))
    assert not [target for target in decision.targets if target.proposed and target.proposed.proposals]


@pytest.mark.parametrize("said", ["find the receipt for the tent", "when do I go to the gym"])
def test_what_asks_for_no_room_is_read_as_ever(said: str) -> None:
    decision = understand(ask(said, **GIVEN))
    assert not any("Shall I book" in asked.text for asked in decision.questions)
