"""Tasks meant by what they have in common: shown together, and changed together."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.asking import answers, decide, proposals

TODOS: list[dict[str, Any]] = [
    {"task": "change oil of the car", "list": "Car", "tags": ["garage"], "priority": "high", "deadline": "2026-11-16"},
    {"task": "push ups", "list": "Workouts"},
    {"task": "squats", "list": "Workouts", "deadline": "2026-11-20"},
    {"task": "buy milk", "list": "Groceries", "priority": "low"},
    {"task": "pay rent", "deadline": "2026-11-10T17:00:00"},
    {"task": "call mom", "tags": ["family"]},
    {"task": "run", "list": "Workouts", "status": "done"},
]
GIVEN: dict[str, Any] = {
    "todos": TODOS,
    "events": [
        {"title": "car inspection", "start": "2026-11-20T10:00:00", "end": "2026-11-20T11:00:00"},
        {"title": "car race", "start": "2026-11-02T10:00:00", "end": "2026-11-02T11:00:00"},
    ],
    "notes": [
        {"category": "list", "content": "shopping list", "items": ["milk", {"text": "eggs", "done": True}]},
        {"category": "idea", "content": "an app for the car wash"},
    ],
}


def titles(said: str) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (item.op, TODOS[int(str(item.record_id).removeprefix("todo-")) - 1]["task"], item.fields)
        for item in proposals(said, **GIVEN)
        if item.kind == "todo"
    ]


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("show Workouts", "You have 2 open tasks on the list “Workouts”: squats (due Friday 20 November); push ups."),
        ("show me my workouts", "You have 2 open tasks on the list “Workouts”"),
        ("what's on my workouts list?", "You have 2 open tasks on the list “workouts”"),
        ("show finished tasks on the workouts list", "You have 1 finished task on the list “workouts”: run."),
        ("show #family", "You have 1 open task tagged “family”: call mom."),
        ("which tasks are tagged garage?", "You have 1 open task tagged “garage”: change oil of the car"),
        ("show tasks tagged nonsense", "You have no open tasks tagged “nonsense”."),
        ("list my p1s", "You have 1 open task of high priority: change oil of the car"),
        ("show p3 tasks", "You have 1 open task of low priority: buy milk."),
        ("show my p1 tasks on the car list", "on the list “car” of high priority: change oil of the car"),
        ("what's on the shopping list", "On “shopping list”: milk (1 ticked off)."),
    ],
)
def test_a_group_is_shown(said: str, answer: str) -> None:
    assert answer in answers(said, **GIVEN)


def test_everything_about_a_thing_is_told_across_kinds() -> None:
    told = answers("what about my car?", **GIVEN)
    assert "task change oil of the car, due Monday 16 November" in told
    assert "event car inspection, Friday 20 November from 10:00 to 11:00" in told
    assert "idea “an app for the car wash”" in told
    assert "race" not in told


@pytest.mark.parametrize(
    ("said", "changes"),
    [
        ("complete everything on the groceries list", [("complete", "buy milk", {})]),
        ("mark all workouts as done", [("complete", "push ups", {}), ("complete", "squats", {})]),
        ("archive all my workouts", [("archive", "push ups", {}), ("archive", "squats", {})]),
        (
            "move all overdue to monday",
            [
                ("update", "change oil of the car", {"deadline": "2026-11-23"}),
                ("update", "pay rent", {"deadline": "2026-11-23T17:00:00+00:00"}),
            ],
        ),
        ("push everything due this week to next monday", [("update", "squats", {"deadline": "2026-11-23"})]),
        (
            "snooze all overdue until friday",
            [
                ("update", "change oil of the car", {"snooze_until": "2026-11-20"}),
                ("update", "pay rent", {"snooze_until": "2026-11-20"}),
            ],
        ),
        ("set all tasks tagged family to high priority", [("update", "call mom", {"priority": "high"})]),
        ("tag all p1 tasks as urgent", [("update", "change oil of the car", {"tags": ["garage", "urgent"]})]),
        ("move all tasks tagged family to the phone list", [("update", "call mom", {"list": "phone"})]),
        ("complete all overdue p1 tasks", [("complete", "change oil of the car", {})]),
        ("delete everything on the groceries list", [("delete", "buy milk", {})]),
    ],
)
def test_a_group_is_changed_in_one_message(said: str, changes: list[tuple[str, str, dict[str, Any]]]) -> None:
    assert titles(said) == changes


def test_deleting_several_needs_a_yes() -> None:
    (asked,) = decide("delete everything on the workouts list", **GIVEN).questions
    assert asked.text == "Shall I really delete 2 tasks: “push ups” and “squats”?"


def test_a_group_of_none_changes_nothing() -> None:
    said = "complete all tasks tagged nonsense"
    assert proposals(said, **GIVEN) == []
    assert "no open tasks tagged “nonsense”" in answers(said, **GIVEN)


def test_a_list_of_notes_is_ticked_and_cleared_as_a_whole() -> None:
    (ticked,) = proposals("tick off everything on the shopping list", **GIVEN)
    assert [line["done"] for line in ticked.fields["items"]] == [True, True]
    (cleared,) = proposals("clear everything from the shopping list", **GIVEN)
    assert cleared.fields == {"items": []}


@pytest.mark.parametrize("said", ["show Badgers", "show my Badgers", "Show me the Badgers!", "display Badgers"])
def test_a_name_that_nothing_has_is_said_to_be_missing(said: str) -> None:
    assert answers(said, **GIVEN) == "I found nothing called “Badgers”."
    assert decide(said, **GIVEN).questions == []


@pytest.mark.parametrize("said", ["show me", "show more"])
def test_to_show_without_a_name_is_no_appointment(said: str) -> None:
    assert decide(said).questions == []


@pytest.mark.parametrize("said", ["show notes", "show my calendar", "show tasks", "show friday"])
def test_what_has_a_reading_of_its_own_is_no_name(said: str) -> None:
    assert "nothing called" not in answers(said)
