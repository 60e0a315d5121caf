"""A week of shifts and visits: hours from one to another, offered times, several days, and the days before one."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from agents.contract import Option, Pending, Proposal
from agents.ports import Exchange, Records
from agents.time import clock_for, find_times
from agents.understanding.slot_values import read_times
from tests.support.asking import changed
from tests.support.readings import NOW, event, heard_as, proposals_of, task

LISBON = ZoneInfo("Europe/Lisbon")
CLOCK = clock_for(NOW, "Europe/Lisbon")
"""Wednesday 18 November 2026, 14:20."""


def wall(moment: datetime | None) -> str:
    """Return a moment as clocks in Lisbon show it."""
    return f"{moment.astimezone(LISBON):%d %H:%M}" if moment else ""


def shift(start: str, end: str) -> Records:
    """Return one shift on Wednesday 25 November."""
    return Records(events=[event("early shift", f"2026-11-25T{start}:00+00:00", end=f"2026-11-25T{end}:00+00:00")])


def just_changed(known: Records) -> dict[str, Any]:
    """Return a conversation in which the one appointment was changed last."""
    (item,) = known.events
    return {"records": known, "recent_changes": [changed(item.title, kind="event", record_id=item.id, op="update")]}


def times_in(item: Proposal) -> tuple[str, str]:
    """Return the beginning and the end that a proposal gives."""
    start, end = (item.fields.get(name) for name in ("start", "end"))
    return start[5:16] if start else "", end[11:16] if end else ""


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("one till nine", "19 13:00", "19 21:00"),
        ("1 till 9", "19 13:00", "19 21:00"),
        ("10 till 12", "19 10:00", "19 12:00"),
        ("ten until twelve", "19 10:00", "19 12:00"),
        ("six till two", "18 18:00", "19 02:00"),
        ("four til six", "18 16:00", "18 18:00"),
    ],
)
def test_bare_hours_with_till_between_are_a_stretch(text: str, start: str, end: str) -> None:
    for found in (find_times(text, CLOCK), read_times(text, CLOCK)):
        assert [(one.kind, wall(one.start), wall(one.end), one.text) for one in found] == [
            ("interval", start, end, text)
        ]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("one to nine", ["interval"]),
        ("9 to 5", ["interval"]),
        ("nine to five", ["interval"]),
        ("10 to 12", ["interval"]),
        ("ten to twelve", ["point"]),
        ("twenty to six", ["point"]),
        ("ten to four", ["point"]),
    ],
)
def test_to_between_two_hours_of_a_slot_counts_minutes_where_people_count_them(text: str, kinds: list[str]) -> None:
    assert [one.kind for one in read_times(text, CLOCK)] == kinds


@pytest.mark.parametrize("text", ["room 5 till 6", "read pages 10 till 12", "20 till 9", "5 till 6 people"])
def test_numbers_of_things_are_no_stretch(text: str) -> None:
    assert not [one for one in find_times(text, CLOCK) if one.kind == "interval"]


@pytest.mark.parametrize(
    ("start", "end", "said", "then"),
    [
        ("07:30", "15:30", "one till nine", ("11-25T13:00", "21:00")),
        ("13:00", "21:00", "2 till 10", ("11-25T14:00", "22:00")),
        ("13:00", "21:00", "two till ten", ("11-25T14:00", "22:00")),
    ],
)
def test_a_shift_takes_both_hours(start: str, end: str, said: str, then: tuple[str, str]) -> None:
    known = shift(start, end)
    (fixed,) = proposals_of(heard_as(f"did | {{fix [w {said}]}}", **just_changed(known)))
    (moved,) = proposals_of(heard_as(f"{{edit move [v wednesday 25 november] [g early shift] to [w {said}]}}", known))
    assert (times_in(fixed), times_in(moved)) == (then, then)


def offer(*labels: str, title: str = "tea") -> Pending:
    """Return the question for a time of an appointment, with times on offer."""
    draft = Proposal(op="create", kind="event", fields={"title": title})
    options = [Option(label=label) for label in labels]
    asked = "Thursday is free. Shall I book it?" if len(labels) == 1 else "Thursday is free. Shall I book the first?"
    return Pending(missing="when", text="", at=NOW, proposals=[draft], options=options, asked=asked)


EVENING = offer("Thursday 26 November 2026, 18:00 to 19:00")
MORNINGS = offer("Tuesday 24 November 2026, 09:00 to 11:00", "Thursday 26 November 2026, 16:00 to 18:00")


@pytest.mark.parametrize(
    ("marked", "start", "place"),
    [
        ("{tell [w seven]}", "11-26T19:00", None),
        ("{tell make it [w half seven] at [p the woodman]}", "11-26T19:30", "the woodman"),
        ("{tell [w nine in the morning]}", "11-26T09:00", None),
        ("{tell [w seven till nine]}", "11-26T19:00", None),
        ("{tell [w ten till twelve]}", "11-26T10:00", None),
        ("{tell [w friday at seven]}", "11-20T07:00", None),
        ("{tell [w six] at [p the woodman]}", "11-26T18:00", "the woodman"),
        ("{yes yes at [p the woodman]}", "11-26T18:00", "the woodman"),
        ("{tell yes at [p the woodman]}", "11-26T18:00", "the woodman"),
    ],
)
def test_an_hour_that_answers_an_offer_is_of_its_day_and_keeps_its_place(
    marked: str, start: str, place: str | None
) -> None:
    (made,) = proposals_of(heard_as(f"when | {marked}", pending=EVENING))
    assert (times_in(made)[0], made.fields.get("location")) == (start, place)


def test_of_several_days_on_offer_it_is_asked_which() -> None:
    decision = heard_as("when | {tell [w ten till twelve]}", pending=MORNINGS)
    assert proposals_of(decision) == []
    (asked,) = decision.questions
    assert asked.pending is not None
    assert [one.label for one in asked.pending.options] == [
        "Tuesday 24 November 2026, 10:00 to 12:00",
        "Thursday 26 November 2026, 10:00 to 12:00",
    ]
    (made,) = proposals_of(heard_as("when | {pick [k thursday]}", pending=asked.pending))
    assert times_in(made) == ("11-26T10:00", "12:00")


SERIES = ("11-23T07:30", "15:30", "FREQ=DAILY;UNTIL=20261126T235959")


@pytest.mark.parametrize(
    "said",
    [
        "[w half seven till half three monday to thursday next week]",
        "[w monday to thursday next week 7.30am to 3.30pm]",
        "[w monday to thursday next week] [w half seven till half three]",
        "[w 7.30am to 3.30pm], from [w monday to thursday next week]",
        "[w the 23rd to the 26th 7.30am to 3.30pm]",
        "[w every day monday to thursday next week 7.30 till 3.30]",
        "[w every day monday to thursday next week 7.30am to 3.30pm]",
    ],
)
def test_hours_and_a_range_of_days_are_each_of_the_days(said: str) -> None:
    (made,) = proposals_of(heard_as(f"{{event [t earlies] {said}}}"))
    rule = str(made.fields["recurrence"]).replace("WEEKLY;BYDAY=MO,TU,WE,TH", "DAILY")
    assert (*times_in(made), rule) == SERIES


@pytest.mark.parametrize(
    ("said", "starts"),
    [
        ("[w 7.30 till 3.30 on the 23rd 24th and 25th]", ["11-23T07:30", "11-24T07:30", "11-25T07:30"]),
        (
            "[w friday saturday and sunday next week nine at night till seven in the morning]",
            ["11-27T21:00", "11-28T21:00", "11-29T21:00"],
        ),
        ("[w wednesday and friday next week at 3pm]", ["11-25T15:00", "11-27T15:00"]),
    ],
)
def test_hours_and_listed_days_are_one_appointment_a_day(said: str, starts: list[str]) -> None:
    assert [times_in(made)[0] for made in proposals_of(heard_as(f"{{event [t shift] {said}}}"))] == starts


@pytest.mark.parametrize("said", ["[w 9pm till 7am] [d three nights]", "[w 9pm till 7am three nights]"])
def test_hours_for_several_nights_are_as_many_rounds(said: str) -> None:
    (made,) = proposals_of(heard_as(f"{{event [t nights] [w from friday] {said}}}"))
    assert (*times_in(made), made.fields["recurrence"]) == ("11-20T21:00", "07:00", "FREQ=DAILY;COUNT=3")


@pytest.mark.parametrize("said", ["[w next week 9 till 5]", "[w the weekend] [w 9 till 5]", "[w next week] [w at 3]"])
def test_hours_of_one_of_several_days_are_asked_about(said: str) -> None:
    decision = heard_as(f"{{event [t market] {said}}}")
    assert proposals_of(decision) == []
    assert [one.pending.missing for one in decision.questions if one.pending] == ["when"]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("friday to sunday next week", "27 00:00", "30 00:00"),
        ("thursday till friday the week after next", "03 00:00", "05 00:00"),
        ("friday to monday next week", "20 00:00", "24 00:00"),
        ("monday to friday", "23 00:00", "28 00:00"),
    ],
)
def test_the_first_weekday_of_a_range_is_of_the_week_that_is_said(text: str, start: str, end: str) -> None:
    (found,) = find_times(text, CLOCK)
    assert (wall(found.start), wall(found.end)) == (start, end)


def answer_to(marked: str, known: Records, **more: Any) -> str:
    """Return what a marked question is answered."""
    targets = heard_as(marked, known, **more).targets
    return " ".join(line for target in targets if target.proposed for line in target.proposed.answers)


ROUNDS = Records(
    events=[
        event("eye test", "2026-11-18T16:00:00+00:00", end="2026-11-18T17:00:00+00:00"),
        event("choir", "2026-11-19T19:00:00+00:00", end="2026-11-19T20:00:00+00:00"),
        event("ferry", "2026-11-20T08:00:00+00:00", end="2026-11-20T09:00:00+00:00"),
    ],
    todos=[task("pay the rent", deadline="2026-11-19"), task("post the keys", deadline="2026-11-20")],
)


@pytest.mark.parametrize(
    ("marked", "parts"),
    [
        ("{ask/agenda what have i got [w today and tomorrow]}", ["eye test", "choir"]),
        ("{ask/agenda whats on [w thursday] and [w friday]}", ["choir", "ferry"]),
        ("{ask/todos whats due [w tomorrow and on friday]}", ["pay the rent", "post the keys"]),
        ("{ask/room am i free [w thursday evening] or [w friday morning]}", ["choir", "ferry"]),
    ],
)
def test_a_question_about_two_days_is_answered_for_both(marked: str, parts: list[str]) -> None:
    said = answer_to(marked, ROUNDS)
    assert all(part in said for part in parts), said


@pytest.mark.parametrize(
    ("said", "last"), [("before friday", "pay"), ("by friday", "post"), ("before the 20th", "pay")]
)
def test_before_a_day_is_by_the_end_of_the_day_before(said: str, last: str) -> None:
    (made,) = proposals_of(heard_as(f"{{remind remind me to [t ring Gary] [w {said}]}}"))
    assert made.fields["remind_at"][:10] == ("2026-11-20" if last == "post" else "2026-11-19")


@pytest.mark.parametrize("said", ["before friday", "by friday"])
def test_what_is_due_on_the_day_itself_is_shown_with_it(said: str) -> None:
    assert "post the keys (due Friday 20 November)" in answer_to(f"{{ask/todos whats due [w {said}]}}", ROUNDS)


@pytest.mark.parametrize(
    ("said", "start"),
    [
        ("[w six no ten past]", "11-18T18:10"),
        ("[x six] no [w ten past]", "11-18T18:10"),
        ("[w tomorrow at six], no [w quarter past]", "11-19T18:15"),
        ("[w tomorrow at half nine], no [w ten to]", "11-19T09:50"),
    ],
)
def test_minutes_alone_are_of_the_hour_before_them(said: str, start: str) -> None:
    (made,) = proposals_of(heard_as(f"{{event [t visit] {said}}}"))
    assert times_in(made)[0] == start


@pytest.mark.parametrize("said", ["[w ten past]", "[w friday ten past]", "[w quarter past]"])
def test_minutes_of_no_hour_are_asked_about(said: str) -> None:
    decision = heard_as(f"{{event [t visit] {said}}}")
    assert proposals_of(decision) == []
    assert [one.pending.missing for one in decision.questions if one.pending] == ["when"]


@pytest.mark.parametrize(
    ("said", "start"),
    [("[w ten past]", "11-25T13:10"), ("[w on the 26th] [w ten past]", "11-26T13:10"), ("[w ten to]", "11-25T13:50")],
)
def test_minutes_alone_are_of_the_hour_of_the_record(said: str, start: str) -> None:
    (made,) = proposals_of(heard_as(f"did | {{fix {said}}}", **just_changed(shift("13:05", "21:00"))))
    assert times_in(made)[0] == start


PAINT = Records(todos=[task("paint the landing", solutions=["sand it", "prime it"], done_steps=["sand it"])])


def changed_steps(before: list[str]) -> dict[str, Any]:
    """Return a conversation in which the steps of the landing were changed last, from these."""
    (item,) = PAINT.todos
    last = changed(item.task, record_id=item.id, op="update").model_copy(
        update={"fields": {"solutions": item.solutions}, "before": {"solutions": before}}
    )
    return {"records": PAINT, "recent_changes": [last]}


def test_a_step_that_is_not_said_is_asked_for() -> None:
    decision = heard_as("{todo add a step to [g the landing]}", PAINT)
    assert proposals_of(decision) == []
    (asked,) = decision.questions
    assert asked.text == "What step shall I add to “paint the landing”?"
    (made,) = proposals_of(heard_as("what | {tell [t mask the skirting]}", PAINT, pending=asked.pending))
    assert (made.op, made.record_id, made.fields["solutions"]) == (
        "update", "paint the landing", ["sand it", "prime it", "mask the skirting"],
    )  # fmt: skip


def test_what_comes_behind_a_step_is_a_step_too() -> None:
    (made,) = proposals_of(heard_as("did | {more and [t mask the skirting]}", **changed_steps(["sand it"])))
    assert made.fields == {"solutions": ["sand it", "prime it", "mask the skirting"]}
    lately = changed_steps(["sand it"]) | {
        "recent_changes": [changed("paint the landing", record_id=PAINT.todos[0].id)]
    }
    (made,) = proposals_of(heard_as("did | {more and [t ring Bo]}", **lately))
    assert made.op == "create"


def test_a_step_without_its_task_is_of_the_one_just_changed() -> None:
    (made,) = proposals_of(heard_as("did | {done thats [k the second step] done}", **changed_steps(["sand it"])))
    assert (made.record_id, made.fields) == ("paint the landing", {"done_steps": ["sand it", "prime it"]})


def test_steps_that_are_given_are_the_steps() -> None:
    known = Records(todos=[task("paint the fence")])
    (made,) = proposals_of(heard_as("{edit the steps of [g the fence] are [i buy paint] and [i call Bo]}", known))
    assert made.fields == {"solutions": ["buy paint", "call Bo"]}


def test_of_what_is_left_what_is_done_is_not_told() -> None:
    assert (
        answer_to("{ask/steps whats left of [g the landing]}", PAINT) == "“paint the landing”: still to do: prime it."
    )
    assert "sand it (done)" in answer_to("{ask/steps what are the steps of [g the landing]}", PAINT)


def free(said: str) -> Pending:
    """Return the question with the free times that a question for room came to."""
    (asked,) = heard_as(said).questions
    assert asked.pending is not None
    return asked.pending


LOOKED_FOR = "{ask/room find me [d two hours] for the [q boiler service] [w one morning next week]}"


def test_a_morning_that_is_looked_for_begins_with_work() -> None:
    assert [one.label for one in free(LOOKED_FOR).options][:2] == [
        "Monday 23 November 2026, 09:00 to 11:00",
        "Tuesday 24 November 2026, 09:00 to 11:00",
    ]


def test_another_day_for_what_was_offered_keeps_its_length_and_its_part_of_the_day() -> None:
    decision = heard_as("when | {ask/room that ones no good try [w wednesday]}", pending=free(LOOKED_FOR))
    (asked,) = decision.questions
    assert asked.options == ["Wednesday 25 November 2026, 09:00 to 11:00"]


def test_after_is_after_what_was_just_moved() -> None:
    said = answer_to("did | {ask/room am i free [w after]}", **after_move())
    assert said == "You are free on Wednesday 25 November from 21:00 to 22:00."


def after_move() -> dict[str, Any]:
    """Return a conversation in which the one shift was moved last."""
    more = just_changed(shift("13:00", "21:00"))
    return {"known": more.pop("records"), **more}


def test_the_one_after_is_the_round_after_the_one_told() -> None:
    weekly = event("choir", "2026-11-17T19:00:00+00:00", end="2026-11-17T20:00:00+00:00", recurrence="FREQ=WEEKLY")
    told = [Exchange(said="whens choir", replied="choir: Tuesday 24 November from 19:00 to 20:00, every Tuesday.")]
    out = [Exchange(said="skip choir", replied="“choir” is cancelled on Tuesday 1 December; the series goes on.")]
    for recent, day in ((told, "1 December"), (out, "8 December")):
        said = answer_to("{ask/details whens [g the one after]}", Records(events=[weekly]), recent=recent)
        assert said == f"choir: Tuesday {day} from 19:00 to 20:00."


def test_each_day_of_a_week_that_is_said_has_both_hours() -> None:
    (found,) = find_times("every day monday to thursday next week 9 to 12", CLOCK)
    assert (found.kind, wall(found.start), wall(found.end)) == ("set", "23 09:00", "23 12:00")
