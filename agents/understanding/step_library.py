"""Verb patterns and their steps as data: (verbs, shape of the object, steps). ``{x}`` is the object as it was said."""

from __future__ import annotations

X = r"(?P<x>.{2,120}?)"
DET = r"(?:the |my |our |a |an |some )?"

LIBRARY: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "write|draft",
        rf"{X}",
        (
            "List what {x} must say",
            "Write a rough version of {x}",
            "Cut and order {x}",
            "Read {x} aloud and correct it",
        ),
    ),
)
