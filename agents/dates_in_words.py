"""How a reply tells a date, a time of day and a length of time, relative to a clock and its zone."""

from __future__ import annotations

from datetime import date, datetime

from agents.languages import MONTHS, WEEKDAYS, deferred, month_name, say, weekday_name
from agents.phrases import say_count

__all__ = [
    "MONTHS",
    "WEEKDAYS",
    "say_clock",
    "say_day",
    "say_duration",
    "say_on",
    "say_span",
    "say_when",
]
NEAR = {-1: deferred("yesterday"), 0: deferred("today"), 1: deferred("tomorrow")}


def say_when(value: datetime | date, now: datetime) -> str:
    """A day or an instant in words, in the zone of ``now``: "tomorrow at 17:00", "Friday 27 November"."""
    if not isinstance(value, datetime):
        return say_day(value, now)
    local = value.astimezone(now.tzinfo) if value.tzinfo else value
    return say("{day} at {clock}", day=say_day(local.date(), now), clock=say_clock(local))


def say_on(value: datetime | date, now: datetime) -> str:
    """A day or an instant as part of a sentence: "on Friday 27 November", but "tomorrow"."""
    said = say_when(value, now)
    return said if _near(_local_day(value, now), now) else say("on {when}", when=said)


def say_day(day: date, now: datetime) -> str:
    """A day in words; the year is said only when it is another one."""
    if near := _near(day, now):
        return say(near)
    named = {"weekday": weekday_name(day.weekday()), "day": day.day, "month": month_name(day)}
    if day.year == now.year:
        return say("{weekday} {day} {month}", **named)
    return say("{weekday} {day} {month} {year}", **named, year=day.year)


def _near(day: date, now: datetime) -> str:
    return NEAR.get((day - now.date()).days, "")


def _local_day(value: datetime | date, now: datetime) -> date:
    if not isinstance(value, datetime):
        return value
    return (value.astimezone(now.tzinfo) if value.tzinfo else value).date()


def say_clock(instant: datetime) -> str:
    """A clock time on 24 hours."""
    return f"{instant:%H:%M}"


def say_span(start: datetime | date, end: datetime | date | None, now: datetime) -> str:
    """From when to when; the second day is said only when it is another one."""
    if end is None or end == start:
        return say_when(start, now)
    if isinstance(start, datetime) and isinstance(end, datetime):
        start, end = start.astimezone(now.tzinfo), end.astimezone(now.tzinfo)
        if start.date() == end.date():
            clocks = {"start": say_clock(start), "end": say_clock(end)}
            return say("{day} from {start} to {end}", day=say_day(start.date(), now), **clocks)
    return say("{start} to {end}", start=say_when(start, now), end=say_when(end, now))


def say_duration(minutes: int) -> str:
    """A length of time given in minutes: "45 minutes", "1 hour 30 minutes", "2 days"."""
    days, rest = divmod(max(minutes, 0), 24 * 60)
    hours, left = divmod(rest, 60)
    counts = ((days, "day"), (hours, "hour"), (left, "minute"))
    return " ".join(say_count(count, unit) for count, unit in counts if count) or say_count(0, "minute")
