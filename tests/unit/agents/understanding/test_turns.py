"""What a message means after the ones before it: questions that wait, undo, corrections."""

from __future__ import annotations

from typing import Any

import pytest

from agents.contract import Pending, Proposal
from agents.mind.message import understand
from tests.support.asking import ask, changed, decide, proposals

CALLS = [
    {"title": "Call with Rui", "start": "2026-11-19T10:00"},
    {"title": "Call with Eva", "start": "2026-11-20T10:00"},
]
TODO = [{"task": "fix the hinge", "deadline": "2026-11-20"}]


def waiting(text: str, **given: Any) -> Pending:
    return decide(text, **given).questions[0].pending


@pytest.mark.parametrize(
    ("said", "ids"),
    [("eva", ["event-2"]), ("the first one", ["event-1"]), ("both", ["event-1", "event-2"]), ("2", ["event-2"])],
)
def test_a_choice_is_made_by_name_number_or_all(said: str, ids: list[str]) -> None:
    made = proposals(said, pending=waiting("cancel the call", events=CALLS), events=CALLS)
    assert [(item.op, item.record_id) for item in made] == [("delete", record_id) for record_id in ids]


def test_a_time_fills_the_question() -> None:
    made = proposals("friday at ten", pending=waiting("put a meeting with Eva on my calendar"))
    assert [item.fields for item in made] == [{"title": "meeting with Eva", "start": "2026-11-20T10:00:00+00:00"}]


@pytest.mark.parametrize(("said", "count"), [("yes please", 1), ("go ahead", 1), ("no", 0)])
def test_a_yes_proceeds_and_a_no_leaves_it(said: str, count: int) -> None:
    pending = waiting("delete all my tasks", todos=TODO)
    assert len(proposals(said, pending=pending, todos=TODO)) == count


def test_another_message_drops_the_question() -> None:
    made = proposals("add glue", pending=waiting("cancel the call", events=CALLS), events=CALLS)
    assert [(item.op, item.fields["task"]) for item in made] == [("create", "glue")]


def test_uncertain_speech_is_understood_after_a_yes_at_its_own_time() -> None:
    pending = Pending(missing="transcript", text="ring granny tomorrow", at=ask("", now="2026-11-10T09:00:00").at)
    assert proposals("yes", pending=pending)[0].fields["deadline"] == "2026-11-11"
    assert understand(ask("no", pending=pending)).acknowledgement == "Okay, I leave it."


def two_changes() -> list[Any]:
    return [changed("oil the gate"), changed("fix the hinge", record_id="todo-2", place=1)]


@pytest.mark.parametrize(
    ("said", "ids"),
    [
        ("undo that", ["t1-1-create", "t1-0-create"]),
        ("undo just the second one", ["t1-1-create"]),
        ("undo the last one", ["t1-1-create"]),
        ("undo both", ["t1-1-create", "t1-0-create"]),
        ("undo the gate", ["t1-0-create"]),
    ],
)
def test_undo_reverts_the_changes_meant(said: str, ids: list[str]) -> None:
    made = proposals(said, changes=two_changes())
    assert [(item.op, item.undo_of) for item in made] == [("undo", change) for change in ids]


def test_redo_undoes_the_undo() -> None:
    undone = changed("oil the gate", op="undo", place=2)
    assert [item.undo_of for item in proposals("redo that", changes=[*two_changes(), undone])] == [undone.id]


def test_nothing_to_undo_is_said() -> None:
    assert proposals("undo that") == []


@pytest.mark.parametrize(
    ("said", "fields"),
    [
        ("no, thursday", {"deadline": "2026-11-19"}),
        ("actually it's monday not friday", {"deadline": "2026-11-23"}),
        ("make it 4pm", {"deadline": "2026-11-20T16:00:00+00:00"}),
        ("I meant latch not hinge", {"task": "fix the latch"}),
    ],
)
def test_corrections_change_the_last_record(said: str, fields: dict[str, Any]) -> None:
    made: list[Proposal] = proposals(said, todos=TODO, changes=[changed("fix the hinge")])
    assert [(item.op, item.record_id, item.fields) for item in made] == [("update", "todo-1", fields)]


def test_a_correction_without_a_change_to_correct_is_none() -> None:
    assert proposals("no, thursday") == []


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("remind me at 6pm to feed the cat", "feed the cat"),
        ("remind me tomorrow at 9 to pay rent", "pay rent"),
        ("at 6pm", "call bob"),
        ("remind me at 6pm", "call bob"),
        ("remind me at 6pm to call him, bob I mean", "call bob"),
        ("remind me tomorrow at 9 to do it", "call bob"),
        ("water the garden tomorrow at 9", "water the garden"),
        ("make it tomorrow at 9", "call bob"),
        ("let's say tomorrow at 9", "call bob"),
    ],
)
def test_another_wish_is_no_answer_to_when(text: str, task: str) -> None:
    draft = Proposal(op="create", kind="todo", fields={"kind": "reminder", "task": "call bob"})
    asked = Pending(missing="when", text="remind me to call bob", at=ask("").at, proposals=[draft])
    targets = understand(ask(text, pending=asked)).targets
    drafts = [item for target in targets if target.proposed for item in target.proposed.proposals]
    assert [item.fields["task"] for item in drafts] == [task]
