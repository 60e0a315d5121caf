"""When something ends, what answers a question that waits, and which of several things a correction means."""

from __future__ import annotations

from typing import Any

import pytest

from agents.contract import Pending, Proposal
from agents.ports import Records
from agents.records import Note
from tests.support.asking import changed
from tests.support.readings import BASE, NOW, event, heard_as, proposals_of, task

FAIR = Records(events=[event("street fair", "2026-11-26", end="2026-11-28", all_day=True)])


@pytest.mark.parametrize(
    ("marked", "fields"),
    [
        ("{edit the [g street fair] ends [w on friday 27 november]}", {"end": "2026-11-27"}),
        ("{edit the [g street fair] is over [w on the friday]}", {"end": "2026-11-27"}),
        ("{edit the [g street fair] goes on [w till the sunday]}", {"end": "2026-11-29"}),
        (
            "{edit [g street fair] starts [w on the 25th] and ends [w on the 27th]}",
            {"start": "2026-11-25", "end": "2026-11-27"},
        ),
    ],
)
def test_the_end_of_whole_days_moves_alone(marked: str, fields: dict[str, Any]) -> None:
    (made,) = proposals_of(heard_as(marked, FAIR))
    assert made.fields == fields


def test_a_reminder_that_rang_and_gets_a_new_time_is_open_again() -> None:
    known = Records(todos=[task("ring Odile", kind="reminder", remind_at="2026-11-18T09:00:00+00:00", status="done")])
    (made,) = proposals_of(heard_as("{edit set [g ring Odile] for [w friday at 5pm]}", known))
    assert made.fields == {"remind_at": "2026-11-20T17:00:00+00:00", "status": "not started"}


DRAFT = Proposal(op="update", kind="todo", record_id="wax the skis", fields={"deadline": "2026-11-22"}, reason="asked")
SKIS = Records(todos=[task("wax the skis")])


def about_one(**more: Any) -> Pending:
    asked = "Change “wax the skis”: due Sunday 22 November?"
    return Pending(text="move the skis", missing="proceed", proposals=[DRAFT], asked=asked, at=NOW, **more)


def test_of_one_thing_that_is_asked_about_none_is_picked() -> None:
    decision = heard_as("yes | {pick take [k the first one] for doing the accounts}", SKIS, pending=about_one())
    assert proposals_of(decision) == []


def test_a_yes_that_comes_later_brings_the_question_back() -> None:
    pending = about_one(kept=True)
    decision = heard_as("did | {yes yep}", SKIS, sure=0.4, pending=pending)
    assert proposals_of(decision) == []
    assert [one.text for one in decision.questions] == [pending.asked]


def test_a_reminder_the_day_before_is_of_what_has_a_day() -> None:
    marked = "{event [t recital] is [w saturday at 6]}, {todo [t tell Bo]} and {remind remind me [w the day before]}"
    made = proposals_of(heard_as(marked))
    assert [item.fields.get("task") for item in made if item.fields.get("kind") == "reminder"] == ["recital"]


LATCH = Note.model_validate(
    {"id": "latch", "category": "note", "content": "the latch is broken", "summary": "the latch is broken", **BASE}
)


def test_another_time_is_meant_of_what_has_one() -> None:
    known = Records(todos=[task("order feed", deadline="2026-11-19")], notes=[LATCH])
    lately = [
        changed("order feed", record_id="order feed"),
        changed("the latch is broken", kind="note", record_id="latch"),
    ]
    (made,) = proposals_of(heard_as("did | {fix no, [w by friday]}", known, recent_changes=lately))
    assert (made.record_id, made.fields) == ("order feed", {"deadline": "2026-11-20"})
