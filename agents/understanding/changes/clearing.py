"""Values that are taken away: a deadline, a repetition, a priority, a place, a length that is no more."""

from __future__ import annotations

from typing import Any

from agents.fields import FIELDS
from agents.index.items import Item
from agents.index.words import tokens
from agents.reading.reading import Clause
from agents.records import FIELD_TYPES
from agents.understanding.slot_values import NOTHING_WORDS, loose_words

ENDING = NOTHING_WORDS | frozenset("stop stops isn't not longer off doesn't".split())
LEVELS = frozenset("high higher low lower medium urgent top p1 p2 p3 easy hard".split())


def find_emptied(clause: Clause, item: Item) -> dict[str, Any]:
    """Return the fields that a clause empties; nothing where it says none, or gives a value."""
    said = {*tokens(clause.words("w", "pr", "p", "df", "d")), *loose_words(clause)}
    if not said & ENDING or said & LEVELS or any(word[0].isdigit() for word in said):
        return {}
    known = FIELD_TYPES[item.kind].model_fields
    wanted = [name for name, field in FIELDS.items() if name in known and said & set(field.nouns.split())]
    return {name: known[name].get_default() for name in wanted if getattr(item.record, name, None)}
