"""The time that a question about the past names, by our own grammar of time."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from agents.conventions import Conventions
from agents.time import FoundTime, clock_for, find_times

A_WEEK = timedelta(days=7)
Range = tuple[datetime | None, datetime | None]


def time_named(question: str, at: datetime, timezone: str, conventions: Conventions | None = None) -> Range:
    """[since, until) of the first phrase that has a time; (None, None) when there is none.

    The grammar looks ahead; a memory does not: "in March" is the last one, "on friday" the one before now.
    """
    found = _first(question, at, timezone, conventions)
    return _past(found, at.astimezone(ZoneInfo(timezone))) if found else (None, None)


def without_time(question: str, at: datetime, timezone: str, conventions: Conventions | None = None) -> str:
    """A question less the words of the time that it names."""
    found = _first(question, at, timezone, conventions)
    return f"{question[: found.span[0]]} {question[found.span[1] :]}".strip() if found else question


def _first(question: str, at: datetime, timezone: str, conventions: Conventions | None) -> FoundTime | None:
    times = find_times(question, clock_for(at, timezone, conventions))
    return next((one for one in times if one.kind in ("point", "interval", "open_before", "open_after")), None)


def _past(found: FoundTime, at: datetime) -> Range:
    back = _a_year_back if found.grain in ("month", "quarter", "year") or _far(found, at) else _a_week_back
    start, end = found.start, found.end
    if start and end is None and found.kind == "point":
        end = start + timedelta(days=1)
    while start and start > at:
        start, end = back(start), back(end) if end else None
    return start, end


def _far(found: FoundTime, at: datetime) -> bool:
    """Whether a day is named by its date, so that the same a week before would be another one."""
    return bool(found.start and found.start - at > A_WEEK)


def _a_week_back(moment: datetime) -> datetime:
    return moment - A_WEEK


def _a_year_back(moment: datetime) -> datetime:
    try:
        return moment.replace(year=moment.year - 1)
    except ValueError:
        return moment.replace(year=moment.year - 1, day=28)
