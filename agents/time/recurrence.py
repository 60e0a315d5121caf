"""A recurrence as an RRULE with its first occurrence."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr

from agents.conventions import as_time
from agents.time.resolve import FOLLOWS_START, MIDNIGHT, Clock, Placed, match_halves, place, sure, to_instant
from agents.time.values import CODES, ELAPSED_RULES, Day, Moment, OfDay, Repeat, in_week_order

INTERVAL = re.compile(r";INTERVAL=\d+")


def rule_of(repeat: Repeat, clock: Clock) -> str:
    """The RRULE text of a windowed recurrence; a single clock time stands in the first occurrence, not in the rule."""
    parts = [f"FREQ={repeat.freq}"]
    if repeat.interval != 1:
        parts.append(f"INTERVAL={repeat.interval}")
        # Which weeks are skipped depends on where a week begins; Monday is what readers assume.
        parts += ["WKST=SU"] if repeat.freq == "WEEKLY" and clock.conventions.week_start == "sunday" else []
    for name, values in _by(repeat):
        if values:
            parts.append(f"{name}={','.join(str(value) for value in values)}")
    if repeat.times:
        parts.append(f"COUNT={repeat.times}")
    until = _until(repeat, clock)
    if until is not None and not repeat.times:
        parts.append(f"UNTIL={until.start:%Y%m%d}{_until_clock(until, repeat)}")
    return ";".join(parts)


def resolve_repeat(repeat: Repeat, clock: Clock) -> Repeat:
    """A series with the hours and the days that its words mean by the speaker's clock."""
    return _expand_window(_localize(_past_midnight(_matched_hours(repeat)), clock))


def _past_midnight(repeat: Repeat) -> Repeat:
    """A weekly series in the small hours of a night by the day they are on: "every friday night at 1" on saturdays."""
    said = repeat.time
    if said is None or repeat.freq != "WEEKLY" or not (said.part == "midnight" or said.hour >= MIDNIGHT):
        return repeat
    if repeat.hours or any(code not in CODES for code in repeat.byday):
        return repeat
    byday = in_week_order(CODES[(CODES.index(code) + 1) % 7] for code in repeat.byday)
    return replace(repeat, time=replace(said, hour=said.hour % MIDNIGHT), byday=byday)


def _localize(repeat: Repeat, clock: Clock) -> Repeat:
    """A series at the clock of another zone by the speaker's: its hours, and its weekdays where midnight lies between."""
    zone = (repeat.time and repeat.time.zone) or (repeat.end_time and repeat.end_time.zone)
    if not zone or not repeat.time:
        return repeat
    clocks = [_in_own_zone(said, zone, clock) for said in (repeat.time, repeat.end_time, *repeat.hours) if said]
    shift = clocks[0][1]
    moved = tuple(CODES[(CODES.index(code) + shift) % 7] for code in repeat.byday if code in CODES)
    if shift and (repeat.bymonthday or len(moved) < len(repeat.byday)):
        return repeat
    last = clocks[1][0] if repeat.end_time else None
    hours = tuple(said for said, _ in clocks[2 if last else 1 :])
    byday = moved if shift else repeat.byday
    return replace(repeat, time=clocks[0][0], end_time=last, hours=hours, byday=byday)


def _in_own_zone(said: OfDay, zone: str, clock: Clock) -> tuple[OfDay, int]:
    """The hour in the speaker's zone as the zones differ today, and by how many days it lies apart."""
    known, today = sure(said), clock.at.date()
    wall = to_instant(datetime.combine(today, time(known.hour % 24, known.minute)), ZoneInfo(zone)).astimezone(
        clock.zone
    )
    own = OfDay(wall.hour, wall.minute, exact=True, part=known.part)
    return own, (wall.date() - today).days


def _matched_hours(repeat: Repeat) -> Repeat:
    """The halves of the day of a series with hours: "tuesdays from 6 to 7" ends at 19."""
    if not repeat.time or not repeat.end_time:
        return repeat
    first, last = match_halves(Moment(time=repeat.time), Moment(time=repeat.end_time))
    return replace(repeat, time=first.time, end_time=last.time)


def _until_clock(until: Placed, repeat: Repeat) -> str:
    if until.timed:
        return f"T{until.start:%H%M%S}"
    return "T235959" if repeat.time or repeat.freq in ELAPSED_RULES else ""


def _expand_window(repeat: Repeat) -> Repeat:
    """Like "every hour from 9 to 5" as the hours of a day."""
    if repeat.freq not in ("HOURLY", "MINUTELY") or not repeat.time or not repeat.end_time:
        return repeat
    first, last = sure(repeat.time), sure(repeat.end_time)
    last = last if last.hour > first.hour else replace(last, hour=last.hour + 12)
    if repeat.freq == "MINUTELY":
        hours = range(first.hour + 1, min(last.hour, 24))
        return replace(repeat, end_time=None, hours=tuple(OfDay(hour, exact=True) for hour in hours))
    hours = range(first.hour + repeat.interval, min(last.hour, 23) + 1, repeat.interval)
    clocks = tuple(OfDay(hour, first.minute, exact=True) for hour in hours)
    return replace(repeat, freq="DAILY", interval=1, end_time=None, hours=clocks)


