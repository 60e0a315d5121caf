"""Which units answer a question, and which later ones hold in place of an earlier one."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.memory.changing import later_statements
from app.memory.fusion import Ranked
from app.memory.model.memory import Candidate, Found, Unit
from app.memory.selecting import Selected, kinds_in, likeness, select
from app.memory.versions import versions_of
from tests.support.ledgers import NOW


def said(number: int, text: str, dense: float | None = 0.5, lexical: float = 0.0) -> Candidate:
    """A memo of one sentence, each a day after the one before."""
    unit = Unit(0, text, 0, len(text))
    return Candidate("memo", f"m{number}", "", NOW + timedelta(days=number), unit, lexical, dense, number)


def ranked_of(*candidates: Candidate) -> list[Ranked]:
    return [Ranked(one, 1.0) for one in candidates]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("The boiler is loud.", (False, False, False, False)),
        ("We met Harald there.", (True, False, False, True)),
        ("It starts on Tuesday.", (False, True, False, False)),
        ("It starts on the 3rd.", (False, True, True, False)),
        ("It cost forty-two pounds.", (False, False, True, False)),
        ("The plate is X7.", (True, False, True, True)),
    ],
)
def test_what_kinds_of_things_a_sentence_names(text: str, kinds: tuple[bool, ...]) -> None:
    assert kinds_in(text) == kinds


@pytest.mark.parametrize(
    ("question", "name", "other"),
    [
        ("Did Harald repair it?", 1.0, 1.0),
        ("Did Gudrun repair it?", 0.5, 1.0),
        ("Did Harald sing?", 1.0, 0.5),
        ("What was it?", 1.0, 1.0),
    ],
)
def test_names_and_other_words_of_a_question_are_looked_for_apart(question: str, name: float, other: float) -> None:
    least_name, least_other, mean = likeness(question, "Harald repaired the gutter.")
    assert (least_name >= name) is (name == 1.0)
    assert (least_other >= other) is (other == 1.0)
    assert mean == least_other


def test_what_is_nearer_and_has_what_is_asked_for_is_likelier() -> None:
    answer = said(1, "The roofer asked 900 for it.", 0.6, 0.9)
    other = said(2, "The roofer drank coffee.", 0.4, 0.6)
    selected = select("how much did the roofer ask?", Found([answer, other], 2, 2.0), ranked_of(other, answer))
    assert [one.ranked.candidate.document for one in selected] == ["m1", "m2"]
    assert all(0 < one.chance < 1 for one in selected)


def test_without_vectors_words_select() -> None:
    answer, other = said(1, "The roofer asked 900.", None, 0.9), said(2, "The cat slept.", None, 0.0)
    selected = select("how much did the roofer ask?", Found([answer, other], 2, 2.0), ranked_of(other, answer))
    assert selected[0].ranked.candidate is answer


def test_what_the_network_makes_of_both_together_counts() -> None:
    first, second = said(1, "The roofer drank coffee."), said(2, "The roofer sang.")
    every, ranked = Found([first, second], 2, 1.0), ranked_of(first, second)
    for scores, likelier in (([3.0, -3.0], first), ([-3.0, 3.0], second)):
        assert select("what did the roofer do?", every, ranked, scores)[0].ranked.candidate is likelier


def test_what_shares_a_name_with_a_statement_is_likelier_to_hold_instead() -> None:
    best = said(1, "Quote from Gudrun: 900 for the gutter.", 0.9)
    named, other = said(2, "In the end Gudrun took 700.", 0.5), said(3, "In the end they took 700.", 0.5)
    every = Found([best, named, other], 3, 1.0)
    statements = later_statements("what does the gutter cost?", best, every, every)
    assert [one.ranked.candidate for one in statements] == [named, other]


def test_only_what_is_said_later_and_elsewhere_may_hold_instead() -> None:
    best = said(5, "The lesson is on Wednesday.", 0.9)
    later, earlier = said(6, "The lesson has been moved to Monday.", 0.8), said(4, "The lesson is fun.", 0.8)
    beside = Candidate("memo", "m5", "", NOW + timedelta(days=5, seconds=9), Unit(1, "It is loud.", 30, 41), 0, 0.7, 9)
    every = Found([best, later, earlier, beside], 4, 1.0)
    statements = later_statements("when is the lesson?", best, every, every)
    assert [one.ranked.candidate for one in statements] == [later]


@pytest.mark.parametrize(
    ("chance", "latest", "before", "later"),
    [(0.5, "m2", ["m1"], None), (0.12, "m1", [], "m2"), (0.01, "m1", [], None)],
)
def test_the_chance_decides_what_is_told_first(
    chance: float, latest: str, before: list[str], later: str | None
) -> None:
    old, new = ranked_of(said(1, "It is green."), said(2, "It is blue now."))
    versions = versions_of([old], {1: 1.0}, [Selected(new, chance)], 0.2)
    assert versions.latest.candidate.document == latest
    assert [one.candidate.document for one in versions.before] == before
    assert (versions.later.candidate.document if versions.later else None) == later


def test_what_answers_as_well_but_is_about_something_else_is_told_behind() -> None:
    best, other = ranked_of(said(1, "It is green."), said(2, "Mine is blue."))
    versions = versions_of([best, other], {1: 1.0, 2: 0.2}, [], 0.2)
    assert versions.all == [best, other]
    assert versions.others == [other]
