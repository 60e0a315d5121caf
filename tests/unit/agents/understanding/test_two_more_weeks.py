"""What two more weeks of messages showed: hours in short, rounds elsewhere, lines reworded, remarks and answers."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from agents.contract import Change, Option, Pending, Proposal
from agents.ports import Records
from agents.records import Profile
from agents.understanding.message import decide_reading
from agents.understanding.records.lists import reword_line
from agents.understanding.situation import situation_of
from tests.support.readings import NOW, ask_for, event, heard_as, proposals_of, read_as, shopping, task

EVENINGS = {"end": "2026-11-19T21:30:00+00:00", "recurrence": "FREQ=WEEKLY;BYDAY=TH", "location": "Gwen's"}
CHOIR = Records(
    events=[
        event("rehearsal", "2026-11-19T19:30:00+00:00", **EVENINGS),
        event("dinner", "2026-11-20T19:30:00+00:00", end="2026-11-20T21:00:00+00:00"),
        event("survey", "2026-11-20T12:30:00+00:00", end="2026-11-20T13:30:00+00:00"),
    ]
)


def first(marked: str, records: Records | None = None, **more: Any) -> dict[str, Any]:
    """Return the fields of the first change."""
    return proposals_of(heard_as(marked, records, **more))[0].fields


@pytest.mark.parametrize(
    ("said", "start"),
    [
        ("4.15 friday", "2026-11-20T16:15:00+00:00"),
        ("10.15 friday", "2026-11-20T10:15:00+00:00"),
        ("friday 7.40", "2026-11-20T07:40:00+00:00"),
        ("16.15 friday", "2026-11-20T16:15:00+00:00"),
        ("friday at 5 20", "2026-11-20T17:20:00+00:00"),
    ],
)
def test_hours_with_a_dot_are_read_whole(said: str, start: str) -> None:
    assert first(f"{{event [t fitting] [w {said}]}}")["start"] == start


def test_a_move_to_an_hour_with_a_dot_keeps_the_half_of_the_day() -> None:
    assert first("{edit move [g survey] to [w 1.20]}", CHOIR)["start"] == "2026-11-20T13:20:00+00:00"


@pytest.mark.parametrize(
    "marked",
    [
        "{edit [v tomorrow's] [g rehearsal] is at [p Hamish's]}",
        "{edit [g rehearsal] is at [p Hamish's] [w tomorrow]}",
        "{edit [g rehearsal] is at [p Hamish's] [w tomorrow evening]}",
    ],
)
def test_the_place_of_one_round_leaves_the_series_and_its_hour_alone(marked: str) -> None:
    apart, own = proposals_of(heard_as(marked, CHOIR))
    assert apart.fields == {"exdates": ["2026-11-19"]}
    assert (own.op, own.fields["location"]) == ("create", "Hamish's")
    assert (own.fields["start"], own.fields["end"]) == ("2026-11-19T19:30:00+00:00", "2026-11-19T21:30:00+00:00")


def test_tonight_is_the_day_of_what_takes_place_then() -> None:
    tonight = event("rehearsal", "2026-11-18T19:30:00+00:00", end="2026-11-18T21:30:00+00:00")
    marked = "{edit [v tonight's] [g rehearsal] is at [p Hamish's]}"
    assert first(marked, Records(events=[tonight])) == {"location": "Hamish's"}


@pytest.mark.parametrize(
    ("to", "start"),
    [
        ("saturday evening", "2026-11-21T19:30:00+00:00"),
        ("saturday morning", "2026-11-21T09:00:00+00:00"),
        ("saturday evening at 8", "2026-11-21T20:00:00+00:00"),
    ],
)
def test_what_moves_to_the_same_part_of_another_day_keeps_its_hour(to: str, start: str) -> None:
    assert first(f"{{edit move [g dinner] to [w {to}]}}", CHOIR)["start"] == start


@pytest.mark.parametrize(("before", "level"), [("[pr urgent]!!", "priority"), ("[df easy] one:", "difficulty")])
def test_how_urgent_or_hard_a_task_is_may_be_said_before_it(before: str, level: str) -> None:
    decision = heard_as(f"{{todo {before}}} {{todo [t ring the bank]}}")
    (made,) = proposals_of(decision)
    assert (made.fields["task"], made.fields[level], decision.questions) == (
        "ring the bank",
        "high" if level == "priority" else "easy",
        [],
    )


def test_an_hour_said_twice_is_one_time_and_no_end() -> None:
    marked = "{edit [g survey] got bumped to [w four thirty] yeah it's [w four thirty] and it's over at [p the mill]}"
    fields = first(marked, CHOIR)
    assert (fields["start"], fields["end"]) == ("2026-11-20T16:30:00+00:00", "2026-11-20T17:30:00+00:00")


def test_a_number_before_a_month_is_its_day() -> None:
    records = Records(todos=[task("chapter 3")])
    assert (
        first("{edit [g chapter 3] is [st in progress] [w from today], due [w 9 October]}", records)["deadline"]
        == "2027-10-09"
    )


def test_what_is_put_off_till_a_day_is_on_it() -> None:
    assert first("{edit give the [g survey] [w till tuesday]}", CHOIR)["start"] == "2026-11-24T12:30:00+00:00"


@pytest.mark.parametrize(
    ("before", "at"),
    [("the evening before", "2026-11-26T19:00:00+00:00"), ("the night before", "2026-11-26T20:00:00+00:00")],
)
def test_the_evening_before_what_was_just_booked_has_its_hour(before: str, at: str) -> None:
    marked = f"{{event [t vaccines] [w on the 27th at 3pm]}}, {{remind remind me [w {before}]}}"
    assert proposals_of(heard_as(marked))[1].fields["remind_at"] == at


@pytest.mark.parametrize(
    ("marked", "start"),
    [
        ("{event starting in february i [t teach Hettie] [w every wednesday at 5.30pm]}", "2027-02-03T17:30:00+00:00"),
        ("{event [w from] next month i [t teach Hettie] [w every wednesday at 5]}", "2026-12-02T17:00:00+00:00"),
        ("{event i [t teach Hettie] [w every wednesday at 5pm]}", "2026-11-18T17:00:00+00:00"),
    ],
)
def test_a_series_begins_when_its_clause_says_though_no_slot_has_it(marked: str, start: str) -> None:
    assert first(marked)["start"] == start


@pytest.mark.parametrize(
    ("said", "name", "value"),
    [
        ("every thursday before noon", "remind_at", "2026-11-19T12:00:00+00:00"),
        ("every wednesday before noon", "remind_at", "2026-11-25T12:00:00+00:00"),
        ("every wednesday before 6pm", "remind_at", "2026-11-18T18:00:00+00:00"),
    ],
)
def test_a_series_that_is_due_by_an_hour_rings_then(said: str, name: str, value: str) -> None:
    fields = first(f"{{remind remind me to [t send payroll] [w {said}]}}")
    assert (fields["recurrence"][:11], fields[name]) == ("FREQ=WEEKLY", value)


def test_a_series_is_due_by_the_hour_that_is_said() -> None:
    assert first("{todo [t send payroll] [w every friday by noon]}")["deadline"] == "2026-11-20T12:00:00+00:00"


BAGS = shopping("builders list", ["20 bags of cement", "two rolls of dpc"])
ADDED = Change.model_validate(
    {
        "id": "c1", "cursor": 1, "turn_id": "t1", "agent": "", "seq": 0, "op": "update", "kind": "note",
        "record_id": BAGS.id, "title": "builders list", "fields": {}, "status": "applied", "created_at": NOW,
        "before": {"items": []}, "after": {},
    }
)  # fmt: skip


def lines_after(marked: str) -> list[str]:
    """Return the lines of the list afterwards."""
    fields = first(marked, Records(notes=[BAGS]), recent_changes=[ADDED])
    return [line["text"] for line in fields["items"]]


def test_another_number_of_bags_leaves_what_is_in_them() -> None:
    assert set(lines_after("did | {fix and make [g it] [n thirty bags]}")) == {
        "thirty bags of cement",
        "two rolls of dpc",
    }
    assert lines_after("did | {edit the [i cement] is meant to be [n thirty bags]}")[0] == "thirty bags of cement"
    assert lines_after("did | {edit the [i cement] is meant to be [n sand]}")[0] == "sand"


def test_it_is_no_line_of_a_list() -> None:
    assert not proposals_of(
        heard_as("did | {fix make [g it] [n purple]}", Records(notes=[BAGS]), recent_changes=[ADDED])
    )


@pytest.mark.parametrize(
    ("unsure", "questions", "lines"), [(0, 0, {"oat milk", "stamps"}), (1, 1, {"oat milk", "twine", "stamps"})]
)
def test_a_question_is_not_asked_about_what_a_later_change_has_made(
    unsure: int, questions: int, lines: set[str]
) -> None:
    records = Records(notes=[shopping("shopping", ["oat milk", "twine"])])
    reading = read_as("{list add [i stamps]} and {listout take the [i twine] off}")
    clauses = [replace(one, sure=0.03) if at == unsure else one for at, one in enumerate(reading.clauses)]
    decision = decide_reading(
        replace(reading, clauses=tuple(clauses)), situation_of(ask_for(reading.text, records=records))
    )
    (made,) = proposals_of(decision)
    assert ({line["text"] for line in made.fields["items"]}, len(decision.questions)) == (lines, questions)


SAND = Proposal(
    op="update", kind="note", record_id=BAGS.id, reason="you changed a line",
    fields={"items": [{"text": "thirty bags of sand", "done": False}]},
)  # fmt: skip
ASKED = "Change “builders list” so that thirty bags of sand is on it?"


def question_about(draft: Proposal, words: str = ASKED) -> Pending:
    """Return the question whether a change is meant."""
    return Pending(missing="proceed", text="", at=NOW, asked=words, proposals=[draft])


@pytest.mark.parametrize(
    "marked",
    [
        "yes | {fix [w thursdays] still grand though}",
        "yes | {fix [w thursday] is fine though}",
        "yes | {no still need the string mind}",
    ],
)
def test_a_remark_behind_a_question_changes_nothing_and_leaves_it_open(marked: str) -> None:
    decision = heard_as(marked, Records(notes=[BAGS]), pending=question_about(SAND), recent_changes=[ADDED])
    assert (proposals_of(decision), decision.answered) == ([], False)


@pytest.mark.parametrize("marked", ["yes | {no nah leave it}", "yes | {no no not the sand}"])
def test_a_no_in_other_words_still_is_one(marked: str) -> None:
    assert heard_as(marked, Records(notes=[BAGS]), pending=question_about(SAND)).answered


def test_what_is_asked_about_can_still_be_told_another_time() -> None:
    draft = Proposal(op="create", kind="todo", fields={"task": "order skip"}, reason="you asked for it")
    pending = question_about(draft, "Add “order skip”?")
    made = first("yes | {fix yes but by [w friday]}", Records(todos=[task("order clay")]), pending=pending)
    assert made["deadline"] == "2026-11-20"


def change_of(name: str, at: int) -> Change:
    """Return a change of an appointment, made so many minutes before."""
    return ADDED.model_copy(
        update={
            "id": f"{name} {at}", "turn_id": f"t{at}", "kind": "event", "record_id": name, "title": name,
            "created_at": NOW - timedelta(minutes=at),
            "before": event(name, "2026-11-20T12:30:00+00:00").model_dump(mode="json"),
        }
    )  # fmt: skip


@pytest.mark.parametrize(
    ("marked", "undone"),
    [
        ("did | {undo undo [k the survey move]}", "survey 5"),
        ("did | {undo undo [g the survey] move}", "survey 5"),
        ("did | {undo undo [g survey]}", "survey 5"),
        ("did | {undo undo [g the move of the boxes]}", "move the boxes 8"),
    ],
)
def test_undo_takes_back_the_newest_change_of_a_name(marked: str, undone: str) -> None:
    before = [
        change_of("survey", 9),
        change_of("move the boxes", 8),
        change_of("survey of the roof", 7),
        change_of("survey", 5),
    ]
    records = Records(events=[event(name, "2026-11-20T12:30:00+00:00") for name in ("survey", "move the boxes")])
    (back,) = proposals_of(heard_as(marked, records, recent_changes=[*before, change_of("dinner", 1)]))
    assert back.undo_of == undone


def test_the_earlier_of_two_reminders_is_the_one_that_rings_first() -> None:
    tasks = [
        task("ring Ada", remind_at="2026-11-20T15:00:00+00:00"),
        task("ring Bo", remind_at="2026-11-19T15:00:00+00:00"),
    ]
    options = [Option(label=one.task, kind="todo", record_id=one.id) for one in tasks]
    drafts = [Proposal(op="delete", kind="todo", record_id=one.id) for one in tasks]
    pending = Pending(missing="which", text="", at=NOW, proposals=drafts, options=options)
    (gone,) = proposals_of(heard_as("which | {pick [k the earlier one]}", Records(todos=tasks), pending=pending))
    assert gone.record_id == "ring Bo"


DOGS = Records(
    todos=[task("walk the dogs", deadline="2026-11-18T16:15:00+00:00", recurrence="FREQ=DAILY", zone="Europe/Lisbon")]
)


def answers_of(marked: str, records: Records) -> str:
    """Return what is answered."""
    decision = heard_as(marked, records)
    return " ".join(one for target in decision.targets if target.proposed for one in target.proposed.answers)


def test_later_rounds_of_a_task_are_due_on_their_days() -> None:
    assert "walk the dogs" in answers_of("{ask/agenda what's on [w friday]}", DOGS)
    weekly = task("ring Ada", deadline="2026-11-18", recurrence="FREQ=WEEKLY;BYDAY=WE")
    assert "ring Ada" not in answers_of("{ask/agenda what's on [w friday]}", Records(todos=[weekly]))
    assert "ring Ada" in answers_of("{ask/agenda what's on [w next wednesday]}", Records(todos=[weekly]))


def test_what_comes_again_then_is_not_said_to_be_another_day() -> None:
    assert "comes again then" in answers_of("{drop no [g dog walk] [v on friday]}", DOGS)


@pytest.mark.parametrize("then", ["next thursdays", "next thursday's"])
def test_one_round_is_meant_where_an_apostrophe_is_missing(then: str) -> None:
    series = event("rehearsal", "2026-11-19T19:30:00+00:00", **EVENINGS)
    made = proposals_of(heard_as(f"{{edit [v {then}] [g rehearsal] is [w at 8]}}", Records(events=[series])))
    assert [one.op for one in made] == ["update", "create"]
    assert made[0].fields == {"exdates": ["2026-11-26"]}


def test_an_hour_in_place_of_its_full_one_stays_whole() -> None:
    assert first("{edit make the [g survey] [w half 1] not [x 1]}", CHOIR)["start"] == "2026-11-20T13:30:00+00:00"


def test_two_reminders_count_from_the_same_thing() -> None:
    far = Records(events=[event("wedding", "2027-04-24", all_day=True)])
    marked = "{remind [w 3 days before the wedding] to [t press]} and {remind [w a week before] to [t order flowers]}"
    assert [str(one.fields["remind_at"])[:10] for one in proposals_of(heard_as(marked, far))] == [
        "2027-04-21",
        "2027-04-17",
    ]


def test_what_counts_back_into_the_past_is_asked_about() -> None:
    marked = "{event [t fitting] [w two weeks before the survey at 11am]}"
    decision = heard_as(marked, CHOIR)
    assert (proposals_of(decision), len(decision.questions)) == ([], 1)


def test_only_new_facts_are_asked_about() -> None:
    known = Profile.model_validate({"id": "profile", "facts": {"locker": "417"}, "created_at": NOW, "updated_at": NOW})
    (asked_,) = heard_as("{fact [fother Bev is allergic to sesame]}", Records(profile=known), sure=0.03).questions
    assert "sesame" in asked_.text
    assert "417" not in asked_.text


@pytest.mark.parametrize(
    ("marked", "content"),
    [
        ("{note note: [c the drain is blocked again]} and {remark the council has not been}", True),
        ("{note note: [c the drain is blocked again]}. {remark and the council has not been}", False),
        ("{note note: [c the drain is blocked again]}, {remark i am cross}", False),
    ],
)
def test_a_note_goes_on_where_its_sentence_does(marked: str, content: bool) -> None:  # noqa: FBT001 - a case
    kept = first(marked)["content"]
    assert kept == "the drain is blocked again" + " and the council has not been" * content


def test_two_parts_of_one_task_are_done_once() -> None:
    records = Records(todos=[task("order flour and milk")])
    decision = heard_as("{done ordered the [g flour]} and {done [g milk]}", records)
    assert "already" not in " ".join(
        one for target in decision.targets if target.proposed for one in target.proposed.answers
    )


def test_days_of_all_that_is_moved_tell_which() -> None:
    tasks = [
        task("rota", deadline="2026-11-22"),
        task("vat", deadline="2026-11-23"),
        task("form", deadline="2026-11-20"),
        task("roof"),
    ]
    made = proposals_of(
        heard_as("{edit push [a all] the tasks due [w sunday and monday] to [w wednesday]}", Records(todos=tasks))
    )
    assert [(one.record_id, one.fields["deadline"]) for one in made] == [("rota", "2026-11-25"), ("vat", "2026-11-25")]


def test_a_day_of_something_else_is_no_second_appointment() -> None:
    made = proposals_of(heard_as("{event [t interview with Dylan] [w for the saturday] job [w friday at 3]}"))
    assert [one.fields["start"] for one in made] == ["2026-11-20T15:00:00+00:00"]


@pytest.mark.parametrize(
    ("last", "new"), [("vet for Mabel", "vet for Biscuit"), ("tea with Mabel", "tea with Biscuit"), ("yoga", "Biscuit")]
)
def test_the_same_for_somebody_else_keeps_what_it_is(last: str, new: str) -> None:
    booked = event(last, "2026-11-20T14:00:00+00:00", end="2026-11-20T14:30:00+00:00")
    done = change_of(last, 1).model_copy(
        update={"op": "create", "before": None, "fields": {"title": last, "location": "the mill"}}
    )
    fields = first(
        "did | {more and the same for [t Biscuit] [w at 3]}", Records(events=[booked]), recent_changes=[done]
    )
    assert (fields["title"], fields["start"], fields["location"]) == (new, "2026-11-20T15:00:00+00:00", "the mill")


def test_what_rings_now_is_what_is_snoozed() -> None:
    tasks = [task("ring Ada", kind="reminder", remind_at="2026-11-18T14:15:00+00:00"), task("roof")]
    records = Records(todos=tasks, events=[event("lunch", "2026-11-20T14:00:00+00:00")])
    (made,) = proposals_of(
        heard_as("did | {snooze snooze [g that] [w for 40 minutes]}", records, recent_changes=[change_of("lunch", 1)])
    )
    assert (made.record_id, made.fields) == ("ring Ada", {"snooze_until": "2026-11-18T15:00:00+00:00"})


@pytest.mark.parametrize(
    ("said", "title"),
    [("the electric bill", "pay the electric bill tonight"), ("the boat", None), ("the water and electric bill", None)],
)
def test_another_word_before_the_same_noun_corrects_what_was_just_made(said: str, title: str | None) -> None:
    records = Records(todos=[task("ring Ada"), task("pay the gas bill tonight")])
    made = {"op": "create", "kind": "todo", "before": None, "turn_id": "t"}
    done = [change_of(one.task, 1).model_copy(update=made | {"record_id": one.id}) for one in records.todos]
    found = proposals_of(heard_as(f"did | {{fix i meant [k {said}]}}", records, recent_changes=done))
    assert [(one.record_id, one.fields) for one in found] == (
        [("pay the gas bill tonight", {"task": title})] if title else []
    )


def test_the_edge_of_a_part_of_the_day_is_another_hour_of_the_same_day() -> None:
    assert first("{edit move [g dinner] to [w late evening]}", CHOIR)["start"] == "2026-11-20T19:00:00+00:00"


def test_hours_with_their_part_of_the_day_leave_the_day_alone() -> None:
    fields = first("{edit [g survey] is [w 9.40 till 10.10 in the morning]}", CHOIR)
    assert (fields["start"], fields["end"]) == ("2026-11-20T09:40:00+00:00", "2026-11-20T10:10:00+00:00")


def test_what_this_message_made_is_snoozed_rather_than_what_rang() -> None:
    records = Records(todos=[task("ring Ada", kind="reminder", remind_at="2026-11-18T14:15:00+00:00")])
    made = proposals_of(heard_as("{todo add [t fix the roof]} and {snooze snooze [g that] [w till monday]}", records))
    assert all(one.record_id != "ring Ada" for one in made)


def test_a_line_that_may_be_taken_off_is_still_asked_about() -> None:
    records = Records(notes=[shopping("shopping", ["oat milk", "twine"])])
    reading = read_as("{listout take the [i twine] off} and {list add [i stamps]}")
    clauses = (replace(reading.clauses[0], sure=0.03), reading.clauses[1])
    ask = ask_for(reading.text, records=records)
    assert len(decide_reading(replace(reading, clauses=clauses), situation_of(ask)).questions) == 1


@pytest.mark.parametrize(
    ("made", "said", "title"),
    [
        ("pay bill", "the electric bill", "pay electric bill"),
        ("lunch with ben", "uncle ben", "lunch with uncle ben"),
        ("call mum", "anna's mum", "call anna's mum"),
    ],
)
def test_a_correction_keeps_verbs_and_prepositions(made: str, said: str, title: str) -> None:
    known = task(made)
    new = {"op": "create", "kind": "todo", "before": None, "record_id": made}
    done = [change_of(made, 1).model_copy(update=new)]
    (found,) = proposals_of(heard_as(f"did | {{fix i meant [k {said}]}}", Records(todos=[known]), recent_changes=done))
    assert found.fields == {"task": title}


def test_an_appointment_is_not_at_the_hour_before_which_it_is() -> None:
    assert heard_as("{event [t yoga] [w every tuesday before noon]}").questions
    fields = first("{remind remind me to [t stretch] [w every hour before 6pm]}")
    assert fields["remind_at"] < "2026-11-18T16:00"


@pytest.mark.parametrize("new", ["lunch", "two"])
def test_the_same_for_a_thing_is_not_with_it(new: str) -> None:
    booked = event("breakfast with Ana", "2026-11-20T08:00:00+00:00", end="2026-11-20T08:30:00+00:00")
    made = {"op": "create", "before": None, "fields": {"title": booked.title}}
    done = [change_of(booked.title, 1).model_copy(update=made)]
    marked = f"did | {{more and the same for [t {new}] [w at 1]}}"
    assert first(marked, Records(events=[booked]), recent_changes=done)["title"] == new


@pytest.mark.parametrize("aside", ["and {remark thanks for asking}", "but {remark i am off now}"])
def test_what_one_says_aside_is_no_part_of_a_note(aside: str) -> None:
    assert first(f"{{note note: [c the drain is blocked]}} {aside}")["content"] == "the drain is blocked"


@pytest.mark.parametrize(("line", "new"), [("oat milk chocolate", "milk"), ("two rolls of dpc", "bread")])
def test_a_line_with_another_name_is_that_name(line: str, new: str) -> None:
    assert reword_line(line, new) == new


def test_a_no_that_tells_why_is_one() -> None:
    draft = Proposal(op="create", kind="todo", fields={"task": "order skip"}, reason="you asked for it")
    assert heard_as("yes | {no no dave ordered one}", pending=question_about(draft, "Add “order skip”?")).answered


def test_this_series_is_all_of_it() -> None:
    (gone,) = proposals_of(heard_as("{drop cancel this series of [g rehearsal]}", CHOIR))
    assert (gone.op, gone.record_id) == ("delete", "rehearsal")


def test_rounds_of_reminders_are_told_too() -> None:
    bins = task("bins", kind="reminder", remind_at="2026-11-19T07:00:00+00:00", recurrence="FREQ=DAILY")
    assert "Reminders: bins" in answers_of("{ask/agenda what's on [w friday]}", Records(todos=[bins]))
    assert "comes again then" in answers_of("{drop no [g bins] [v on friday]}", Records(todos=[bins]))
    assert answers_of("{ask/agenda what's on [w this week]}", Records(todos=[bins])).count("bins") == 1
