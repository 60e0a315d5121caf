"""When something ends, what answers a question that waits, and which of several things a correction means."""

from __future__ import annotations

from typing import Any

import pytest

from agents.contract import Pending, Proposal
from agents.ports import Exchange, Records
from agents.records import Note
from agents.understanding.message import decide_reading
from agents.understanding.situation import situation_of
from tests.support.asking import changed
from tests.support.readings import BASE, NOW, ask_for, event, heard_as, proposals_of, read_as, task

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


CLASSES = Records(
    events=[
        event("Class with Odile", "2026-11-18T16:00:00+00:00", end="2026-11-18T17:00:00+00:00"),
        event("Class with Bram", "2026-11-18T18:00:00+00:00", end="2026-11-18T19:00:00+00:00"),
    ]
)


def test_who_was_just_spoken_of_without_a_change_is_meant_by_a_pronoun() -> None:
    lately = [changed("Class with Bram", kind="event", record_id="Class with Bram")]
    spoken = [Exchange(said="Odile can't come today", replied="Good to know.")]
    marked = "did | {edit move [g her] to [w tomorrow same time]}"
    (made,) = proposals_of(heard_as(marked, CLASSES, recent_changes=lately, recent=spoken))
    assert (made.record_id, made.fields["start"]) == ("Class with Odile", "2026-11-19T16:00:00+00:00")


def test_what_was_just_changed_is_meant_where_the_last_message_was_about_it() -> None:
    lately = [changed("Class with Bram", kind="event", record_id="Class with Bram")]
    spoken = [Exchange(said="Odile's after Bram", replied="Moved “Class with Bram” to today, 18:00-19:00.")]
    marked = "did | {edit move [g it] to [w tomorrow same time]}"
    (made,) = proposals_of(heard_as(marked, CLASSES, recent_changes=lately, recent=spoken))
    assert made.record_id == "Class with Bram"


@pytest.mark.parametrize(
    ("marked", "kind", "title"),
    [
        ("{edit the [g quiz night] has been put on [w saturday at 8pm]}", "event", "quiz night"),
        ("{edit [g descale the kettle] had better be [pr urgent]}", "todo", "descale the kettle"),
    ],
)
def test_what_is_not_there_is_offered_by_its_name_alone(marked: str, kind: str, title: str) -> None:
    reading = read_as(marked, 0.9, **{kind: 0.1})
    (question,) = decide_reading(reading, situation_of(ask_for(reading.text))).questions
    (draft,) = question.pending.proposals
    assert (draft.op, draft.kind, draft.fields.get("title") or draft.fields.get("task")) == ("create", kind, title)


def test_who_of_several_has_done_their_part_leaves_the_task() -> None:
    known = Records(todos=[task("collect keys from Ola, Bo and Kit")])
    (made,) = proposals_of(heard_as("{done [g Bo]'s given me his}", known))
    assert (made.op, made.fields) == ("update", {"task": "collect keys from Ola and Kit"})
    then = Records(todos=[task("collect keys from Ola and Kit")])
    lately = [changed("collect keys from Ola and Kit", record_id="collect keys from Ola and Kit", op="update")]
    (made,) = proposals_of(heard_as("did | {more [g Kit] as well}", then, recent_changes=lately))
    assert (made.op, made.fields) == ("update", {"task": "collect keys from Ola"})


def test_all_that_is_named_is_done_as_a_whole() -> None:
    (made,) = proposals_of(heard_as("{done [g Ola and Bo]}", Records(todos=[task("ring Ola and Bo")])))
    assert made.op == "complete"


def test_a_number_alone_takes_the_place_of_the_only_one_in_a_name() -> None:
    lately = [changed("print 40 badges", record_id="print 40 badges")]
    known = Records(todos=[task("print 40 badges")])
    (made,) = proposals_of(heard_as("did | {fix make that [n 65]}", known, recent_changes=lately))
    assert made.fields == {"task": "print 65 badges"}


def test_what_an_appointment_is_may_stand_before_its_verb() -> None:
    (made,) = proposals_of(heard_as("{event [c fittings are] [w on tuesday at 5pm]}"))
    assert (made.fields["title"], made.fields["start"]) == ("fittings", "2026-11-24T17:00:00+00:00")


def test_an_hour_that_stays_is_not_told_as_a_change() -> None:
    lately = [changed("Class with Bram", kind="event", record_id="Class with Bram")]
    (made,) = proposals_of(heard_as("did | {fix [w 6pm] at [p mine]}", CLASSES, recent_changes=lately))
    assert made.fields == {"location": "mine"}


