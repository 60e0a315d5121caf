"""The words of a text."""

from __future__ import annotations

import re

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s]|_|\n+")
COMMON = frozenset(
    "the a an my our your to of for with on in at and or it that this one please about from i we you is".split()
)
"""Words that stand in too many names to tell of one."""

LONGEST_NAME = 200
"""Characters of a name that are looked at."""

Span = tuple[int, int]
"""Characters of a text, from the first to after the last."""


def split_words(text: str) -> list[Span]:
    """Return where each word and each sign stands; lines are told apart by a word of their own."""
    return [match.span() for match in WORD.finditer(text)]


def plain(word: str) -> str:
    """Return a word as it is compared with others: lower case, straight apostrophes, no plural or possessive s."""
    word = word.lower().replace("’", "'").removesuffix("'s")
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word  # noqa: PLR2004 - "bus"


def telling(name: str) -> frozenset[str]:
    """Return the words of a name that tell it from others."""
    words = (name[start:end] for start, end in split_words(name))
    return frozenset(plain(word) for word in words if word[0].isalnum() and word.lower() not in COMMON)
