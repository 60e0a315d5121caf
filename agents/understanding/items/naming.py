"""What candidates are called when a question names them: by title, else by when they are, else by a short id."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from agents.records import Event, ToDo
from agents.understanding.references import Item
from agents.wording import say_when

SHORTEST, WHOLE = 6, 40
LONGEST_TITLE = 200


def names_of(items: Sequence[Item], now: datetime) -> list[str]:
    """A name for each item that no other one has; a short id of at least six characters is taken by words and paths."""
    titles = [item.title[:LONGEST_TITLE] for item in items]
    dated = [_with(title, _when(item, now)) for title, item in zip(titles, items, strict=True)]
    coded = [_with(title, code) for title, code in zip(titles, _codes(items), strict=True)]
    return [_first_alone(at, (titles, dated, coded)) for at in range(len(items))]


def _first_alone(at: int, ways: Sequence[list[str]]) -> str:
    same = [[name.lower() for name in names].count(names[at].lower()) for names in ways]
    return next((names[at] for names, count in zip(ways, same, strict=True) if count == 1), ways[-1][at])


def _with(title: str, detail: str) -> str:
    return f"{title} ({detail})" if detail else title


def _when(item: Item, now: datetime) -> str:
    when = _moment(item)
    return say_when(when, now) if when else ""


def _moment(item: Item) -> datetime | date | None:
    if isinstance(item.record, Event):
        return item.record.start
    return item.record.deadline or item.record.remind_at if isinstance(item.record, ToDo) else None


def _codes(items: Sequence[Item]) -> list[str]:
    ids = [item.id for item in items]
    length = next((size for size in range(SHORTEST, WHOLE) if len({name[:size] for name in ids}) == len(ids)), WHOLE)
    return [name[:length] for name in ids]
