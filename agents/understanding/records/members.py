"""Titles that name several people: "dinner with Ola and Bo", "ring Ann, Bob and Cy"."""

from __future__ import annotations

import re

from agents.index.items import Item
from agents.index.words import words_of

PARTING = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*")
BESIDE = re.compile(r" (?:with|w/) ")
NAMES = re.compile(r"[A-Z][\w'\u2019-]*(?:(?:,| and| &|, and) [A-Z][\w'\u2019-]*)+")
"""Names in a row; what is written small may be things to do: "wash and iron"."""


def names_a_part(name: str, item: Item) -> bool:
    """Return whether words name one of several things that a title joins, and not all: the jam of "jam and labels"."""
    parts = [set(words_of(one)) for one in PARTING.split(item.title)]
    named = set(words_of(name))
    return len(parts) > 1 and bool(named) and sum(bool(named & part) for part in parts) == 1


def without_member(name: str, item: Item) -> str:
    """Return a title that names several people without one of them; empty where it names none, or them alone."""
    beside, row = BESIDE.search(item.title), NAMES.search(item.title)
    start = beside.end() if beside and item.kind == "event" else row.start() if row and item.kind == "todo" else 0
    rest = row[0] if row and item.kind == "todo" else item.title[start:] if start else ""
    people = [one for one in PARTING.split(rest) if one]
    left = [one for one in people if set(words_of(one)) != set(words_of(name))]
    if not 0 < len(left) < len(people):
        return ""
    joined = " and ".join([*filter(None, [", ".join(left[:-1])]), left[-1]])
    return f"{item.title[:start]}{joined}{item.title[start + len(rest) :]}"
