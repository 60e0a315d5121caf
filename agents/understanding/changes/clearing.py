"""Values that are taken away: a deadline, a repetition, a priority, a place, a length that is no more."""

from __future__ import annotations

from typing import Any

from agents.index.items import Item
from agents.index.words import tokens
from agents.reading.reading import Clause
from agents.records import FIELD_TYPES
from agents.understanding.slot_values import NOTHING_WORDS, loose_words

ENDING = NOTHING_WORDS | frozenset("stop stops isn't not longer off doesn't".split())
FIELDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys("repeat repeats repeating repeated recurring recurrence series".split(), ("recurrence",)),
    **dict.fromkeys("deadline date due".split(), ("deadline",)),
    **dict.fromkeys(("reminder", "remind"), ("remind_at",)),
    **dict.fromkeys(("priority", "prio"), ("priority",)),
    **dict.fromkeys("place location address room".split(), ("location",)),
    **dict.fromkeys("estimate length duration".split(), ("time_to_complete",)),
    "difficulty": ("difficulty",), "steps": ("solutions", "done_steps"), "notes": ("notes",), "tags": ("tags",),
    **dict.fromkeys("daily weekly monthly yearly".split(), ("recurrence",)),
}  # fmt: skip
"""The fields that a noun or a verb speaks of."""
LEVELS = frozenset("high higher low lower medium urgent top p1 p2 p3 easy hard".split())
EMPTY_VALUES: dict[str, Any] = {"tags": [], "solutions": [], "done_steps": [], "notes": ""}


def find_emptied(clause: Clause, item: Item) -> dict[str, Any]:
    """Return the fields that a clause empties; nothing where it says none, or gives a value."""
    said = {*tokens(clause.words("w", "pr", "p", "df", "d")), *loose_words(clause)}
    if not said & ENDING or said & LEVELS or any(word[0].isdigit() for word in said):
        return {}
    known = FIELD_TYPES[item.kind].model_fields
    wanted = dict.fromkeys(name for word, names in FIELDS.items() if word in said for name in names if name in known)
    return {name: EMPTY_VALUES.get(name) for name in wanted if getattr(item.record, name, None)}
