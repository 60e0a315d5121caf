"""What a busy week of messages showed: days in a row, mass moves, answers that are none, series told in two breaths."""

from __future__ import annotations

import pytest

from agents.contract import Pending, Proposal
from agents.ports import Records
from tests.support.readings import NOW, event, heard_as, proposals_of, task

EVENING = "FREQ=WEEKLY;BYDAY=TU"
KILN = Records(
    events=[
        event("glazing class", "2026-11-24T19:00:00+00:00", end="2026-11-24T20:00:00+00:00", recurrence=EVENING),
        event("kiln inspection", "2026-11-20T10:00:00+00:00", end="2026-11-20T11:00:00+00:00"),
    ],
    todos=[task("order clay", deadline="2026-11-21"), task("wash sieves", deadline="2026-11-20")],
)


def waiting(kind: str, **fields: object) -> Pending:
    """Return the question whether something new is meant."""
    draft = Proposal(op="create", kind=kind, fields=fields, reason="you asked")
    return Pending(missing="proceed", text="", at=NOW, asked="Add it?", proposals=[draft])


def starts(marked: str) -> list[object]:
    return [one.fields["start"] for one in proposals_of(heard_as(marked))]


@pytest.mark.parametrize(
    ("said", "days"),
    [
        ("on the 4th, 5th and 6th of march at 7pm", ["04", "05", "06"]),
        ("on 4, 5 and 6 march at 7pm", ["04", "05", "06"]),
        ("on the 4th 5th and 6th of march at 7pm", ["04", "05", "06"]),
        ("on 4 and 5 march at 7pm", ["04", "05"]),
        ("on 4 march and 5 march at 7pm", ["04", "05"]),
        ("on the 9th, 11th or the 12th of march at 7pm", ["09", "11", "12"]),
    ],
)
def test_days_in_a_row_share_the_month_and_the_hour(said: str, days: list[str]) -> None:
    decision = heard_as(f"{{event [t firing] [w {said}]}}")
    made = proposals_of(decision) or decision.questions[0].pending.proposals
    if " or " in said:
        assert decision.questions
    else:
        assert [one.fields["start"] for one in made] == [f"2027-03-{day}T19:00:00+00:00" for day in days]


def test_an_hour_that_is_over_today_is_not_told_to_be_tomorrow_on_other_days() -> None:
    made = proposals_of(heard_as("{event [t firing] [w on 4 and 5 march at 1pm]}"))
    assert [one.assumed for one in made] == [[], []]


def test_days_without_a_month_follow_each_other() -> None:
    assert starts("{event [t firing] [w on the 24th and the 27th at 7pm]}") == [
        "2026-11-24T19:00:00+00:00",
        "2026-11-27T19:00:00+00:00",
    ]


@pytest.mark.parametrize("said", ["from 4 to 5 march at 7pm", "on 4 and 5 march"])
def test_two_days_without_an_hour_or_with_an_end_are_one(said: str) -> None:
    assert len(starts(f"{{event [t trip to Bath] [w {said}]}}")) == 1


def test_each_day_in_a_row_is_left_out_of_a_series() -> None:
    (made,) = proposals_of(heard_as("{drop no [g glazing class] [v on 1, 8 and 22 december]}", KILN))
    assert made.fields["exdates"] == ["2026-12-01", "2026-12-08", "2026-12-22"]


def test_only_tasks_due_on_a_day_are_moved_by_what_is_due_then() -> None:
    (made,) = proposals_of(heard_as("{edit push [a whatever's] [v due on saturday] to [w sunday]}", KILN))
    assert made.record_id == KILN.todos[0].id
    assert made.fields == {"deadline": "2026-11-22"}
    both = proposals_of(heard_as("{edit push [a whatever's] [v due by saturday] to [w sunday]}", KILN))
    assert {one.record_id for one in both} == {one.id for one in KILN.todos}


