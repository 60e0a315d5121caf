"""What is known of each word of a message before it is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from agents.reading.labels import FLAGS, TIME
from agents.reading.words import Span, plain, telling
from agents.time import Clock, find_times

LONGEST_NAME = 200
"""Characters of a name that are looked at."""


def flagged(text: str, words: Sequence[Span], clock: Clock, names: Mapping[str, Iterable[str]]) -> list[int]:
    """Return the flags of each word as bits; ``names`` has the names that are known, by flag."""
    timed = {place for found in find_times(text, clock) for place in range(*found.span)}
    said = [plain(text[start:end]) for start, end in words]
    known = _known(frozenset(said), names)
    return [
        known.get(word, 0) | ((not timed.isdisjoint(range(start, end))) << TIME)
        for word, (start, end) in zip(said, words, strict=True)
    ]


def _known(said: frozenset[str], names: Mapping[str, Iterable[str]]) -> dict[str, int]:
    """The flags of those words that stand in a name."""
    known: dict[str, int] = {}
    for flag, titles in names.items():
        bit = 1 << FLAGS.index(flag)
        for title in titles:
            words = telling(title[:LONGEST_NAME])
            if not said.isdisjoint(words):
                known.update({word: known.get(word, 0) | bit for word in said & words})
    return known