def test_a_bare_no_is_about_the_change_that_was_just_told() -> None:
    lately = [changed("Class with Bram", kind="event", record_id="Class with Bram")]
    spoken = [Exchange(said="bram at six", replied="Moved “Class with Bram” to today, 18:00-19:00.")]
    waits = about_one(kept=True)
    decision = heard_as("did | {no no don't}", CLASSES, recent_changes=lately, recent=spoken, pending=waits)
    assert [(one.op, one.undo_of) for one in proposals_of(decision)] == [("undo", lately[0].id)]


@pytest.mark.parametrize(("asked", "told"), [("tomorrow before noon", ["early"]), ("before noon tomorrow", ["early"])])
def test_before_an_hour_of_another_day_is_of_that_day(asked: str, told: list[str]) -> None:
    hours = {"early": "2026-11-19T09:00:00+00:00", "late": "2026-11-19T15:00:00+00:00"}
    known = Records(
        events=[*(event(name, at) for name, at in hours.items()), event("soon", "2026-11-18T16:00:00+00:00")]
    )
    (target,) = heard_as(f"{{ask/agenda what is on [w {asked}]}}", known).targets
    answers = " ".join(target.proposed.answers if target.proposed else [])
    assert [name for name in ("early", "late", "soon") if name in answers] == told


def test_the_next_of_several_is_the_soonest() -> None:
    (target,) = heard_as("{ask/details when is my next [g class]}", CLASSES).targets
    answers = " ".join(target.proposed.answers if target.proposed else [])
    assert ("Odile" in answers, "Bram" in answers) == (True, False)


def test_a_correction_of_nothing_lists_nothing() -> None:
    decision = heard_as("{fix [w tuesday] then}", Records(todos=[task("buy nails"), task("post parcel")]))
    assert decision.questions == []


def test_a_part_of_what_a_task_joins_is_asked_about_and_a_guest_who_cannot_come_leaves() -> None:
    known = Records(todos=[task("paint door and fence")])
    decision = heard_as("{done [g fence] is painted}", known, sure=0.9)
    assert (proposals_of(decision), decision.questions[0].text) == ([], "Complete “paint door and fence”?")
    walk = Records(events=[event("walk w/ kit and ola", "2026-11-19T15:00:00+00:00")])
    lately = [changed("walk w/ kit and ola", kind="event", record_id="walk w/ kit and ola")]
    (made,) = proposals_of(heard_as("did | {fix [x kit] can't make it}", walk, recent_changes=lately))
    assert made.fields == {"title": "walk w/ ola"}


def test_a_number_of_something_else_is_no_new_name_without_a_yes() -> None:
    lately = [changed("hand in thesis", record_id="hand in thesis")]
    known = Records(todos=[task("hand in thesis")])
    decision = heard_as("did | {fix it's [n 90 pages]}", known, recent_changes=lately)
    assert (proposals_of(decision), len(decision.questions)) == ([], 1)


def test_what_is_not_on_then_is_told_so_and_nothing_else_goes() -> None:
    fencing = event("Fencing", "2026-11-24T18:00:00+00:00", recurrence="FREQ=WEEKLY;BYDAY=TU")
    (target,) = heard_as("{drop skip [g fencing] [v tomorrow]}", Records(events=[fencing])).targets
    assert target.proposed is not None
    assert (target.proposed.proposals, target.proposed.answers) == ([], ["“Fencing” is not on tomorrow."])


def test_a_weekday_for_what_is_weeks_away_is_the_one_next_to_it() -> None:
    known = Records(events=[event("Gala", "2026-12-12T19:00:00+00:00", end="2026-12-12T22:00:00+00:00")])
    (made,) = proposals_of(heard_as("{edit move the [g gala] to [w sunday]}", known))
    assert str(made.fields["start"])[:16] == "2026-12-13T19:00"


def test_that_evening_is_of_what_was_just_spoken_of() -> None:
    known = Records(events=[event("Gala", "2026-12-12T19:00:00+00:00", end="2026-12-12T22:00:00+00:00")])
    lately = [changed("Gala", kind="event", record_id="Gala")]
    marked = "did | {remind [w at 6 that morning] [t press the suit]}"
    (made,) = proposals_of(heard_as(marked, known, recent_changes=lately))
    assert str(made.fields["remind_at"])[:16] == "2026-12-12T06:00"


def test_what_is_to_do_before_something_stored_is_what_is_due_by_then() -> None:
    tasks = [task("hem the gown", deadline="2026-12-10"), task("return the tent", deadline="2026-12-15")]
    known = Records(todos=tasks, events=[event("Gala", "2026-12-12T19:00:00+00:00")])
    (target,) = heard_as("{ask/todos what must I do before the [g gala]}", known).targets
    answers = " ".join(target.proposed.answers if target.proposed else [])
    assert ("hem the gown" in answers, "return the tent" in answers) == (True, False)