def _by(repeat: Repeat) -> tuple[tuple[str, tuple[object, ...]], ...]:
    clocks = sorted((sure(clock) for clock in (repeat.time, *repeat.hours) if clock), key=lambda clock: clock.hour)
    several = clocks if repeat.hours else []
    return (
        ("BYMONTH", repeat.bymonth),
        ("BYWEEKNO", (repeat.byweekno,) if repeat.byweekno else ()),
        ("BYYEARDAY", (repeat.byyearday,) if repeat.byyearday else ()),
        ("BYMONTHDAY", repeat.bymonthday),
        ("BYDAY", repeat.byday),
        ("BYSETPOS", (repeat.bysetpos,) if repeat.bysetpos else ()),
        ("BYHOUR", tuple(clock.hour % 24 for clock in several)),
        ("BYMINUTE", (several[0].minute,) if several and repeat.freq != "MINUTELY" else ()),
    )


def _until(repeat: Repeat, clock: Clock) -> Placed | None:
    """The last day, after the first one and after today: "until june" said in June means the next."""
    if repeat.until is None:
        return None
    begin = place(repeat.start, clock) if repeat.start else None
    day = repeat.until.day
    follows = day is not None and _base(day).how in FOLLOWS_START
    seen = replace(clock, at=begin.start) if begin and (follows or day is None) else clock
    if begin and repeat.until.shift is not None:
        # Like "for a month from 1 december": the last day is the one before the 1st comes round.
        over = place(repeat.until, replace(clock, at=begin.start))
        return over and replace(over, start=over.start - timedelta(days=0 if over.timed else 1))
    placed = place(repeat.until, seen)
    if placed and day and day.how in FOLLOWS_START and placed.start.date() <= seen.at.date():
        return place(repeat.until, replace(clock, at=placed.end))
    return placed


def _base(day: Day) -> Day:
    """The day or stretch that an edge is an edge of."""
    return day.args[0] if day.how == "edge" and isinstance(day.args[0], Day) else day


def first_of(repeat: Repeat, rule: str, clock: Clock) -> datetime | None:
    """The first occurrence not before the clock (a day without time: not before today)."""
    begin = place(repeat.start, clock) if repeat.start else None
    if (repeat.start and not begin) or 0 in repeat.bymonthday:
        return None
    day = begin.start.date() if begin else clock.at.date()
    whole_month = repeat.bymonth and not (repeat.bymonthday or repeat.byday)
    day = day.replace(day=1) if whole_month else day
    said = repeat.time or _hour_of(repeat.start)
    if repeat.freq in ELAPSED_RULES and said is None:
        soon, until = _next_hour(repeat, clock), _until(repeat, clock)
        soon = max(soon, _opening(begin, clock)) if begin else soon
        return soon if until is None or until.end > soon else None
    at = sure(said) if said else None
    floor = datetime.combine(day, time(at.hour % 24, at.minute) if at else time())
    # The first one comes as soon as its day does; only then every other is skipped.
    near = INTERVAL.sub("", rule) if repeat.freq == "DAILY" or repeat.byday or repeat.bymonthday else rule
    near += _in_quarters(repeat)
    try:
        found = rrulestr(near, dtstart=floor, ignoretz=True)
        now = clock.at.replace(tzinfo=None) if at else datetime.combine(clock.at.date(), time())
        first = found.after(now, inc=at is None)
    except (ValueError, OverflowError):
        return None
    return to_instant(first, clock.zone) if first else None


def _opening(begin: Placed, clock: Clock) -> datetime:
    """Tell when hours begin that were said to begin on a day: in its morning, as nobody means midnight."""
    if begin.timed or begin.start <= clock.at:
        return begin.start
    return to_instant(datetime.combine(begin.start.date(), as_time(clock.conventions.morning)), clock.zone)


def _in_quarters(repeat: Repeat) -> str:
    """Where a day of a quarter is looked for: from its start in its first month, from its end in its last."""
    day = repeat.bymonthday[0] if repeat.bymonthday else int(repeat.byday[0][:-2] or 0) if repeat.byday else 0
    day = repeat.bysetpos or day
    if not repeat.quarterly or not day:
        return ""
    return f";BYMONTH={','.join(str(month) for month in range(1 if day > 0 else 3, 13, 3))}"


def _hour_of(moment: Moment | None) -> OfDay | None:
    return moment.time if moment else None


def _next_hour(repeat: Repeat, clock: Clock) -> datetime:
    unit = {"HOURLY": 3600, "MINUTELY": 60}.get(repeat.freq, 1)
    begin = (clock.at.astimezone(UTC) + timedelta(seconds=unit * repeat.interval)).astimezone(clock.zone)
    return begin.replace(second=0, microsecond=0) if unit > 1 else begin.replace(microsecond=0)


def ending(first: datetime, clock_time: OfDay, day: date) -> datetime:
    """The end of an occurrence, on the same day or the next."""
    known = sure(clock_time)
    end = datetime.combine(day, time(known.hour % 24, known.minute), first.tzinfo)
    return end if end > first else end + timedelta(days=1)
