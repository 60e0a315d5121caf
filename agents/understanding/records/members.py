"""Titles that name several people: "dinner with Ola and Bo", "ring Ann, Bob and Cy"."""

from __future__ import annotations

import re

from agents.index.items import Item
from agents.index.words import words_of

PARTING = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*")
NAMES = re.compile(r"[A-Z][\w'\u2019-]*(?:(?:,| and| &|, and) [A-Z][\w'\u2019-]*)+")
"""Names in a row; what is written small may be things to do: "wash and iron"."""


def without_member(name: str, item: Item) -> str:
    """Return a title that names several people without one of them; empty where it names none, or them alone."""
    head, beside, guests = item.title.partition(" with ")
    row = NAMES.search(item.title)
    start, rest = (len(head + beside), guests) if item.kind == "event" else (row.start(), row[0]) if row else (0, "")
    people = [one for one in PARTING.split(rest) if one]
    left = [one for one in people if set(words_of(one)) != set(words_of(name))]
    if not 0 < len(left) < len(people):
        return ""
    joined = " and ".join([*filter(None, [", ".join(left[:-1])]), left[-1]])
    return f"{item.title[:start]}{joined}{item.title[start + len(rest) :]}"
