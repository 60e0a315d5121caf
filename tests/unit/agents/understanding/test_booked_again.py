"""What was just deleted and is spoken of again: put back at another time, or named in a task about it."""

from __future__ import annotations

from typing import Any

import pytest

from agents.contract import Proposal
from agents.ports import Records
from tests.support.asking import changed
from tests.support.readings import event, heard_as, proposals_of, task

PHYSIO = event("physio", "2026-11-19T10:00:00+00:00", end="2026-11-19T11:00:00+00:00")
GONE = changed("physio", kind="event", record_id="physio", op="delete").model_copy(
    update={"before": PHYSIO.model_dump(mode="json")}
)


def made_after_deletion(marked: str, **more: Any) -> list[Proposal]:
    """Return what a marked message changes after physio was deleted."""
    return proposals_of(heard_as(f"did | {marked}", recent_changes=[GONE], **more))


@pytest.mark.parametrize(
    "marked",
    [
        "{todo [t rebook it] [w for the same time next thursday]}",
        "{more rebook [g it] [w for the same time next thursday]}",
        "{more book [g physio] again [w for thursday the 26th at 10]}",
        "{event [t book that] [w thursday 26 november at ten]}",
    ],
)
def test_it_is_put_back_at_another_time(marked: str) -> None:
    back, moved = made_after_deletion(marked)
    assert (back.op, back.undo_of) == ("undo", GONE.id)
    assert (moved.op, moved.record_id) == ("update", "physio")
    assert moved.fields == {"start": "2026-11-26T10:00:00+00:00", "end": "2026-11-26T11:00:00+00:00"}


def test_at_its_own_time_it_is_only_put_back() -> None:
    (back,) = made_after_deletion("{more book [g it] again [w for tomorrow at 10]}")
    assert back.op == "undo"


@pytest.mark.parametrize(
    "marked",
    ["{todo i need to [t rebook it] [w by friday]}", "{remind remind me to [t rebook it] [w on friday]}"],
)
def test_a_task_about_it_has_its_name(marked: str) -> None:
    (made,) = made_after_deletion(marked)
    assert (made.op, made.fields["task"]) == ("create", "rebook physio")


def test_something_else_about_it_is_new() -> None:
    (made,) = made_after_deletion("{todo [t ask the vet about it] [w on friday]}")
    assert (made.op, made.fields["task"]) == ("create", "ask the vet about it")


def test_the_question_names_what_would_be_put_back() -> None:
    decision = heard_as("did | {more book [g it] again [w for friday at 10]}", sure=0.4, recent_changes=[GONE])
    assert proposals_of(decision) == []
    (asked,) = decision.questions
    assert asked.text.startswith("Undo “physio”? ")
    assert "“it”" not in asked.text


def test_without_a_deletion_nothing_is_put_back() -> None:
    known = Records(todos=[task("call the bank")])
    lately = [changed("call the bank", record_id="call the bank")]
    (made,) = proposals_of(heard_as("did | {todo [t do it] [w thursday]}", known, recent_changes=lately))
    assert made.op != "undo"


@pytest.mark.parametrize("marked", ["{edit no, just move [g it] to [w monday]}", "{fix move [g it] to [w monday]}"])
def test_what_was_deleted_is_moved_instead(marked: str) -> None:
    back, moved = made_after_deletion(marked)
    assert (back.op, moved.op, moved.fields["start"]) == ("undo", "update", "2026-11-23T10:00:00+00:00")
