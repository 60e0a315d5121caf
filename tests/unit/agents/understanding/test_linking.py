"""Time set aside for a task that is on the list."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.asking import decide, proposals

TODOS: list[dict[str, Any]] = [
    {"task": "write the report", "priority": "high"},
    {"task": "call mom"},
    {"task": "review budget", "time_to_complete": 90},
    {"task": "paint the fence"},
    {"task": "paint the shed"},
]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("block two hours for the report tomorrow morning", "2026-11-19T09:00:00", "2026-11-19T11:00:00"),
        ("set aside an hour on friday at 2pm for the report", "2026-11-20T14:00:00", "2026-11-20T15:00:00"),
        ("book two hours tomorrow at 2 to work on the report", "2026-11-19T14:00:00", "2026-11-19T16:00:00"),
        ("carve out 90 minutes tomorrow at 10 for the report", "2026-11-19T10:00:00", "2026-11-19T11:30:00"),
    ],
)
def test_the_event_is_linked_to_the_task(text: str, start: str, end: str) -> None:
    (made,) = proposals(text, todos=TODOS)
    assert (made.op, made.kind) == ("create", "event")
    assert made.fields == {
        "title": "write the report",
        "task_id": "todo-1",
        "start": f"{start}+00:00",
        "end": f"{end}+00:00",
    }


def test_without_a_length_the_tasks_own_estimate_counts() -> None:
    (made,) = proposals("block time for the budget review tomorrow at 9", todos=TODOS)
    assert (made.fields["task_id"], made.fields["end"]) == ("todo-3", "2026-11-19T10:30:00+00:00")


def test_without_a_time_it_is_asked_for_and_the_task_is_kept() -> None:
    (question,) = decide("block 2 hours for the report", todos=TODOS).questions
    assert question.pending.missing == "when"
    assert question.pending.proposals[0].fields["task_id"] == "todo-1"


@pytest.mark.parametrize(
    "text",
    [
        "block two hours for painting tomorrow at 9",
        "block two hours for yoga tomorrow at 9",
        "book a call with mom tomorrow at 5pm",
        "dentist appointment tomorrow at 9",
    ],
)
def test_no_task_or_several_are_not_linked(text: str) -> None:
    (made,) = proposals(text, todos=TODOS)
    assert made.kind == "event"
    assert "task_id" not in made.fields
