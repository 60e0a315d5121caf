"""Acting, asking with the whole reading, and saying what was not understood."""

from __future__ import annotations

from agents.ports import Records
from agents.understanding.decide import chance
from agents.understanding.outcome import Outcome
from agents.understanding.share import Share
from tests.support.readings import clause_in, event, heard_as, proposals_of, read_as, shopping, task


def test_unsure_reading_is_asked_about_with_all_that_a_yes_writes() -> None:
    decision = heard_as("{event [t choir] [w every tuesday at 7pm] at [p the mill]}", sure=0.4)
    (question,) = decision.questions
    assert all(word in question.text for word in ("choir", "every Tuesday", "19:00", "the mill"))
    assert question.pending.proposals[0].fields["recurrence"] == "FREQ=WEEKLY;BYDAY=TU"
    assert proposals_of(decision) == []


def test_times_not_read_and_records_that_fit_badly_lower_the_chance() -> None:
    def of(marked: str, fit: float = 1.0) -> float:
        clause, situation = clause_in(marked)
        return chance(clause, Outcome(Share(), fit), situation)

    plain = of("{todo [t bake] [w on friday]}")
    assert of("{todo [t bake] [w on friday]}", fit=0.5) < plain
    assert of("{todo [t bake] [w on friday except evenings]}") < plain


def test_two_doubts_are_one_question() -> None:
    decision = heard_as("{todo [t bake]} and {todo [t sow]}", sure=0.4)
    assert len(decision.questions) == 1
    assert len(decision.questions[0].pending.proposals) == 2


def test_name_of_nothing_is_said_to_be_unknown() -> None:
    decision = heard_as("{drop cancel [g the regatta]}", Records(todos=[task("sow beans")]))
    assert decision.targets[0].proposed is not None
    assert "regatta" in decision.targets[0].proposed.answers[0]


def test_same_change_twice_is_made_once() -> None:
    records = Records(todos=[task("sow beans")])
    made = proposals_of(heard_as("{done [g beans] are sown}, {done tick [g them] off}", records))
    assert len(made) == 1


def test_line_of_a_list_is_crossed_off() -> None:
    records = Records(notes=[shopping("Groceries", ["rice", "oat milk"])])
    (made,) = proposals_of(heard_as("{listout take [i oat milk] off the [l groceries]}", records))
    assert [line["text"] for line in made.fields["items"]] == ["rice"]


def test_lists_are_emptied_only_after_a_yes() -> None:
    records = Records(notes=[shopping("Groceries", ["rice"])])
    decision = heard_as("{listout clear the [l groceries]}", records)
    assert decision.questions[0].pending.missing == "proceed"


def test_series_asks_how_much_of_it_is_meant() -> None:
    records = Records(events=[event("Choir", "2026-11-19T19:00:00+00:00", recurrence="FREQ=WEEKLY;BYDAY=TH")])
    assert heard_as("{drop cancel [g choir]}", records).questions[0].pending.missing == "scope"


def test_hours_are_repaired() -> None:
    (made,) = proposals_of(heard_as("{event [t choir] [w on friday at one], no sorry, [w saturday]}"))
    assert made.fields["start"] == "2026-11-21T13:00:00+00:00"


def test_marks_give_the_words_and_places() -> None:
    (clause,) = read_as("{todo [t bake] [w on friday]}").clauses
    assert clause.text == "bake on friday"
    assert [(slot.start, slot.end) for slot in clause.slots] == [(0, 4), (5, 14)]


def test_change_of_nothing_may_be_something_new() -> None:
    decision = heard_as("{edit [g loom audit] due [w friday], [d 2h]}", Records(todos=[task("sow beans")]), sure=0.8)
    (draft,) = decision.questions[0].pending.proposals
    assert (draft.op, draft.fields["task"], draft.fields["deadline"]) == ("create", "loom audit", "2026-11-20")


def test_words_shared_with_several_ask_which() -> None:
    records = Records(todos=[task("sow red beans"), task("stake green beans")])
    decision = heard_as("{done the [g white beans pot] is done}", records)
    assert decision.questions[0].pending.missing == "which"


def test_values_that_follow_belong_to_what_was_just_made() -> None:
    (made,) = proposals_of(heard_as("{todo [t sow beans]}. {todo it's [pr urgent], [d 20 min]}"))
    assert made.fields == {"task": "sow beans", "priority": "high", "time_to_complete": 20}
