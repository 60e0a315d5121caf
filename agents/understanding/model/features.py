"""A sentence as hashed features: words, pairs of words, beginnings, the same under masks, and pieces against typos."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from zlib import crc32

from agents.understanding.grammar import patterns_of
from agents.understanding.model.masks import gathered, masked

BUCKETS = 1 << 16
MOST_WORDS = 40
P = patterns_of(__name__)
PIECES = (3, 4, 5)


def words(text: str) -> list[str]:
    """The words that count, in lower case, digits as signs; of a long text its beginning and its end."""
    found = P.WORD.findall(text[:2000].lower().replace("’", "'"))
    kept = found if len(found) <= MOST_WORDS else [*found[: MOST_WORDS // 2], *found[-MOST_WORDS // 2 :]]
    return [P.DIGIT.sub("0", word) for word in kept if word.isalnum() or "'" in word or word in "?:"]


def features(text: str) -> list[int]:
    """The buckets that a sentence fills, each once."""
    return sorted({crc32(name.encode()) % BUCKETS for name in _names(words(text))})


def _names(said: list[str]) -> Iterator[str]:
    yield from _row(said)
    for word in said:
        yield from _pieces(word)
    if said:
        yield f"^^ {' '.join(said[:3])}"
    hidden = masked(said)
    if hidden != said:
        yield from (f"~{name}" for name in _row(hidden) if "@" in name)
        run = gathered(hidden)
        yield from (f"={name}" for name in (*_row(run), *_threes(run)) if "@" in name)


def _row(said: Sequence[str]) -> Iterator[str]:
    """Each word, each with the one before it, and those around each."""
    for before, word, after in zip(["^", *said], said, [*said[1:], "$"], strict=False):
        yield word
        yield f"{before} {word}"
        if after != "$":
            yield f"{before} _ {after}"
    if said:
        yield f"{said[-1]} $"


def _threes(said: Sequence[str]) -> Iterator[str]:
    for before, word, after in zip(["^", *said], said, [*said[1:], "$"], strict=False):
        yield f"{before} {word} {after}"


def _pieces(word: str) -> Iterator[str]:
    marked = f"<{word[:20]}>"
    for length in PIECES:
        for at in range(len(marked) - length + 1):
            yield f"#{marked[at : at + length]}"
