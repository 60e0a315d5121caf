"""A time as a model worked it out, beside the words that it was taken from: code reads plain dates itself.

Where the words stand in the message and say nothing but a day, or a day and a part of it, code's reading counts: it
knows the user's conventions. The hour of words that a standing wish speaks of is the model's. What hangs on the
dialogue or on a stored time is the model's to work out.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from agents.ports import Ask
from agents.reading.words import split_words
from agents.time import FoundTime, clock_for, find_times
from app.models.understanding.call_context import CannotDo

TIME_FORM_ERROR = "must be a day such as 2026-11-20 or a time such as 2026-11-20T15:00"
DAY_LENGTH = len("2026-11-20")
INSTANT = timedelta(microseconds=1)
LEADING_WORDS = frozenset("by on at until till due for before the in this".split())
"""Words that may stand before a time and say nothing beside it."""


def read_time(field: str, value: str, words: str, ask: Ask, *, moves: bool = False) -> date | datetime:
    """Return a day or an instant; ``moves``: something stored gets this time. Raises CannotDo."""
    stated = _parse_stated(field, value, ask)
    read = plain_reading(words, ask)
    if isinstance(read, datetime) and isinstance(stated, datetime) and _in_a_wish(words, ask):
        read = read.date()
    today = ask.at.astimezone(ZoneInfo(ask.timezone)).date()
    if read is None or _day(read) < today <= _day(stated):  # "the last Friday" is of a month that is spoken of
        return stated
    return _reconcile_times(stated, read, moves=moves)


def read_instant(field: str, value: str, words: str, ask: Ask) -> datetime:
    """Return an instant; a mere day is its morning by the user's conventions. Raises CannotDo."""
    found = read_time(field, value, words, ask)
    if isinstance(found, datetime):
        return found
    return datetime.fromisoformat(f"{found}T{ask.conventions.morning}").replace(tzinfo=ZoneInfo(ask.timezone))


def read_day(field: str, value: str) -> date:
    """Return a day. Raises CannotDo."""
    try:
        return date.fromisoformat(value.strip()[:DAY_LENGTH])
    except ValueError:
        raise CannotDo(f"{field} {TIME_FORM_ERROR}") from None


def plain_reading(words: str, ask: Ask) -> date | datetime | None:
    """Return the day, or the hour of a part of a day, that words of the message say alone; None for all others."""
    begin = ask.text.lower().find(words.strip().lower()) if words.strip() else -1
    if begin < 0:
        return None
    end = begin + len(words.strip())
    clock = clock_for(ask.at, ask.timezone, ask.conventions)
    times = [one for one in find_times(ask.text, clock) if one.span[0] < end and begin < one.span[1]]
    if len(times) != 1 or not _is_all(times[0], begin, end, ask.text):
        return None
    return _plain(times[0])


def _plain(found: FoundTime) -> date | datetime | None:
    if found.rrule or not found.day_said or found.counts_on or found.alternatives or found.ambiguous:
        return None
    if found.stretch and found.start:
        return found.start
    if found.timed or found.grain != "day" or found.kind not in ("point", "open_before") or found.end is None:
        return None
    return (found.end - INSTANT).date()


def _in_a_wish(words: str, ask: Ask) -> bool:
    """Return whether a standing wish speaks of these words: what hour they mean is the model's to read there."""
    said = " ".join(word for word in words.lower().split() if word not in LEADING_WORDS)
    return any(said in one.text.lower() for one in ask.records.instructions)


def _is_all(found: FoundTime, begin: int, end: int, text: str) -> bool:
    """Return whether the words say nothing but this time."""
    before, behind = text[begin : max(found.span[0], begin)], text[found.span[1] : end]
    return _words(before) <= LEADING_WORDS and not _words(behind)


def _words(text: str) -> set[str]:
    return {word for a, b in split_words(text) if (word := text[a:b].lower()).isalnum()}


def _reconcile_times(stated: date | datetime, read: date | datetime, *, moves: bool) -> date | datetime:
    """Return the model's time on the day that code reads; in which week a stored thing lies is the model's to know."""
    same_weekday = stated.weekday() == read.weekday() and _day(stated) != _day(read)
    if moves and same_weekday:
        return stated
    if isinstance(read, datetime):  # a part of the day: its hour is a convention of the user's
        return read if isinstance(stated, datetime) else stated
    if not isinstance(stated, datetime):
        return read
    return stated.replace(year=read.year, month=read.month, day=read.day)


def _day(when: date | datetime) -> date:
    return when.date() if isinstance(when, datetime) else when


def _parse_stated(field: str, value: str, ask: Ask) -> date | datetime:
    text = value.strip().replace(" ", "T")
    try:
        if len(text) == DAY_LENGTH:
            return date.fromisoformat(text)
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise CannotDo(f"{field} {TIME_FORM_ERROR}") from None
    zone = ZoneInfo(ask.timezone)
    return moment.replace(tzinfo=zone) if moment.tzinfo is None else moment.astimezone(zone)
