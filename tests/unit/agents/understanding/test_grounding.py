"""Which records words mean."""

from __future__ import annotations

from agents.ports import Records
from agents.understanding.ground import ground
from tests.support.readings import clause_in, event, heard_as, proposals_of, task

WEEK = Records(
    todos=[task("Send the loom invoice"), task("Paint the shed", status="done")],
    events=[
        event("Loom lesson", "2026-11-20T10:00:00+00:00"),
        event("Choir", "2026-11-19T19:00:00+00:00", recurrence="FREQ=WEEKLY;BYDAY=TH"),
        event("Call with Bo", "2026-11-20T15:00:00+00:00"),
        event("Call with Ada", "2026-11-23T15:00:00+00:00"),
    ],
)


def test_name_in_other_words_and_order() -> None:
    target = ground(*clause_in("{done [g invoice for the loom] is out}", WEEK))
    assert [item.title for item in target.items] == ["Send the loom invoice"]
    assert target.fit == 1


def test_word_that_stands_nowhere_makes_it_doubtful() -> None:
    assert ground(*clause_in("{drop cancel [g choir practice dinner]}", WEEK)).fit < 1


def test_time_tells_which_and_contradicts() -> None:
    assert [item.title for item in ground(*clause_in("{drop [v friday's] [g call]}", WEEK)).items] == ["Call with Bo"]
    assert ground(*clause_in("{drop [v saturday's] [g call]}", WEEK)).items == []


def test_kind_rules_out_other_kinds() -> None:
    assert ground(*clause_in("{drop the [g choir task]}", WEEK)).items == []


def test_equals_are_asked_about_and_the_answer_is_ready() -> None:
    decision = heard_as("{edit move the [g call] to [w 4pm]}", WEEK)
    (question,) = decision.questions
    assert question.pending.missing == "which"
    assert [item.record_id for item in question.pending.proposals] == ["Call with Bo", "Call with Ada"]
    assert all(item.fields["start"].endswith("T16:00:00+00:00") for item in question.pending.proposals)


def test_later_clause_finds_what_an_earlier_one_changed() -> None:
    marked = "{edit move [g loom lesson] to [w monday]} and {edit make [g it] [d 2 hours]}"
    (made,) = proposals_of(heard_as(marked, WEEK))
    assert made.fields["start"] == "2026-11-23T10:00:00+00:00"
    assert made.fields["end"] == "2026-11-23T12:00:00+00:00"


def test_everything_on_a_day_is_asked_about() -> None:
    decision = heard_as("{drop cancel [a everything] [v friday]}", WEEK)
    assert [item.record_id for item in decision.questions[0].pending.proposals] == ["Loom lesson", "Call with Bo"]
    assert proposals_of(decision) == []
