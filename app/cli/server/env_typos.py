"""Names in the environment that look like settings and are none: a misspelt one would be ignored without a word."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from app.settings import Settings

PREFIX = "SUMMIT_"
FOREIGN_PREFIXES = ("SUMMIT_API_KEY", "SUMMIT_TEST_", "SUMMIT_START_")
"""The key that ``summit say`` and ``chat`` send, and switches of the tests."""


def find_typos(names: Iterable[str]) -> list[str]:
    """A sentence for each name that begins like a setting and is unknown, with the likeliest one that was meant."""
    known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    ours = sorted(name for name in names if name.upper().startswith(PREFIX))
    return [
        _sentence(name, known)
        for name in ours
        if name.upper() not in known and not name.upper().startswith(FOREIGN_PREFIXES)
    ]


def _sentence(name: str, known: Iterable[str]) -> str:
    close = get_close_matches(name.upper(), known, n=1)
    hint = f"did you mean {close[0]}?" if close else "docs/operate/settings.md lists them all."
    return f"{name} is no setting; {hint}"
