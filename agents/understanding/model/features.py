"""A sentence as hashed features: words, pairs of words, beginnings, and pieces of words against typos."""

from __future__ import annotations

import re
from collections.abc import Iterator
from zlib import crc32

BUCKETS = 1 << 16
MOST_WORDS = 40
WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+|[^\w\s]")
DIGIT = re.compile(r"\d")
PIECES = (3, 4, 5)


def words(text: str) -> list[str]:
    """The words that count, in lower case, digits as signs; of a long text its beginning and its end."""
    found = WORD.findall(text[:2000].lower().replace("’", "'"))
    kept = found if len(found) <= MOST_WORDS else [*found[: MOST_WORDS // 2], *found[-MOST_WORDS // 2 :]]
    return [DIGIT.sub("0", word) for word in kept if word.isalnum() or "'" in word or word in "?:"]


def features(text: str) -> list[int]:
    """The buckets that a sentence fills, each once."""
    return sorted({crc32(name.encode()) % BUCKETS for name in _names(words(text))})


def _names(said: list[str]) -> Iterator[str]:
    for before, word, after in zip(["^", *said], said, [*said[1:], "$"], strict=False):
        yield word
        yield f"{before} {word}"
        if after != "$":
            yield f"{before} _ {after}"
        yield from _pieces(word)
    if said:
        yield f"{said[-1]} $"
        yield f"^^ {' '.join(said[:3])}"


def _pieces(word: str) -> Iterator[str]:
    marked = f"<{word[:20]}>"
    for length in PIECES:
        for at in range(len(marked) - length + 1):
            yield f"#{marked[at : at + length]}"
