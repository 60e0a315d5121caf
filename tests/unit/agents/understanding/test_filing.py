"""Labels, lists, short ids, names that are known already, and messages that contradict themselves."""

from __future__ import annotations

from typing import Any

import pytest

from agents.mind.message import understand
from tests.support.asking import answers, ask, decide, proposals

GIVEN: dict[str, Any] = {
    "todos": [{"task": "call mom", "tags": ["family"]}, {"task": "oil the gate"}],
    "notes": [
        {"category": "list", "content": "shopping list", "items": ["milk"]},
        {"category": "idea", "content": "an app for the car wash"},
    ],
}


@pytest.mark.parametrize(
    ("said", "fields"),
    [
        ("tag call mom as urgent and phone", {"tags": ["family", "urgent", "phone"]}),
        ("remove the tag family from call mom", {"tags": []}),
        ("put call mom on the phone list", {"list": "phone"}),
        ("add task call mom tomorrow", {"deadline": "2026-11-19"}),
    ],
)
def test_a_task_is_filed_and_not_doubled(said: str, fields: dict[str, Any]) -> None:
    (made,) = proposals(said, **GIVEN)
    assert (made.op, made.record_id, made.fields) == ("update", "todo-1", fields)


def test_a_task_that_is_there_is_not_added_again() -> None:
    assert proposals("add task call mom", **GIVEN) == []
    assert answers("add task call mom", **GIVEN) == "“call mom” is on your tasks already, so I added nothing."
    assert [item.op for item in proposals("add another task call mom", **GIVEN)] == ["create"]


def test_hashtags_and_urgency_are_labels() -> None:
    (made,) = proposals("add task fix bike #home #Garage !high")
    assert made.fields["task"] == "fix bike"
    assert (made.fields["tags"], made.fields["priority"]) == (["home", "garage"], "high")


@pytest.mark.parametrize("said", ["complete 3f2a1b", "mark task #3f2a1b77 as done", "delete 3f2a1b77-0000"])
def test_a_short_id_names_its_item(said: str) -> None:
    made = ask(said, **GIVEN)
    record = made.records.todos[1].model_copy(update={"id": "3f2a1b77-0000-4000-8000-000000000000"})
    records = made.records.model_copy(update={"todos": [made.records.todos[0], record]})
    (target,) = understand(made.model_copy(update={"records": records})).targets
    assert target.proposed is not None
    assert [item.record_id for item in target.proposed.proposals] == [record.id]


@pytest.mark.parametrize(
    "said",
    [
        "book gym at 5 and don't book gym",
        "book gym at 5pm tomorrow and cancel gym",
        "add task call bob and don't add task call bob",
        "add task oil the hinge, then delete it",
    ],
)
def test_a_contradiction_is_asked_about_and_nothing_is_done(said: str) -> None:
    assert proposals(said, **GIVEN) == []
    (asked,) = decide(said, **GIVEN).questions
    assert "and also not to. Shall I do it?" in asked.text
    assert [item.op for item in proposals("yes", pending=asked.pending, **GIVEN)] == ["create"]
    assert proposals("no", pending=asked.pending, **GIVEN) == []


@pytest.mark.parametrize(
    "said",
    [
        "add bread to the shopping list and remove milk from the shopping list",
        "book lunch on friday at 1 and cancel the dentist",
        "add task buy bread and don't forget the eggs",
    ],
)
def test_two_different_things_are_no_contradiction(said: str) -> None:
    assert proposals(said, **GIVEN)


@pytest.mark.parametrize("said", ["make the idea about the car wash a task", "turn that idea into a task"])
def test_an_idea_is_turned_by_what_it_is_about(said: str) -> None:
    made = proposals(said, **GIVEN)
    assert [(item.op, item.kind) for item in made] == [("create", "todo"), ("archive", "note")]


def test_a_list_is_emptied() -> None:
    (made,) = proposals("clear the shopping list", **GIVEN)
    assert made.fields == {"items": []}