def test_of_a_series_that_was_not_named_one_round_is_moved() -> None:
    made = proposals_of(heard_as("{edit move [a everything] [v on tuesday] to [w wednesday]}", KILN))
    assert [one.fields for one in made if one.op == "update"] == [{"exdates": ["2026-11-24"]}]
    assert [one.fields["start"] for one in made if one.op == "create"] == ["2026-11-25T19:00:00+00:00"]


def test_what_is_done_is_not_moved_with_the_rest_of_a_day() -> None:
    done = Records(todos=[task("feed geese", deadline="2026-11-18", status="done")])
    assert proposals_of(heard_as("{edit push [a everything] [v due today] to [w friday]}", done)) == []


RAGS = waiting("todo", task="rags")
CRACK = waiting("note", content="the shelf is cracked", summary="x")


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("{remark running late for the kiln inspection}, {edit shove [g it] [sh back half an hour]}", RAGS),
        ("{remark running late}, {edit shove [g it] [sh back half an hour]}", RAGS),
        ("like i said, {fix [w 7 till 9 in the evening]}", CRACK),
    ],
)
def test_what_is_said_of_something_else_agrees_to_no_new_thing(said: str, asked: Pending) -> None:
    made = proposals_of(heard_as(said, KILN, pending=asked))
    assert [one for one in made if one.op == "create"] == []


def test_another_day_for_what_is_asked_about_is_a_yes() -> None:
    (made,) = proposals_of(heard_as("{fix make it [w friday]}", KILN, pending=RAGS))
    assert (made.op, made.fields["deadline"]) == ("create", "2026-11-20")


def test_what_is_to_be_done_before_something_is_due_on_its_day() -> None:
    (made,) = proposals_of(heard_as("{todo [t buy wood] [w before the kiln inspection]}", KILN))
    assert made.fields["deadline"] == "2026-11-20"
    _, made = proposals_of(heard_as("{event [t opening] [w on friday at 7pm]} {todo [t buy wood] [w before then]}"))
    assert made.fields["deadline"] == "2026-11-20"


def test_what_it_is_to_be_done_before_is_named_where_nobody_knows_it() -> None:
    assert heard_as("{todo [t buy wood] [w before the regatta]}", KILN).unclear == ["before the regatta"]


def test_an_appointment_goes_into_the_past_only_after_a_yes() -> None:
    decision = heard_as("{edit move the [g kiln inspection] to [w yesterday at 9]}", KILN)
    assert proposals_of(decision) == []
    assert decision.questions[0].pending.proposals[0].fields["start"] == "2026-11-17T09:00:00+00:00"
    assert proposals_of(heard_as("{edit move the [g kiln inspection] to [w today at 9]}", KILN))


def test_a_yes_with_an_hour_takes_it_whatever_was_told_before() -> None:
    said = "{remark the kiln inspection is over by then}, {yes yes, [w at 7pm]}"
    (made,) = proposals_of(
        heard_as(said, KILN, pending=waiting("event", title="supper", start="2026-11-20T18:00:00+00:00"))
    )
    assert made.fields["start"] == "2026-11-20T19:00:00+00:00"


def test_a_series_waits_for_its_hour_as_a_series() -> None:
    asked = heard_as("{event [t bell practice] [w every monday and thursday]}").questions[0].pending
    (made,) = proposals_of(heard_as("{tell [w from 7 to 8 pm]}", pending=asked))
    assert made.fields["recurrence"] == "FREQ=WEEKLY;BYDAY=MO,TH"
    assert (made.fields["start"], made.fields["end"]) == ("2026-11-19T19:00:00+00:00", "2026-11-19T20:00:00+00:00")


@pytest.mark.parametrize("said", ["but not [x next week]", "just not [x this tuesday]", "except [x the 24th]"])
def test_a_new_series_leaves_out_what_is_excepted(said: str) -> None:
    (made,) = proposals_of(heard_as(f"{{event [t book club] [w every tuesday at 8pm], {said}}}"))
    assert made.fields["recurrence"] == EVENING
    assert made.fields["exdates"] == ["2026-11-24"]
