"""Records as lines that a model reads: the title, then what says something, times on the user's clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from agents.contract import Imported
from agents.fields import FIELDS
from agents.records import Event, Note, Profile, ToDo
from agents.recurrence.expand import occurrences

Listed = ToDo | Event | Note
LONGEST_VALUE, LONGEST_TEXT = 300, 120
"""Characters of a value of what the message is about, and of a text that it is not about."""
NEXT_START_HORIZON = timedelta(days=400)
DAY_LENGTH = len("Wed 2026-11-18")


def line_of(record: Listed, now: datetime, *, whole: bool) -> str:
    """Return a record on one line, without its id; ``whole``: with all that it says."""
    return "; ".join(WRITERS[type(record)](record, now, LONGEST_VALUE if whole else LONGEST_TEXT))


def profile_line(profile: Profile) -> str:
    """Return what is known of the user on one line."""
    return "; ".join(_write_profile(profile))


def imported_line(one: Imported, zone: tzinfo | None) -> str:
    """Return an appointment of another calendar, whose words are a stranger's."""
    when = span(one.start.astimezone(zone), one.end.astimezone(zone))
    return f"{plain(one.title, LONGEST_TEXT)}; {when}; calendar {plain(one.calendar, LONGEST_TEXT)}"


def plain(text: str, longest: int) -> str:
    """Return a text on one line, cut, and without the sign that our own blocks begin and end with."""
    line = " ".join(text.split()).replace("<", "\\u003c")
    return f"{line[:longest]}…" if len(line) > longest else line


def moment(when: date, zone: tzinfo | None) -> str:
    """Return a day or an instant on the user's clock, with its weekday."""
    if isinstance(when, datetime):
        return f"{when.astimezone(zone) if zone else when:%a %Y-%m-%d %H:%M}"
    return f"{when:%a %Y-%m-%d}"


def span(start: date, end: date | None, zone: tzinfo | None = None) -> str:
    """Return from when to when; the day of the end only where it is another one."""
    begins = moment(start, zone)
    if end is None or end == start:
        return begins
    ends = moment(end, zone)
    same = isinstance(end, datetime) and begins[:DAY_LENGTH] == ends[:DAY_LENGTH]
    return f"{begins}-{ends[DAY_LENGTH:].strip()}" if same else f"{begins} to {ends}"


def next_start(event: Event, now: datetime) -> datetime | None:
    """Return when a series takes place next, or is taking place."""
    zone = now.tzinfo if isinstance(now.tzinfo, ZoneInfo) else None
    return next((one.start for one in occurrences(event, now, now + NEXT_START_HORIZON, zone)), None)


def _write_task(task: ToDo, now: datetime, longest: int) -> Iterator[str]:
    yield plain(task.task, LONGEST_VALUE)
    if task.kind != "todo" and not task.remind_at:
        yield task.kind
    yield from _write_times(now.tzinfo, due=task.deadline, reminds=task.remind_at, snoozed_until=task.snooze_until)
    if task.status != "not started":
        yield task.status
    for name, field in FIELDS.items():
        if field.label and (value := getattr(task, name)):
            yield f"{field.label}{plain(value, longest) if field.is_searched else value}"
    if task.solutions:
        yield f"steps: {_number_lines((step, step in task.done_steps) for step in task.solutions)}"
    if task.notes:
        yield plain(task.notes, longest)


def _write_event(event: Event, now: datetime, longest: int) -> Iterator[str]:
    yield plain(event.title, LONGEST_VALUE)
    yield span(event.start, event.end, now.tzinfo)
    if event.recurrence:
        yield f"repeats {event.recurrence}"
        coming, first = next_start(event, now), event.start
        if coming and not (isinstance(first, datetime) and coming == first):
            yield f"next {moment(coming, now.tzinfo)[:DAY_LENGTH]}"
    yield from (plain(text, longest) for text in (event.location, event.notes) if text)


def _write_note(note: Note, now: datetime, longest: int) -> Iterator[str]:
    yield plain(note.summary or note.content, LONGEST_VALUE)
    if note.category not in ("note", "list"):
        yield note.category
    yield from _write_times(now.tzinfo, reminds=note.deadline, snoozed_until=note.snooze_until)
    if note.items:
        yield _number_lines((line.text, line.done) for line in note.items)
    elif note.category == "list":
        yield "(empty)"
    text = plain(note.content, longest)
    if text and not plain(note.summary, LONGEST_VALUE).startswith(text):
        yield text


def _write_times(zone: tzinfo | None, **times: date | None) -> Iterator[str]:
    yield from (f"{name.replace('_', ' ')} {moment(when, zone)}" for name, when in times.items() if when)


def _number_lines(lines: Iterator[tuple[str, bool]]) -> str:
    return ", ".join(f"{n} {plain(text, LONGEST_TEXT)}{' (done)' * done}" for n, (text, done) in enumerate(lines, 1))


def _write_profile(profile: Profile) -> Iterator[str]:
    for name in ("name", "location", "job", "college", "course"):
        if value := getattr(profile, name):
            yield f"{name} {plain(value, LONGEST_VALUE)}"
    if profile.interests:
        yield f"interests {plain(', '.join(profile.interests), LONGEST_VALUE)}"
    for name, fact in profile.facts.items():
        since = f" since {profile.since[name]}" if name in profile.since else ""
        yield f"{plain(name, LONGEST_TEXT)}: {plain(fact, LONGEST_TEXT)}{since}"


WRITERS: dict[type, Callable[[Any, datetime, int], Iterator[str]]] = {
    ToDo: _write_task,
    Event: _write_event,
    Note: _write_note,
}
