"""What corrects, excepts or adds to what was just done, and what hangs on a question."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agents.contract import Change, Pending, Proposal
from agents.ports import Records
from agents.records import ListItem
from agents.understanding.message import decide_reading
from agents.understanding.situation import situation_of
from agents.understanding.values.days import is_weekday
from tests.support.asking import changed
from tests.support.readings import NOW, ask_for, event, heard_as, proposals_of, read_as, shopping, task

RENT, GEL, INVOICE = (task(name, deadline="2026-11-16") for name in ("pay the rent", "order gel", "send the invoice"))
MOVED = [task(one.task, deadline="2026-11-25") for one in (RENT, GEL, INVOICE)]


def changes_of(*names: str, op: str = "update", **fields: Any) -> list[Change]:
    """The changes of one turn."""
    rows = [changed(name, record_id=name, op=op, place=place) for place, name in enumerate(names)]
    return [row.model_copy(update={"fields": fields or {"deadline": "2026-11-25"}}) for row in rows]


def made_after(changes: list[Change], marked: str, **more: Any) -> list[Proposal]:
    """Return what a marked message changes after these changes."""
    known = Records(todos=MOVED, events=[event("tech rehearsal", "2026-11-20T14:00:00+00:00")])
    return proposals_of(heard_as(f"did | {marked}", **({"records": known} | more), recent_changes=changes))


THREE = changes_of("pay the rent", "order gel", "send the invoice")


def undone(made: list[Proposal]) -> list[str | None]:
    """Return the records whose changes are taken back, where nothing else is."""
    assert {item.op for item in made} == {"undo"}
    return [item.record_id for item in made]


@pytest.mark.parametrize(
    ("marked", "records"),
    [
        ("{fix except [x the rent]}", ["pay the rent"]),
        ("{fix not [x the gel] and not [x the invoice]}", ["send the invoice", "order gel"]),
        ("{fix wait the [g gel] isn't}", ["order gel"]),
        ("{no don't move the gel}", ["order gel"]),
        ("{undo not the gel}", ["order gel"]),
        ("{undo take it all back}", ["send the invoice", "order gel", "pay the rent"]),
        ("{undo all but [x the gel]}", ["send the invoice", "pay the rent"]),
    ],
)
def test_what_is_named_of_several_is_taken_back_alone(marked: str, records: list[str]) -> None:
    assert undone(made_after(THREE, marked)) == records


def test_what_was_cancelled_and_is_named_again_is_put_back() -> None:
    gone = changes_of("tech rehearsal", op="delete")
    assert undone(made_after(gone, "{fix no leave the [g tech]}", records=Records())) == ["tech rehearsal"]


def test_what_is_excepted_as_done_is_put_back_and_done() -> None:
    back, done = made_after(THREE, "{done except [x the rent], that's paid}")
    assert (back.op, back.record_id, done.op, done.record_id) == ("undo", "pay the rent", "complete", "pay the rent")


def test_all_that_was_just_changed_is_not_completed_unasked() -> None:
    decision = heard_as("did | {done [a all] except [x the rent]}", Records(todos=MOVED), recent_changes=THREE)
    assert proposals_of(decision) == []
    assert len(decision.questions) == 1


@pytest.mark.parametrize(
    ("marked", "rule"),
    [
        ("{edit make [g yoga] [w wednesdays] as well}", "FREQ=WEEKLY;BYDAY=WE,SU"),
        ("{edit [g yoga] is on [w wednesdays] too}", "FREQ=WEEKLY;BYDAY=WE,SU"),
        ("{edit [g yoga] is also on [w wednesdays]}", "FREQ=WEEKLY;BYDAY=WE,SU"),
        ("{edit well, [g yoga] is on [w wednesdays]}", "FREQ=WEEKLY;BYDAY=WE"),
        ("{edit [x sundays] are too far off, make [g yoga] [w wednesdays]}", "FREQ=WEEKLY;BYDAY=WE"),
    ],
)
def test_days_are_added_to_a_series_where_words_say_so(marked: str, rule: str) -> None:
    weekly = event("yoga", "2026-11-22T09:00:00+00:00", recurrence="FREQ=WEEKLY;BYDAY=SU")
    (made,) = proposals_of(heard_as(marked, Records(events=[weekly])))
    assert made.fields["recurrence"] == rule


@pytest.mark.parametrize("marked", ["{fix make [g it] [w 11]}", "{fix make [g it] [d 11]}", "{fix no [d 11 minutes]}"])
def test_a_number_corrects_the_minutes_of_a_timer(marked: str) -> None:
    timer = task("pasta", kind="reminder", tags=["timer"], remind_at="2026-11-18T14:29:00+00:00")
    (made,) = made_after(changes_of("pasta", op="create"), marked, records=Records(todos=[timer]))
    assert made.fields == {"remind_at": "2026-11-18T14:31:00+00:00"}


def test_another_day_for_what_was_put_off_is_when_it_comes_back() -> None:
    put_off = changes_of("pay the rent", snooze_until="2026-11-25")
    (made,) = made_after(put_off, "{fix no, [w friday]}")
    assert made.fields == {"snooze_until": "2026-11-27"}  # the friday nearest to the day before


@pytest.mark.parametrize(
    ("marked", "at"),
    [
        ("{fix no [w in the morning]}", "2026-11-19T06:45:00+00:00"),
        ("{fix i meant [w am]}", "2026-11-19T06:45:00+00:00"),
        ("{fix no [w in the afternoon]}", "2026-11-19T15:00:00+00:00"),
        ("{fix no [w tomorrow morning at 8]}", "2026-11-19T08:00:00+00:00"),
    ],
)
def test_a_half_of_the_day_turns_the_hour_over(marked: str, at: str) -> None:
    known = Records(todos=[task("load up", kind="reminder", remind_at="2026-11-19T18:45:00+00:00")])
    (made,) = made_after(changes_of("load up", op="create"), marked, records=known)
    assert made.fields == {"remind_at": at}


def test_a_correction_is_of_what_the_remark_before_names() -> None:
    known = Records(
        todos=[task("email the plot", kind="reminder", remind_at="2026-11-18T18:00:00+00:00")],
        events=[event("meeting with Priya", "2026-11-19T15:00:00+00:00")],
    )
    before = changed("meeting with Priya", kind="event", record_id="meeting with Priya", turn="t0")
    lately = [before, *changes_of("email the plot", op="create")]
    (made,) = made_after(lately, "{remark priya says} {fix can we do [w quarter past 4]}", records=known)
    assert made.record_id == "meeting with Priya"


def test_a_reminder_that_is_called_so_is_the_one_that_rings() -> None:
    ringing = task("load the van", kind="reminder", remind_at="2026-11-19T06:45:00+00:00")
    known = Records(todos=[task("book the van in"), task("fix the van"), ringing])
    (made,) = proposals_of(heard_as("{edit move the [g van reminder] to [w half 7]}", known))
    assert made.record_id == "load the van"


def test_acts_that_come_to_the_same_are_sure_together() -> None:
    reading = read_as("did | {edit make [g it] [w 5pm]}", 0.62, fix=0.35)
    known = Records(events=[event("dentist", "2026-11-20T16:00:00+00:00", end="2026-11-20T16:30:00+00:00")])
    lately = [changed("dentist", kind="event", record_id="dentist")]
    slots = [
        replace(clause, slots=tuple(replace(one, sure=0.99) for one in clause.slots)) for clause in reading.clauses
    ]
    ask = ask_for(reading.text, records=known, recent_changes=lately)
    (made,) = proposals_of(decide_reading(replace(reading, clauses=tuple(slots)), situation_of(ask)))
    assert made.fields["start"] == "2026-11-20T17:00:00+00:00"


def test_what_follows_a_question_does_not_carry_it_out() -> None:
    known = Records(notes=[shopping("shopping", ["milk", "bread"])])
    reading = read_as("{listout take the [i milk] off}, and {list we need [i oats]}")
    first, second = reading.clauses
    unsure = replace(reading, clauses=(replace(first, sure=0.1), second))
    decision = decide_reading(unsure, situation_of(ask_for(reading.text, records=known)))
    assert proposals_of(decision) == []
    (asked,) = decision.questions
    assert asked.text == "Change “shopping” so that milk is off it and oats is on it?"


def test_words_outside_of_slots_tell_that_something_else_is_meant() -> None:
    known = Records(
        todos=[task("write the plan", deadline="2026-11-17")], events=[event("clinic", "2026-11-19T10:30:00+00:00")]
    )
    decision = heard_as("did | {edit the clinic rang, they put us back to [w quarter past eleven]}", known)
    assert proposals_of(decision) == []
    (asked,) = decision.questions
    assert "“clinic”" in asked.text


def test_a_new_name_is_no_other_value_of_what_was_just_made() -> None:
    lately = [changed("chiropodist", kind="event", record_id="chiropodist")]
    known = Records(events=[event("chiropodist", "2026-11-19T14:00:00+00:00")])
    marked = "did | {edit [t his eye drops] want doing [w every night at 9]}"
    made = proposals_of(heard_as(marked, known, recent_changes=lately))
    assert all(item.record_id != "chiropodist" for item in made)


@pytest.mark.parametrize("marked", ["{drop delete the [g sticker]}", "{drop delete the [g ticks]}"])
def test_what_is_only_like_a_word_of_a_longer_name_is_asked_about(marked: str) -> None:
    door = task("the back door sticks")
    decision = heard_as(marked, Records(todos=[door]))
    assert proposals_of(decision) == []
    assert len(decision.questions) == 1


def test_a_slip_in_a_name_is_none_in_a_place() -> None:
    known = Records(events=[event("sewing", "2026-11-24T19:00:00+00:00", location="the hall")])
    decision = heard_as("{drop cancel the [g other call]}", known)
    assert proposals_of(decision) == [] == decision.questions


def test_that_is_done_while_asked_until_when_is_what_was_asked_about() -> None:
    jab = task("book the jab")
    pending = Pending(
        missing="when", text="snooze it", at=NOW, asked="Until when?",
        proposals=[Proposal(op="update", kind="todo", record_id="book the jab", fields={})],
    )  # fmt: skip
    (made,) = proposals_of(heard_as("when | {done that's done}", Records(todos=[jab]), pending=pending))
    assert (made.op, made.record_id) == ("complete", "book the jab")


def test_only_what_is_ticked_is_cleared() -> None:
    items = [{"text": "pyjamas", "done": True}, {"text": "crossword", "done": False}]
    packing = shopping("packing", []).model_copy(update={"items": [ListItem.model_validate(one) for one in items]})
    decision = heard_as("{listout clear the [st ticked] ones off the [l packing] list}", Records(notes=[packing]))
    assert [one.text for one in decision.questions] == ["Take pyjamas off “packing”?"]


def test_several_lines_for_one_are_asked_about() -> None:
    known = Records(notes=[shopping("shopping", ["oat milk", "goat milk", "green apples", "red apples"])])
    decision = heard_as("{listout take the [i milk] off}", known)
    assert proposals_of(decision) == []
    assert [one.text for one in decision.questions] == ["Change “shopping” so that oat milk and goat milk are off it?"]
    (made,) = proposals_of(heard_as("{listout take the [i apples] off}", known))
    assert [line["text"] for line in made.fields["items"]] == ["oat milk", "goat milk"]


def test_a_fact_of_somebody_else_is_a_note() -> None:
    (made,) = proposals_of(heard_as("{fact dad's [fother allergic to penicillin]}"))
    assert (made.kind, made.fields["content"]) == ("note", "dad's allergic to penicillin")
    (made,) = proposals_of(heard_as("{fact i am [fother allergic to penicillin]}"))
    assert made.kind == "profile"


def test_all_but_one_of_two_is_picked_without_much_certainty() -> None:
    known = Records(todos=[task("ring Gary about the gutter"), task("ring Gary about the damp")])
    asked = heard_as("{done i've rung [g Gary]}", known).questions[0].pending
    said = "which | {pick not the [x gutter]}, {remark he's coming on friday}"
    (made,) = proposals_of(heard_as(said, known, sure=0.8, pending=asked))
    assert (made.op, made.record_id) == ("complete", "ring Gary about the damp")


def test_words_for_a_state_that_tell_which_give_no_state() -> None:
    known = Records(todos=[RENT, GEL])
    made = proposals_of(heard_as("{edit move [a everything] that's [st overdue] to [w monday]}", known))
    assert [item.fields for item in made] == [{"deadline": "2026-11-23"}] * 2


def test_an_hour_on_the_day_of_something_is_kept() -> None:
    known = Records(events=[event("winter concert", "2026-12-12T19:00:00+00:00")])
    (made,) = proposals_of(heard_as("{event [t sound check] [w on the day of the concert at 5 pm]}", known))
    assert made.fields["start"] == "2026-12-12T17:00:00+00:00"


def test_a_word_of_courtesy_before_a_correction_takes_nothing_back() -> None:
    known = Records(events=[event("survey", "2026-11-20T12:30:00+00:00", end="2026-11-20T13:30:00+00:00")])
    lately = [changed("survey", kind="event", record_id="survey")]
    made = proposals_of(heard_as("did | {fix please} {fix move [g it] to [w 4pm]}", known, recent_changes=lately))
    assert [item.op for item in made] == ["update"]


def test_other_weekdays_keep_the_end_of_a_series() -> None:
    known = Records(
        events=[event("tutor", "2026-11-19T18:00:00+00:00", recurrence="FREQ=WEEKLY;BYDAY=TH;UNTIL=20261225")]
    )
    (made,) = proposals_of(heard_as("{edit the [g tutor] is [w wednesdays]}", known))
    assert made.fields["recurrence"] == "FREQ=WEEKLY;BYDAY=WE;UNTIL=20261225"


def test_hours_behind_a_month_are_no_days_of_it() -> None:
    marked = "{event [w every tuesday from january] i'm on the [t late shift], [w 1 till 8]}"
    (made,) = proposals_of(heard_as(marked))
    assert made.fields["recurrence"] == "FREQ=WEEKLY;BYDAY=TU"
    assert (made.fields["start"][11:16], made.fields["end"][11:16]) == ("13:00", "20:00")


def test_what_is_named_outside_of_slots_is_dropped_rather_than_the_last() -> None:
    lately = [changed("mock exams", kind="event", record_id="mock exams")]
    known = Records(
        events=[
            event("parents' evening", "2026-11-24T18:00:00+00:00"),
            event("mock exams", "2026-12-11T09:00:00+00:00"),
        ]
    )
    decision = heard_as("did | {drop he goes to parents' evening so i don't need it}", known, recent_changes=lately)
    assert proposals_of(decision) == []
    (asked,) = decision.questions
    assert "“parents' evening”" in asked.text


@pytest.mark.parametrize(
    ("start", "to", "hour"),
    [("16", "8", "20"), ("17", "9", "21"), ("15", "7", "19"), ("18", "10", "10"), ("20", "10", "22")],
)
def test_a_bare_hour_is_of_the_half_of_the_day_that_lies_nearer(start: str, to: str, hour: str) -> None:
    known = Records(events=[event("film", f"2026-11-20T{start}:00:00+00:00")])
    (made,) = proposals_of(heard_as(f"{{edit move the [g film] to [w {to}]}}", known))
    assert made.fields["start"] == f"2026-11-20T{hour}:00:00+00:00"


def test_a_reminder_that_comes_again_or_late_stays_when_its_task_is_done() -> None:
    def ids_completed(**reminder: str) -> list[str | None]:
        rings = task("call mum", kind="reminder", **reminder).model_copy(update={"id": "reminder"})
        known = Records(todos=[task("call mum"), rings])
        return [item.record_id for item in proposals_of(heard_as("{done i've [g called mum]}", known))]

    assert ids_completed(remind_at="2026-11-19T18:00:00+00:00") == ["call mum", "reminder"]
    assert ids_completed(remind_at="2027-06-01T18:00:00+00:00") == ["call mum"]
    assert ids_completed(remind_at="2026-11-19T18:00:00+00:00", recurrence="FREQ=DAILY") == []


def test_what_was_just_told_is_cancelled_by_it() -> None:
    lately = [changed("lunch with Ada", kind="event", record_id="lunch with Ada")]
    known = Records(events=[event("lunch with Ada", "2026-11-20T13:00:00+00:00")])
    (made,) = proposals_of(heard_as("did | {drop cancel [g it]}", known, recent_changes=lately))
    assert (made.op, made.record_id) == ("delete", "lunch with Ada")
    (made,) = proposals_of(heard_as("{drop cancel the [g luch]}", known))
    assert made.op == "delete"


@pytest.mark.parametrize("said", ["the morning of the recital", "the week after"])
def test_time_words_that_nothing_reads_are_not_today(said: str) -> None:
    decision = heard_as(f"{{remind remind me [w {said}] to [t bring the form]}}")
    assert all("2026-11-18" not in str(item.fields.get("remind_at")) for item in proposals_of(decision))


def test_a_deadline_is_set_after_a_snooze() -> None:
    put_off = changes_of("pay the rent", snooze_until="2026-11-25")
    (made,) = made_after(put_off, "{fix no, due [w friday]}")
    assert list(made.fields) == ["deadline"]


def test_the_same_for_another_day_puts_nothing_back() -> None:
    gym = event("gym", "2026-11-19T18:00:00+00:00")
    gone = changed("gym", kind="event", record_id="gym", op="delete").model_copy(
        update={"before": gym.model_dump(mode="json")}
    )
    made = proposals_of(heard_as("did | {more also [w friday]}", recent_changes=[gone]))
    assert all(item.op != "undo" for item in made)
    made = proposals_of(heard_as("did | {event [t discuss it] [w friday at 3]}", recent_changes=[gone]))
    assert [item.op for item in made] == ["create"]


def test_late_tasks_are_those_that_are_over() -> None:
    decision = heard_as("{drop delete [a all] the [g late] tasks}", Records(todos=[RENT, GEL]))
    assert {item.record_id for one in decision.questions if one.pending for item in one.pending.proposals} == {
        "pay the rent", "order gel",
    }  # fmt: skip


def test_with_somebody_else_takes_nothing_back() -> None:
    lately = [changed("lunch with Bob", kind="event", record_id="lunch with Bob", op="update")]
    made = proposals_of(heard_as("did | {fix no, with [x Bob]}", recent_changes=lately))
    assert all(item.op != "undo" for item in made)


def test_a_weekday_is_no_word_that_begins_like_one() -> None:
    words = ("the saturday", "thurs", "mondays", "the wedding", "months", "the sunset")
    assert [word for word in words if is_weekday(word)] == ["the saturday", "thurs", "mondays"]


@pytest.mark.parametrize(("said", "day"), [("the monday after", "2026-11-23"), ("the week after", "2026-11-27")])
def test_a_move_counts_from_its_own_day(said: str, day: str) -> None:
    known = Records(events=[event("film", "2026-11-20T16:00:00+00:00")])
    (made,) = proposals_of(heard_as(f"{{edit move the [g film] to [w {said}]}}", known))
    assert made.fields["start"][:10] == day


def test_a_month_is_no_monday() -> None:
    known = Records(events=[event("film", "2026-11-20T16:00:00+00:00")])
    decision = heard_as("{edit move the [g film] to [w the month after]}", known)
    drafts = [item for one in decision.questions if one.pending for item in one.pending.proposals]
    assert all("2026-11-23" not in str(item.fields) for item in [*proposals_of(decision), *drafts])
