"""How the fields of tools stand in records.

A time is as a model worked it out, beside the words that it was taken from: code reads plain dates itself.

Where the words stand in the message and say nothing but a day, or a day and a part of it, code's reading counts: it
knows the user's conventions. The hour of words that a standing wish speaks of is the model's. What hangs on the
dialogue or on a stored time is the model's to work out.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from agents.contract import Op, Proposal
from agents.ports import Ask
from agents.reading.words import split_words
from agents.records import FIELD_TYPES, AnyRecord, Kind
from agents.time import clock_for, find_times
from app.models.understanding.call_context import KINDS, CallContext, CannotDo

ASKED_REASON = "you asked for it"
Args = Mapping[str, Any]
RENAMED: dict[Kind, dict[str, str]] = {
    "todo": {
        "title": "task",
        "due": "deadline",
        "repeat": "recurrence",
        "steps": "solutions",
        "minutes": "time_to_complete",
    },
    "event": {"repeat": "recurrence"},
    "note": {"title": "summary", "text": "content", "remind_at": "deadline"},
}
"""What a tool calls a field that has another name in records."""
SPECIAL_FIELDS = frozenset({"status", "done_steps"})
"""What is more than a value."""
TIMES = frozenset({"due", "remind_at", "snooze_until", "start", "end"})
MOVABLE_TIMES = frozenset({"due", "start", "end"})
"""Times that keep their week where a stored thing gets another one."""
TIME_FORM_ERROR = "must be a day such as 2026-11-20 or a time such as 2026-11-20T15:00"
DAY_LENGTH = len("2026-11-20")
INSTANT = timedelta(microseconds=1)
LEADING_WORDS = frozenset("by on at until till due for before the in this".split())
"""Words that may stand before a time and say nothing beside it."""


def fields_of(kind: Kind, args: Args, context: CallContext, *, moves: bool) -> dict[str, Any]:
    """Return the values of a call as a record has them; an empty text clears a field. Raises CannotDo."""
    named = {name: RENAMED[kind].get(name, name) for name in args if name not in SPECIAL_FIELDS}
    known = {name: field for name, field in named.items() if field in FIELD_TYPES[kind].model_fields}
    return {field: _value(kind, name, args, context, moves=moves) for name, field in known.items()}


def _value(kind: Kind, name: str, args: Args, context: CallContext, *, moves: bool) -> Any:
    value, words = args[name], args.get("when_words", "")
    if value == "":
        return None
    if (kind, name) == ("todo", "remind_at"):
        return read_instant(name, value, words, context.ask)
    if name in TIMES:
        said = "" if name == "end" else words
        return read_time(name, value, said, context.ask, moves=moves and name in MOVABLE_TIMES)
    return value


def create(kind: Kind, fields: Args) -> Proposal:
    """Return something new."""
    return Proposal(op="create", kind=kind, fields=_serialize_fields(fields), reason=ASKED_REASON)


def change(record: AnyRecord, fields: Args, op: Op = "update") -> Proposal:
    """Return what becomes of a record."""
    known, values = record.id, _serialize_fields(fields)
    return Proposal(op=op, kind=KINDS[type(record)], record_id=known, fields=values, reason=ASKED_REASON)


def _serialize_fields(fields: Args) -> dict[str, Any]:
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in fields.items()}


def read_time(field: str, value: str, words: str, ask: Ask, *, moves: bool = False) -> date | datetime:
    """Return a day or an instant; ``moves``: something stored gets this time. Raises CannotDo."""
    stated = _parse_stated(field, value, ask)
    read = plain_reading(words, ask)
    if isinstance(read, datetime) and isinstance(stated, datetime) and _in_a_wish(words, ask):
        read = read.date()
    today = ask.at.astimezone(ZoneInfo(ask.timezone)).date()
    if read is None or day_of(read) < today <= day_of(stated):  # "the last Friday" is of a month that is spoken of
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
    if len(times) != 1:
        return None
    found = times[0]
    before, behind = ask.text[begin : max(found.span[0], begin)], ask.text[found.span[1] : end]
    unsure = found.rrule or not found.day_said or found.counts_on or found.alternatives or found.ambiguous
    if unsure or _words(behind) or not _words(before) <= LEADING_WORDS:
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


def _words(text: str) -> set[str]:
    return {word for a, b in split_words(text) if (word := text[a:b].lower()).isalnum()}


def _reconcile_times(stated: date | datetime, read: date | datetime, *, moves: bool) -> date | datetime:
    """Return the model's time on the day that code reads; in which week a stored thing lies is the model's to know."""
    same_weekday = stated.weekday() == read.weekday() and day_of(stated) != day_of(read)
    if moves and same_weekday:
        return stated
    if isinstance(read, datetime):  # a part of the day: its hour is a convention of the user's
        return read if isinstance(stated, datetime) else stated
    if not isinstance(stated, datetime):
        return read
    return stated.replace(year=read.year, month=read.month, day=read.day)


def day_of(when: date | datetime) -> date:
    """Return the day of an instant; a day as it is."""
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
