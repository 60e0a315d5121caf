"""A record's repetition as RFC 5545 wants it: its rule, its exceptions, and a start that is part of the series."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr
from icalendar import vRecur

from agents.records import Event

WHOLE_DAYS = frozenset({"DAILY", "WEEKLY", "MONTHLY", "YEARLY"})


def first_start(event: Event, start: datetime | date) -> datetime | date:
    """The first time of a series: our rules may begin later than their event, where readers would show both."""
    rule = event.recurrence or ""
    if _frequency(rule) not in WHOLE_DAYS:
        return start
    wall = _wall(start)
    first = next(iter(rrulestr(rule, dtstart=wall, ignoretz=True)), wall)
    return first.replace(tzinfo=start.tzinfo) if isinstance(start, datetime) else first.date()


def rule_of(event: Event, zone: ZoneInfo) -> vRecur:
    """The rule; a timed series ends at an instant in UTC, one of whole days at a day."""
    rule: vRecur = vRecur.from_ical(event.recurrence or "")
    if "UNTIL" in rule:
        rule["UNTIL"] = [_until(last, zone, timed=isinstance(event.start, datetime)) for last in rule["UNTIL"]]
    return rule


def exceptions_of(event: Event, start: datetime | date, zone: ZoneInfo) -> list[datetime | date]:
    """The skipped times; a skipped day of a timed series is the series' time on that day."""
    if not isinstance(start, datetime):
        return sorted({_day(skipped, zone) for skipped in event.exdates})
    at = start.time()
    return sorted({datetime.combine(_day(skipped, zone), at, zone) for skipped in event.exdates})


def _until(last: datetime | date, zone: ZoneInfo, *, timed: bool) -> datetime | date:
    wall = _wall(last)
    return wall.replace(tzinfo=zone).astimezone(UTC) if timed else wall.date()


def _wall(value: datetime | date) -> datetime:
    return value.replace(tzinfo=None) if isinstance(value, datetime) else datetime.combine(value, time())


def _day(value: datetime | date, zone: ZoneInfo) -> date:
    return value.astimezone(zone).date() if isinstance(value, datetime) else value


def _frequency(rule: str) -> str:
    return rule.partition("FREQ=")[2].partition(";")[0]
