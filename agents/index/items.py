"""A stored record under its title, and all that it is filed under."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Literal, get_args

from agents.index.words import INITIALS, first_letters, stems
from agents.reading.words import LONGEST_NAME, telling
from agents.records import AnyRecord, Event, Kind, Note, ToDo, title_of
from agents.timers import is_timer

Order = tuple[float, ...]
"""Where a record stands among those of its kind."""
Facet = Literal[
    "word", "beside", "short", "code", "begins", "twin", "day", "always", "rings", "repeats", "timer", "list", "text",
    "in todo", "in event", "in note", "in line",
]  # fmt: skip
"""What a record is found by: a word of its title, one beside it (place, list, notes, tags), its initials, the first
letters of its id and of its title, the title itself; a day, or any day; that it rings, comes again, is a timer or a
list; a word of a note's text; and a word that is told to the reader, by where it stands."""
FACETS: tuple[Facet, ...] = get_args(Facet)
SHORT_ID = 6
"""Characters of an id that tell a record from its namesakes in a reply."""
BEGINNING = 3
"""Letters of a title that it is filed under."""
MOST_DAYS = 40
"""Days of one event that are filed one by one."""
BESIDE = ("list", "location", "notes", "content")
DAY = timedelta(days=1)
USUAL_LENGTH = timedelta(hours=1)


@dataclass(slots=True)
class Item:
    """A stored record under its title, with its telling words and its day; ``told`` are all its words, if asked for."""

    kind: Kind
    id: str
    title: str
    record: AnyRecord
    order: Order = field(default=(), compare=False, repr=False)
    words: tuple[str, ...] = field(init=False, compare=False)
    day: date | None = field(init=False, compare=False)
    told: frozenset[str] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        when = self.record.start if isinstance(self.record, Event) else getattr(self.record, "deadline", None)
        self.words, self.day = stems(self.title), when.date() if isinstance(when, datetime) else when


def item_of(kind: Kind, record: AnyRecord, order: Order) -> Item:
    """Return a record under its title."""
    return Item(kind, record.id, title_of(kind, vars(record)), record, order)


def plain_title(title: str) -> str:
    """Return a title as it is compared with others to tell that both are one thing."""
    return " ".join(title.casefold().split())


def words_beside(item: Item) -> tuple[str, ...]:
    """Return the words of an item's list, place, notes, content and tags."""
    record = item.record
    beside = " ".join(str(getattr(record, part, None) or "") for part in BESIDE)
    beside = f"{beside} {' '.join(getattr(record, 'tags', []))}"
    return stems(beside) if beside.strip() else ()


def text_of(item: Item) -> str:
    """Return all that a note says; of anything else its title."""
    note = item.record
    if not isinstance(note, Note):
        return item.title
    name = note.content or note.summary
    return f"{name}: {', '.join(line.text for line in note.items)}".strip(": ") if note.items else name


def filed_under(item: Item) -> Iterator[tuple[Facet, object]]:
    """Return what an item is found by; some of it twice."""
    record, short = item.record, first_letters(item.words)
    yield from (("word", word) for word in item.words)
    yield from (("beside", word) for word in words_beside(item))
    if INITIALS.fullmatch(short):
        yield "short", short
    if item.title:
        yield "begins", item.title.lower()[:BEGINNING]
    yield "code", item.id[:SHORT_ID]
    yield "twin", (item.kind, plain_title(item.title))
    if isinstance(record, ToDo):
        yield from _of_task(item, record)
    elif isinstance(record, Event):
        yield from _of_event(item, record)
    elif isinstance(record, Note):
        yield from _of_note(item, record)


def name_words(item: Item) -> frozenset[str]:
    """Return the words by which a message may name an item: those of its title that tell it apart, and its short id."""
    return telling(item.title[:LONGEST_NAME]) | {item.id[:SHORT_ID]}


def _of_task(item: Item, task: ToDo) -> Iterator[tuple[Facet, object]]:
    yield from (("in todo", word) for word in name_words(item))
    if item.day:
        yield "day", item.day
    if task.recurrence:
        yield "repeats", True
    if task.remind_at:
        yield "rings", True
        yield "day", task.remind_at.astimezone(UTC).date()
        if is_timer(vars(task)):
            yield "timer", True


def _of_event(item: Item, event: Event) -> Iterator[tuple[Facet, object]]:
    yield from (("in event", word) for word in name_words(item))
    first, last = _days_of(event)
    if event.recurrence or not timedelta() <= last - first <= MOST_DAYS * DAY:
        yield "always", True
    else:
        yield from (("day", first + at * DAY) for at in range((last - first).days + 1))


def _days_of(event: Event) -> tuple[date, date]:
    """Return the first and the last day of an event in UTC; where whole days begin there is for each zone to say."""
    if not isinstance(event.start, datetime):
        last = event.end if event.end is not None and not isinstance(event.end, datetime) else event.start
        return event.start - DAY, last + DAY
    end = event.end if isinstance(event.end, datetime) else event.start + USUAL_LENGTH
    return event.start.astimezone(UTC).date(), end.astimezone(UTC).date()


def _of_note(item: Item, note: Note) -> Iterator[tuple[Facet, object]]:
    yield from (("in note", word) for word in name_words(item))
    yield from (("in line", word) for line in note.items for word in telling(line.text[:LONGEST_NAME]))
    yield from (("text", word) for word in stems(text_of(item)))
    if item.day:
        yield "day", item.day
    if note.category == "list":
        yield "list", True
