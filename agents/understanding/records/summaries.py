"""What a note is called: how its text begins."""

from __future__ import annotations

SUMMARY_WORDS = 10


def summary_of(content: str) -> str:
    """The first words of a note, at most ten."""
    words = content.split()
    return " ".join(words[:SUMMARY_WORDS])[:200] + (" …" if len(words) > SUMMARY_WORDS else "")
