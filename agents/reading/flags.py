"""What is known of each word of a message before it is read."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from agents.reading.labels import FLAGS, TIME
from agents.reading.words import Span, plain
from agents.time import FoundTime


def flag_words(
    text: str, words: Sequence[Span], times: Sequence[FoundTime], names: Mapping[str, Container[object]]
) -> list[int]:
    """Return the flags of each word as bits; ``times`` were found in the text, ``names`` has known words by flag."""
    timed = {place for found in times for place in range(*found.span)}
    said = [plain(text[start:end]) for start, end in words]
    return [
        _name_flags(word, names) | ((not timed.isdisjoint(range(start, end))) << TIME)
        for word, (start, end) in zip(said, words, strict=True)
    ]


def _name_flags(word: str, names: Mapping[str, Container[object]]) -> int:
    """Return the flags of a word that stands in names."""
    return sum(1 << FLAGS.index(flag) for flag, known in names.items() if word in known)
