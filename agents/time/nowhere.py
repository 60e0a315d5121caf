"""Phrases that are read and that no calendar has: a fifth tuesday, 31 june, a weekday that contradicts its date."""

from __future__ import annotations

from agents.time.calendar import FIRST_YEAR, LAST_YEAR, Frame, locate
from agents.time.resolve import Clock
from agents.time.values import FEW_DAYS, Day, Length, Moment, Range, Reading, Repeat

NAMED = ("nth", "nth_unit", "iso_week", "monthday", "date", "numeric", "both")
MONTHS, DAYS = 12, 31
FEW_MONTHS = 19  # as a slip of the finger makes them, see FEW_DAYS


def is_absent(value: Reading, clock: Clock) -> bool:
    """Tell whether a phrase without a time names a day that does not exist, or a series that never happens."""
    if isinstance(value, Length):
        return False
    ends = (value,) if isinstance(value, Moment) else (value.start, value.end if isinstance(value, Range) else None)
    if any(end and end.day and _absent(end.day, clock.frame) for end in ends):
        return True
    return isinstance(value, Repeat) and value.until is None


def is_past(value: Reading, clock: Clock) -> bool:
    """Tell whether a weekday and its date have just been; of a stretch, those of its last day."""
    last = (value.end if value.end and value.end.day else value.start) if isinstance(value, Range) else value
    day = last.day if isinstance(last, Moment) else None
    found = locate(day, clock.frame) if day and day.how == "both" else None
    return found is not None and found[0] < clock.frame.today


def _absent(day: Day, frame: Frame) -> bool:
    inner = [arg for arg in day.args if isinstance(arg, Day)]
    named = any(one.how in NAMED and _is_date(one) for one in (day, *inner))
    return locate(day, frame) is None and (named or any(_absent(arg, frame) for arg in inner))


def _is_date(day: Day) -> bool:
    """Tell whether numbers are a date: "31/4" is one that does not exist, "50/50" is something else."""
    if day.how not in ("date", "numeric"):
        return True
    year, *numbers = day.args if day.how == "date" else (day.args[2], *day.args[:2])
    low, high = sorted(int(str(number)) for number in numbers)
    if isinstance(year, int) and year > LAST_YEAR - FIRST_YEAR:
        return FIRST_YEAR <= year <= LAST_YEAR and low <= FEW_MONTHS and high <= FEW_DAYS
    return 1 <= low <= MONTHS and high <= DAYS
