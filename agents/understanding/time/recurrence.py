"""A recurrence as an RRULE with its first occurrence."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from dateutil.rrule import rrulestr

from agents.understanding.time.resolve import Clock, place, real, sure
from agents.understanding.time.values import Moment, OfDay, Repeat


def rule_of(repeat: Repeat, clock: Clock) -> str:
    """The RRULE text; the clock time stands in the first occurrence, not in the rule."""
    parts = [f"FREQ={repeat.freq}"]
    if repeat.interval != 1:
        parts.append(f"INTERVAL={repeat.interval}")
    for name, values in (("BYMONTH", repeat.bymonth), ("BYMONTHDAY", repeat.bymonthday), ("BYDAY", repeat.byday)):
        if values:
            parts.append(f"{name}={','.join(str(value) for value in values)}")
    if repeat.times:
        parts.append(f"COUNT={repeat.times}")
    until = place(repeat.until, clock) if repeat.until else None
    if until is not None and not repeat.times:
        parts.append(f"UNTIL={until.start:%Y%m%d}{'T235959' if repeat.time else ''}")
    return ";".join(parts)


def first_of(repeat: Repeat, rule: str, clock: Clock) -> datetime | None:
    """The first occurrence not before the clock (a day without time: not before today)."""
    begin = place(repeat.start, clock) if repeat.start else None
    day = begin.start.date() if begin else clock.at.date()
    said = repeat.time or _hour_of(repeat.start)
    if repeat.freq in ("HOURLY", "MINUTELY") and said is None:
        return _next_hour(repeat, clock)
    at = sure(said) if said else None
    floor = datetime.combine(day, time(at.hour % 24, at.minute) if at else time())
    try:
        found = rrulestr(rule, dtstart=floor, ignoretz=True)
        now = clock.at.replace(tzinfo=None) if at else datetime.combine(clock.at.date(), time())
        first = found.after(now, inc=at is None)
    except (ValueError, OverflowError):
        return None
    return real(first, clock.zone) if first else None


def _hour_of(moment: Moment | None) -> OfDay | None:
    return moment.time if moment else None


def _next_hour(repeat: Repeat, clock: Clock) -> datetime:
    step = timedelta(hours=repeat.interval) if repeat.freq == "HOURLY" else timedelta(minutes=repeat.interval)
    return (clock.at + step).replace(second=0, microsecond=0)


def ending(first: datetime, clock_time: OfDay, day: date) -> datetime:
    """The end of an occurrence, on the same day or the next."""
    known = sure(clock_time)
    end = datetime.combine(day, time(known.hour % 24, known.minute), first.tzinfo)
    return end if end > first else end + timedelta(days=1)
