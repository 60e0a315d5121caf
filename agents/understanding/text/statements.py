"""Whether words tell something rather than ask for it."""

from __future__ import annotations

from agents.understanding.grammar import patterns_of
from agents.understanding.text.filler import trim
from agents.understanding.text.verbs import is_verb

P = patterns_of(__name__)
IN_THE_WAY = P.IN_THE_WAY


def in_the_way(text: str) -> bool:
    """Whether words tell of something that stands where another thing was put."""
    return IN_THE_WAY.search(text) is not None


def is_statement(text: str) -> bool:
    """Whether words tell something rather than ask for it."""
    plain = trim(text)
    first = plain.split()[0].lower() if plain else ""
    return (
        P.STATEMENT.match(plain) is not None
        or P.TIME_AT_HAND.match(plain) is not None
        or P.OF_A_THING.match(plain) is not None
        or (not is_verb(first) and P.TELLING.search(plain) is not None)
    )
