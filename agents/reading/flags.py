"""What is known of each word of a message before it is read."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from agents.reading.labels import FLAGS, TIME
from agents.reading.words import Span, plain
from agents.time import Clock, find_times


def flagged(text: str, words: Sequence[Span], clock: Clock, names: Mapping[str, Container[object]]) -> list[int]:
    """Return the flags of each word as bits; ``names`` has the words of the names that are known, by flag."""
    timed = {place for found in find_times(text, clock) for place in range(*found.span)}
    said = [plain(text[start:end]) for start, end in words]
    return [
        _known(word, names) | ((not timed.isdisjoint(range(start, end))) << TIME)
        for word, (start, end) in zip(said, words, strict=True)
    ]


def _known(word: str, names: Mapping[str, Container[object]]) -> int:
    """Return the flags of a word that stands in names."""
    return sum(1 << FLAGS.index(flag) for flag, known in names.items() if word in known)
