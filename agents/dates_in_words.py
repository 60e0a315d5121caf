"""How a reply tells a date, a time of day and a length of time, relative to a clock and its zone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime, tzinfo
from typing import Literal

from agents.languages import MONTHS, WEEKDAYS, month_name, say, say_later, weekday_name
from agents.phrases import say_count

__all__ = [
    "MONTHS",
    "WEEKDAYS",
    "say_clock",
    "say_day",
    "say_duration",
    "say_hours",
    "say_moments",
    "say_on",
    "say_span",
    "say_spans",
    "say_when",
    "telling_times",
]
ClockForm = Literal["24h", "12h"]
"""On how many hours times of the day are told."""
_form: ContextVar[ClockForm] = ContextVar("summit_clock_form", default="24h")
NEAR_DAYS = {-1: say_later("yesterday"), 0: say_later("today"), 1: say_later("tomorrow")}


@contextmanager
def telling_times(form: ClockForm | None) -> Iterator[None]:
    """Tell all times of the day in a form inside, on 24 hours where none was chosen."""
    before = _form.set(form or "24h")
    try:
        yield
    finally:
        _form.reset(before)


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
    return NEAR_DAYS.get((day - now.date()).days, "")


def _local_day(value: datetime | date, now: datetime) -> date:
    if not isinstance(value, datetime):
        return value
    return (value.astimezone(now.tzinfo) if value.tzinfo else value).date()


def say_clock(instant: datetime, *, seconds: bool = False) -> str:
    """A clock time, "17:00" or "5:00 pm"; with ``seconds`` where it has some, "17:00:30"."""
    rest = f"{instant:%M:%S}" if seconds and instant.second else f"{instant:%M}"
    if _form.get() == "24h":
        return f"{instant:%H}:{rest}"
    return f"{instant.hour % 12 or 12}:{rest} {'am' if instant.hour < 12 else 'pm'}"  # noqa: PLR2004 - noon


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


def say_hours(start: datetime, end: datetime, now: datetime, *, day_known: bool = False) -> str:
    """From when to when within one day, "tomorrow, 15:00-16:00"; where its ``day_known`` is, only the hours."""
    hours = f"{say_clock(start)}-{say_clock(end)}"
    return hours if day_known else say("{day}, {hours}", day=say_day(start.date(), now), hours=hours)


def say_moments(moments: Sequence[datetime | date], now: datetime, day: date | None = None) -> list[str]:
    """Days and instants in words, the day only where it is another one than before; ``day`` is the one known already.

    Instants of one and the same hour on several days say the hour once, with the last one.
    """
    local = [_localize(one, now.tzinfo) for one in moments]
    clocks = {one.timetz() if isinstance(one, datetime) else None for one in local}
    days = [one.date() if isinstance(one, datetime) else one for one in local]
    if len(set(days)) == len(days) > 1 and len(clocks) == 1 and day not in days:
        return [*(say_day(one, now) for one in days[:-1]), say_when(local[-1], now)]
    before = [day, *days]
    return [
        say_clock(one) if isinstance(one, datetime) and own == known else say_when(one, now)
        for one, own, known in zip(local, days, before, strict=False)
    ]


def say_spans(spans: Sequence[tuple[datetime, datetime]], now: datetime) -> list[str]:
    """Stretches of time in words, each day once: "tomorrow from 09:00 to 11:00", "from 14:00 to 18:00"."""
    told: list[str] = []
    known: date | None = None
    for start, end in spans:
        begin, until = start.astimezone(now.tzinfo), end.astimezone(now.tzinfo)
        same = begin.date() == until.date() == known
        clocks = {"start": say_clock(begin), "end": say_clock(until)}
        told.append(say("from {start} to {end}", **clocks) if same else say_span(start, end, now))
        known = until.date()
    return told


def _localize(value: datetime | date, zone: tzinfo | None) -> datetime | date:
    return value.astimezone(zone) if isinstance(value, datetime) and value.tzinfo else value


def say_duration(minutes: int) -> str:
    """A length of time given in minutes: "45 minutes", "1 hour 30 minutes", "2 days"."""
    days, rest = divmod(max(minutes, 0), 24 * 60)
    hours, left = divmod(rest, 60)
    counts = ((days, "day"), (hours, "hour"), (left, "minute"))
    return " ".join(say_count(count, unit) for count, unit in counts if count) or say_count(0, "minute")
