"""Days, weeks and months found on the calendar: pure date arithmetic under the stated conventions."""

from __future__ import annotations

import calendar
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from agents.time.values import Day, Grain
from agents.time.working_days import working_days_later

WEDNESDAY = 2
FIRST_YEAR, LAST_YEAR = 1900, 2199
DATES = ("monthday", "date", "numeric")
RECENT_DAYS, JUST = 60, 15
Found = tuple[date, date]


@dataclass(frozen=True, slots=True)
class Frame:
    """What a day is relative to; ``month_first`` reads 5/12 as May, ``anchor`` is "that day".

    Weeks begin on ``week_start``, Monday is 0; ``working_days`` without the public holidays of ``country`` are worked;
    clocks change as they do in ``zone``.
    """

    today: date
    month_first: bool = False
    anchor: date | None = None
    week_start: int = 0
    working_days: tuple[int, ...] = (0, 1, 2, 3, 4)
    country: str | None = None
    zone: ZoneInfo | None = None


def locate(day: Day, frame: Frame) -> Found | None:
    """First day and the day after the last one; None when there is no such day (31 February, year 99999)."""
    try:
        return find(day, frame)
    except (ValueError, OverflowError):
        return None


def find(day: Day, frame: Frame) -> Found:
    """The same for a day that another one is found by; ValueError when there is no such day."""
    found: Found | None = FINDERS[day.how](frame, *day.args)
    if found is None or not FIRST_YEAR <= found[0].year <= LAST_YEAR:
        raise ValueError(day)
    return found


def pick(found: Sequence[Found], nth: int) -> Found | None:
    """The nth of those found, from the end when negative."""
    return found[nth - 1 if nth > 0 else nth] if 0 < abs(nth) <= len(found) else None


def stretch(start: date, grain: Grain) -> Found:
    """The whole unit that begins on a day."""
    return start, add(start, 1 if grain != "weekend" else 2, "day" if grain == "weekend" else grain)


def add(day: date, count: float, grain: Grain) -> date:
    """A day so many units later, by the calendar: months keep the day or take the month's last."""
    whole = int(count)
    if grain in ("day", "second", "minute", "hour"):
        return day + timedelta(days=whole if grain == "day" else 0)
    if grain in ("week", "weekend"):
        return day + timedelta(days=round(7 * count))
    return _months(day, round(count * {"month": 1, "quarter": 3, "year": 12}[grain]))


def later(frame: Frame, day: date, count: float, grain: Grain) -> date:
    """A day so many units later, working days by the conventions."""
    if grain == "workday":
        return working_days_later(day, int(count), frame.working_days, frame.country)
    return add(day, count, grain)


