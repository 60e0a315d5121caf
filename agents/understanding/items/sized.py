"""Which tasks take so long: "less than half an hour", "over an hour", "under 20 minutes"."""

from __future__ import annotations

from collections.abc import Sequence

from agents.dates_in_words import say_duration
from agents.records import ToDo
from agents.understanding.grammar import patterns_of
from agents.understanding.references import Item

P = patterns_of(__name__)
LIMIT = P.LIMIT
FOREMOST = P.FOREMOST
LEVELS = {
    "priority": ("high", "medium", "low"),
    "difficulty": ("hard", "medium", "easy"),
    "easy": ("easy", "medium", "hard"),
}


def limited(found: Sequence[Item], minutes: int | None, text: str) -> tuple[list[Item], str]:
    """The tasks whose estimate keeps to what was said, and the words for it; all of them when nothing was."""
    limit = LIMIT.search(text)
    if limit is None or minutes is None:
        return list(found), ""
    fitting = [item for item in found if _fits(item, minutes, most=limit["most"] is not None)]
    return fitting, f" of {'at most' if limit['most'] else 'at least'} {say_duration(minutes)}"


def extreme(found: Sequence[Item], text: str) -> list[Item]:
    """With "longest" or "shortest", the tasks that take so long; all of them without."""
    said = P.EXTREME.search(text)
    known = [item.record.time_to_complete for item in found if isinstance(item.record, ToDo)]
    lengths = [minutes for minutes in known if minutes is not None]
    if said is None or not lengths:
        return list(found)
    wanted = max(lengths) if said["long"] else min(lengths)
    return [item for item in found if isinstance(item.record, ToDo) and item.record.time_to_complete == wanted]


def foremost(found: Sequence[Item], text: str) -> list[Item]:
    """With "hardest" or "easiest", the tasks of that difficulty, with "most important" those of the highest priority."""
    said = FOREMOST.search(text)
    if said is None:
        return list(found)
    name = "priority" if said["weighty"] else "difficulty"
    order = LEVELS["easy" if said["easy"] else name]
    ranked = [order.index(level) for item in found if (level := getattr(item.record, name, None)) in order]
    return [item for item in found if ranked and getattr(item.record, name, None) == order[min(ranked)]]


def _fits(item: Item, minutes: int, *, most: bool) -> bool:
    known = item.record.time_to_complete if isinstance(item.record, ToDo) else None
    return known is not None and (known <= minutes if most else known >= minutes)
