"""What items are called in a reply: by title, and by a short id as well where two that are named there share it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime

from agents.dates_in_words import say_when
from agents.index.items import Item
from agents.records import AnyRecord, Event

MIN_CODE_LENGTH, WHOLE_CODE_LENGTH = 6, 40
LONGEST_TITLE = 200


def codes_of(items: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The short ids of the items, given as id and title, that share their title with another one; by id.

    A short id is taken by words and paths: at least six characters, more where several ids begin with these.
    """
    titles = {known: title.casefold() for known, title in items}
    count = Counter(titles.values())
    shared = [known for known, title in titles.items() if count[title] > 1]
    length = next(
        (
            size
            for size in range(MIN_CODE_LENGTH, WHOLE_CODE_LENGTH)
            if len({one[:size] for one in shared}) == len(shared)
        ),
        WHOLE_CODE_LENGTH,
    )
    return {known: known[:length] for known in shared}


def codes_where_alike(items: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """Return the short ids, by id, of those that share title and time with another: given as id, title and time."""
    return codes_of((known, f"{title}\n{when}") for known, title, when in items)


def detailed_title(title: str, *details: str) -> str:
    """A title with what tells it apart from others."""
    said = ", ".join(filter(None, details))
    return f"{title} ({said})" if said else title


def titles_of(items: Sequence[Item], now: datetime | None = None) -> list[str]:
    """The titles, with a short id where several items share one; with ``now``, their times are told beside them."""
    codes = codes_where_alike((item.id, item.title, _when(item, now) if now else "") for item in items)
    return [detailed_title(item.title, codes.get(item.id, "")) for item in items]


def names_of(items: Sequence[Item], now: datetime) -> list[str]:
    """A name for each item that no other one has: its title, or else with its time, or else with a short id."""
    shared = codes_of((item.id, item.title) for item in items)
    codes = codes_where_alike((item.id, item.title, _when(item, now)) for item in items)
    return [
        detailed_title(
            item.title[:LONGEST_TITLE], *((_when(item, now), codes.get(item.id, "")) if item.id in shared else ())
        )
        for item in items
    ]


def _when(item: Item, now: datetime) -> str:
    when = moment_of(item.record)
    return say_when(when, now) if when else ""


def moment_of(record: AnyRecord) -> datetime | date | None:
    """When a record takes place, is due or rings; None for what has no time."""
    if isinstance(record, Event):
        return record.start
    return getattr(record, "deadline", None) or getattr(record, "remind_at", None)