def begin(day: date, grain: Grain, week_start: int = 0) -> date:
    """The first day of the unit that a day lies in."""
    if grain == "week":
        return day - timedelta(days=(day.weekday() - week_start) % 7)
    if grain == "weekend":
        return day - timedelta(days=day.weekday()) + timedelta(days=5)
    if grain == "month":
        return day.replace(day=1)
    if grain == "quarter":
        return day.replace(month=3 * ((day.month - 1) // 3) + 1, day=1)
    return day.replace(month=1, day=1) if grain == "year" else day


def _months(day: date, count: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + count, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _one(day: date) -> Found:
    return day, day + timedelta(days=1)


def _offset(frame: Frame, count: float, grain: Grain) -> Found:
    return _one(later(frame, frame.today, count, grain))


def _unit(frame: Frame, count: int, grain: Grain) -> Found:
    return stretch(add(begin(frame.today, grain, frame.week_start), count, grain), grain)


def _the_unit(frame: Frame, grain: Grain) -> Found:
    return _unit(frame, 0, grain)


def ahead(frame: Frame, base: Day, search: Callable[[Day], Found | None]) -> Found | None:
    """What is found in a stretch; in "the month", when it has passed there, in the one after."""
    found = search(base)
    if base.how != "the_unit" or found is None or found[1] > frame.today:
        return found
    return search(Day("unit", (1, base.grain), base.grain))


def _weekday(frame: Frame, index: int, which: str) -> Found:
    this = _in_week(frame, index, 0)
    if which == "next":
        return _in_week(frame, index, 1)
    if which == "last":
        return _one(frame.today - timedelta(days=(frame.today.weekday() - index - 1) % 7 + 1))
    if which == "this" and this[0] >= frame.today:
        return this
    return _one(frame.today + timedelta(days=(index - frame.today.weekday() - 1) % 7 + 1))


def _in_week(frame: Frame, index: int, weeks: int) -> Found:
    first = begin(frame.today, "week", frame.week_start)
    return _one(first + timedelta(days=7 * weeks + (index - frame.week_start) % 7))


def _date(_: Frame, year: int, month: int, day: int) -> Found:
    return _one(date(_century(year), month, day))


def _century(year: int) -> int:
    return year if year > 99 else 2000 + year if year < 70 else 1900 + year


def _monthday(frame: Frame, month: int | None, day: int) -> Found | None:
    """The coming one; a day that this month lacks (the 31st) is looked for further on."""
    start = frame.today.replace(day=1)
    for ahead in range(60):
        first = _months(start, ahead)
        if month in (None, first.month) and day <= calendar.monthrange(first.year, first.month)[1]:
            found = first.replace(day=day)
            if found >= frame.today:
                return _one(found)
    return None


def _month(frame: Frame, month: int, which: str, year: int | None) -> Found:
    ahead = (month - frame.today.month) % 12
    if which == "next" and ahead == 0:
        ahead = 12
    if which == "last":
        ahead = ahead - 12
    first = date(_century(year), month, 1) if year is not None else _months(frame.today.replace(day=1), ahead)
    return stretch(first, "month")


def _year(_: Frame, year: int) -> Found:
    return stretch(date(year, 1, 1), "year")


def _numeric(frame: Frame, first: int, second: int, year: int | None) -> Found | None:
    month, day = (first, second) if frame.month_first else (second, first)
    if month > 12:
        month, day = day, month
    return _date(frame, year, month, day) if year is not None else _monthday(frame, month, day)


def _shift(frame: Frame, base: Day, count: float, grain: Grain) -> Found:
    return _one(later(frame, find(base, frame)[0], count, grain))


def _edge(frame: Frame, base: Day, edge: str) -> Found:
    first, after = find(base, frame)
    return _one(after - timedelta(days=1) if edge == "end" else first)


def _middle(frame: Frame, base: Day) -> Found | None:
    first, after = find(base, frame)
    if base.grain == "week":
        return _nth_in(frame, WEDNESDAY, 1, base)
    return _one(first + (timedelta(days=14) if base.grain == "month" else (after - first) // 2))


def _nth(frame: Frame, index: int, nth: int, base: Day) -> Found | None:
    """The nth weekday of a month; -1 is the last one."""
    return ahead(frame, base, lambda stretch: _nth_in(frame, index, nth, stretch))


def _nth_in(frame: Frame, index: int, nth: int, base: Day) -> Found | None:
    first, after = find(base, frame)
    days = (first + timedelta(days=step) for step in range((after - first).days))
    return pick([_one(day) for day in days if day.weekday() == index], nth)


def _both(frame: Frame, said: int | Day, base: Day) -> Found | None:
    """Find a weekday and a date together: the coming date where it falls on that weekday, else the one just passed.

    None where neither does: one of both is wrong then. Beside a day told from today both agree.
    """
    found = find(base, frame)
    if isinstance(said, Day):
        return found if found == find(said, frame) else None
    if base.how not in DATES or found[0].weekday() == said:
        return found
    if base.how == "numeric":
        swapped = locate(base, replace(frame, month_first=not frame.month_first))
        if swapped and swapped[0].weekday() == said:
            return swapped
        base = Day("monthday", (found[0].month, found[0].day)) if base.args[2] is None else base
    if base.how != "monthday":
        return None
    month, day = base.args
    assert isinstance(day, int)  # noqa: S101 - a monthday names one
    first = frame.today.replace(day=1)
    starts = (_months(first, ahead) for ahead in range(3 if month is None else 0))
    dates = (one.replace(day=day) for one in starts if day <= calendar.monthrange(one.year, one.month)[1])
    coming = next((one for one in dates if one >= frame.today), None)
    if coming and coming.weekday() == said:
        return _one(coming)
    return _just_passed(frame, said, base, RECENT_DAYS if month else JUST)


def _just_passed(frame: Frame, index: int, base: Day, since: int) -> Found | None:
    """Find a weekday and date among the last days, fewer than ``since``."""
    month, number = base.args
    days = (frame.today - timedelta(days=back) for back in range(1, since))
    fitting = (day for day in days if (day.day, day.weekday()) == (number, index) and month in (None, day.month))
    return next((_one(day) for day in fitting), None)


def _anchor(frame: Frame, count: float, grain: Grain = "day") -> Found | None:
    return _one(later(frame, frame.anchor, count, grain)) if frame.anchor else None


FINDERS: dict[str, Callable[..., Any]] = {
    "offset": _offset, "unit": _unit, "the_unit": _the_unit, "weekday": _weekday, "in_week": _in_week,
    "date": _date, "monthday": _monthday, "month": _month, "year": _year, "numeric": _numeric, "shifted": _shift,
    "edge": _edge, "middle": _middle, "nth": _nth, "both": _both, "anchor": _anchor,
}  # fmt: skip
