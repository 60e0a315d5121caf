"""What a clause wants: every intent whose pattern fits, in the order of the patterns."""

from __future__ import annotations

from agents.time.prefilter import Prefiltered, firsts_of, folded
from agents.understanding.text.patterns import PATTERNS
from agents.understanding.text.patterns.pattern import Intent, Name, Pattern

__all__ = ["Intent", "Name", "Pattern", "read"]

Ways = list[tuple[Pattern, Prefiltered | None]]


def read(clause: str) -> list[Intent]:
    """Every intent whose pattern fits, the most specific first."""
    found: list[Intent] = []
    text = folded(clause)
    for pattern, needs in BY_FIRST.get(text[:1], ANYHOW):
        if needs is not None and not needs.may_match(text):
            continue
        match = pattern.words.search(clause) if pattern.anywhere else pattern.words.match(clause)
        if match and not any(intent.name == pattern.name for intent in found):
            parts = {name: value.strip() for name, value in match.groupdict().items() if value and value.strip()}
            found.append(Intent(pattern.name, pattern.sure, parts))
    return found


def _by_first() -> tuple[dict[str, Ways], Ways]:
    """The patterns by the character that a clause begins with, and those that any may begin."""
    ways = [(pattern, None if pattern.anywhere else firsts_of(pattern.words)) for pattern in PATTERNS]
    # Each look at what a pattern needs is made once: parsing them is a good part of the start.
    looked = [((pattern, Prefiltered(pattern.words) if firsts is None else None), firsts) for pattern, firsts in ways]
    begun = {
        first: [way for way, firsts in looked if firsts is None or first in firsts]
        for first in {first for _, firsts in ways for first in firsts or ()}
    }
    return begun, [way for way, firsts in looked if firsts is None]


BY_FIRST, ANYHOW = _by_first()
