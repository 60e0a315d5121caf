"""A record's repetition as RFC 5545 wants it: its rule, its exceptions, and a start that is part of the series."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

from icalendar import vRecur

from agents.records import Event
from agents.recurrence.expand import occurrences

LOOKED_THROUGH = timedelta(days=3660)
MOST_A_DAY = 24 * 60


def first_start(event: Event, start: datetime | date, zone: ZoneInfo) -> datetime | date:
    """The first time of a series: our rules may begin later than their event, where readers would show both."""
    since = _instant(start, zone)
    return next(_starts(_whole(event), since, since + LOOKED_THROUGH, zone), start)


def rule_of(recurrence: str, start: datetime | date, zone: ZoneInfo) -> vRecur:
    """The rule of a series that begins at ``start``: a timed one ends at an instant in UTC, one of days at a day."""
    rule: vRecur = vRecur.from_ical(recurrence)
    if "UNTIL" in rule:
        rule["UNTIL"] = [_until(last, zone, timed=isinstance(start, datetime)) for last in rule["UNTIL"]]
    return rule


def exceptions_of(event: Event, zone: ZoneInfo) -> list[datetime | date]:
    """The times that are left out: those that the series would have on the skipped days, and has not."""
    days = {_day(skipped, zone) for skipped in event.exdates}
    return sorted(left for day in days for left in _left_out(event, day, zone))


def _left_out(event: Event, day: date, zone: ZoneInfo) -> set[datetime | date]:
    since = _instant(day, zone)
    until = since + timedelta(days=1)
    would, does = (islice(_starts(series, since, until, zone), MOST_A_DAY) for series in (_whole(event), event))
    return {start for start in set(would) - set(does) if _day(start, zone) == day}


def _whole(event: Event) -> Event:
    return event.model_copy(update={"exdates": []})


def _starts(event: Event, since: datetime, until: datetime, zone: ZoneInfo) -> Iterator[datetime | date]:
    """When occurrences start, by the clock of their zone."""
    for span in occurrences(event, since, until, zone):
        local = span.start.astimezone(zone)
        yield local if isinstance(event.start, datetime) else local.date()


def _until(last: datetime | date, zone: ZoneInfo, *, timed: bool) -> datetime | date:
    """The end of a rule, of which a day means all of it."""
    if not timed:
        return _day(last, zone)
    end = last if isinstance(last, datetime) else datetime.combine(last, time(23, 59, 59))
    return (end if end.tzinfo else end.replace(tzinfo=zone)).astimezone(UTC)


def _instant(moment: datetime | date, zone: ZoneInfo) -> datetime:
    return moment if isinstance(moment, datetime) else datetime.combine(moment, time(), zone)


def _day(value: datetime | date, zone: ZoneInfo) -> date:
    if not isinstance(value, datetime):
        return value
    return value.astimezone(zone).date() if value.tzinfo else value.date()
