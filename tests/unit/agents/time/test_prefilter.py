from __future__ import annotations

import re

import pytest

from agents.time import literal
from agents.time.prefilter import Prefiltered, atoms_of, firsts_of, folded
from agents.understanding.text import hesitation, roundabout, shorthand, stops
from agents.understanding.text.patterns import PATTERNS
from tests.support.conversations.corpus import conversations


def pattern(words: str) -> re.Pattern[str]:
    return re.compile(words, re.IGNORECASE)


def prefiltered() -> list[Prefiltered]:
    modules = (hesitation, roundabout, shorthand, stops, literal)
    alone = [value for module in modules for value in vars(module).values() if isinstance(value, Prefiltered)]
    return [*alone, *(shape for shape, _ in roundabout.TRIED), *stops.PAUSES]


@pytest.mark.parametrize(
    ("words", "atoms"),
    [
        (r"take (?:it|that) off", {"take "}),
        (r"(?:move|push)(?:ed)?\s+it", {"move", "push"}),
        (r"(?:wants|want|needs?) to", {"want", "need"}),
        (r"(?<=list)\s\w+", {"list"}),
        (r"(?:really )?\w+", set()),
        (r"(?:it|the|\d) ", set()),
        (r"(?:monday|later)", set()),
        (r"MOVED", {"moved"}),
    ],
)
def test_the_words_a_pattern_needs_are_read_off_it(words: str, atoms: set[str]) -> None:
    assert atoms_of(pattern(words)) == atoms


@pytest.mark.parametrize(
    ("words", "firsts"),
    [
        (r"(?:add|put) it", {"a", "p"}),
        (r"(?:so )?\b(?!not)add", {"s", "a"}),
        (r"[x-z]\d", {"x", "y", "z"}),
        (r"\w+ it", None),
        (r"[^a]it", None),
        (r"(?:add)?", None),
        (r"(?:add|.)x", None),
    ],
)
def test_what_a_match_may_begin_with_is_read_off_the_pattern(words: str, firsts: set[str] | None) -> None:
    assert firsts_of(pattern(words)) == firsts


def test_no_pattern_is_spared_where_it_matches() -> None:
    said = {turn["say"] for case in conversations() for turn in case["turns"]}
    needs, tried = prefiltered(), 0
    begun = [(way.words, None if way.anywhere else firsts_of(way.words)) for way in PATTERNS]
    for text in sorted(said)[::4]:
        for one in needs:
            if one.pattern.search(text):
                tried += 1
                assert one.may_match(folded(text)), (one.pattern.pattern, text)
        for words, firsts in begun:
            if firsts is not None and words.match(text):
                tried += 1
                assert folded(text)[:1] in firsts, (words.pattern, text)
    assert tried > len(needs)


@pytest.mark.parametrize("text", ["TAKE it off", "ta\u212ae it off", "x take it off"])
def test_case_is_ignored_as_patterns_ignore_it(text: str) -> None:
    one = Prefiltered(pattern("take it"))
    assert bool(one.search(text)) == bool(one.pattern.search(text)) is True
    assert one.sub("put it", text) == one.pattern.sub("put it", text)


def test_what_cannot_match_is_given_back_as_it_is() -> None:
    one = Prefiltered(pattern("take it"))
    assert (one.search("leave it"), one.sub("", "leave it")) == (None, "leave it")
