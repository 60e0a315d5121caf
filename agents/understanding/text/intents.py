"""What a clause wants: every intent whose pattern fits, in the order of the patterns."""

from __future__ import annotations

from agents.understanding.text.patterns import PATTERNS
from agents.understanding.text.patterns.pattern import Intent, Name, Pattern

__all__ = ["Intent", "Name", "Pattern", "read"]


def read(clause: str) -> list[Intent]:
    """Every intent whose pattern fits, the most specific first."""
    found: list[Intent] = []
    for pattern in PATTERNS:
        match = pattern.words.search(clause) if pattern.anywhere else pattern.words.match(clause)
        if match and not any(intent.name == pattern.name for intent in found):
            parts = {name: value.strip() for name, value in match.groupdict().items() if value and value.strip()}
            found.append(Intent(pattern.name, pattern.sure, parts))
    return found
