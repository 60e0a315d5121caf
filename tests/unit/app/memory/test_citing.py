"""A part of a quote as a quote."""

from __future__ import annotations

from agents.contract import Citation
from app.memory.citing import part_of, with_own_time
from app.memory.model.memory import Passage
from tests.support.sayings import START

WHOLE = Citation(
    source="memo",
    id="m",
    start_char=100,
    end_char=110,
    start_ms=1000,
    end_ms=3000,
    quote="one two six",
    captured_at=START,
)


def test_it_stands_where_it_stood_and_has_the_time_of_its_words_where_that_is_known() -> None:
    part = part_of(WHOLE, 4, 7)
    assert (part.quote, part.start_char, part.end_char) == ("two", 104, 107)
    assert with_own_time(part, []) == part
    assert (part.start_ms, part.end_ms) == (1000, 3000)
    words = [Passage(100, 103, "", 1000, 1200), Passage(104, 107, "", 1900, 2100), Passage(108, 111, "", 2500, 3000)]
    found = with_own_time(part, words)
    assert (found.start_ms, found.end_ms) == (1900, 2100)
