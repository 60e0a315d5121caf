"""A reading under the conventions of one user: parts of the day get that user's hours, working days that user's days."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from agents.conventions import Conventions, as_time
from agents.time.values import CODES, Length, Moment, OfDay, Range, Reading, Repeat

FIELDS = {
    "morning": "morning",
    "noon": "noon",
    "afternoon": "afternoon",
    "evening": "evening",
    "eve": "evening",
    "night": "tonight",
    "start of work": "working_start",
    "end of work": "working_end",
    "end of day": "working_end",
}
DEFAULT = Conventions()


@cache
def hours_of(conventions: Conventions) -> dict[str, tuple[int, int]]:
    """Hour and minute of each part of the day."""
    clocks = {part: as_time(getattr(conventions, name)) for part, name in FIELDS.items()}
    return {part: (clock.hour, clock.minute) for part, clock in clocks.items()}


def by_conventions(value: Reading, conventions: Conventions) -> Reading:
    """The same reading with the hours and days that these conventions give its words."""
    if isinstance(value, Length) or conventions == DEFAULT:
        return value
    if isinstance(value, Range):
        ends = (end and _moment(end, conventions) for end in (value.start, value.end))
        return replace(value, start=next(ends), end=next(ends))
    return _repeat(value, conventions) if isinstance(value, Repeat) else _moment(value, conventions)


def _moment(moment: Moment, conventions: Conventions) -> Moment:
    clock = moment.time and _clock(moment.time, conventions)
    return replace(moment, time=clock, base=moment.base and _moment(moment.base, conventions))


def _repeat(repeat: Repeat, conventions: Conventions) -> Repeat:
    return replace(
        repeat,
        time=repeat.time and _clock(repeat.time, conventions),
        end_time=repeat.end_time and _clock(repeat.end_time, conventions),
        hours=tuple(_clock(clock, conventions) for clock in repeat.hours),
        start=repeat.start and _moment(repeat.start, conventions),
        until=repeat.until and _moment(repeat.until, conventions),
        byday=tuple(CODES[day] for day in conventions.working_weekdays) if repeat.worked else repeat.byday,
    )


def _clock(clock: OfDay, conventions: Conventions) -> OfDay:
    if clock.part not in FIELDS:
        return replace(clock, dawn=conventions.first_morning_hour)
    hour, minute = hours_of(conventions)[clock.part]
    return replace(clock, hour=hour, minute=minute)
