"""What a reply repeats of words that were not understood."""

from __future__ import annotations

from datetime import UTC, datetime

from agents.contract import AgentReport, RouterDecision
from agents.synthesizer import closing_sentences, open_question

NOW = datetime(2026, 11, 18, 10, 30, tzinfo=UTC)


def told(*unclear: str, words: str = "") -> str:
    """The reply where nothing else is said."""
    decision = RouterDecision(disposition="clarify", unclear=list(unclear))
    question = open_question(decision, [], words, NOW)
    return " ".join(closing_sentences(decision, [], question, NOW))


def test_words_are_told_back_as_they_were_said() -> None:
    assert told("flurb the grommet").startswith("I did not understand “flurb the grommet”.")
    assert told(words="flurb").startswith("I did not understand “flurb”.")


def test_a_long_text_is_not_told_back_whole() -> None:
    assert len(told("5 " * 10_000)) < 500
    assert len(told(words="5 " * 10_000)) < 500


def test_what_was_said_many_times_is_told_back_once() -> None:
    assert told(*["flurb"] * 50).count("flurb") == 1


def test_of_many_things_some_are_told_back_and_the_rest_are_counted() -> None:
    assert "“word 9” and 90 more. What" in told(*(f"word {number}" for number in range(100)))


def test_beside_something_that_was_done_it_is_as_short() -> None:
    decision = RouterDecision(disposition="dispatch", unclear=["flurb " * 1000])
    done = AgentReport(worker="recall", answers=["It is noon."])
    [said] = closing_sentences(decision, [done], open_question(decision, [done], "", NOW), NOW)
    assert said.endswith("…”; that part is left undone.")
    assert len(said) < 400
