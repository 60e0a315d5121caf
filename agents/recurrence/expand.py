"""When an event takes place: its occurrences by wall clock in its own zone, as instants."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import Protocol
from zoneinfo import ZoneInfo

from dateutil.parser import parse

from agents.recurrence.rules import parse_rule, parts_of, start_near

SEVERAL_A_DAY = re.compile(r"FREQ=(?:HOURLY|MINUTELY)|BYHOUR=\d+,|BYMINUTE=\d+,", re.IGNORECASE)
DAY_LENGTH = len("20261118")
OCCURRENCE_MARGIN = timedelta(days=1)  # clocks change


@dataclass(frozen=True, slots=True, order=True)
class OccurrenceSpan:
    """A stretch of time, in UTC; ``end`` is exclusive."""

    start: datetime
    end: datetime

    def overlaps(self, other: OccurrenceSpan) -> bool:
        """Whether both have time in common: back to back they have none."""
        return self.start < other.end and other.start < self.end


class Recurring(Protocol):
    """What is read of an event; without ``recurrence`` it takes place once."""

    @property
    def start(self) -> datetime | date:
        """An instant, or the first day of whole days."""

    @property
    def end(self) -> datetime | date | None:
        """Exclusive for an instant; the inclusive last day of whole days."""

    @property
    def zone(self) -> str | None:
        """The IANA zone whose wall clock the series follows; None is UTC."""

    @property
    def recurrence(self) -> str | None:
        """The RRULE, without its name."""

    @property
    def exdates(self) -> Sequence[datetime | date]:
        """Occurrences that are left out."""


def occurrences(
    event: Recurring, since: datetime, until: datetime, days_in: ZoneInfo | None = None
) -> Iterator[OccurrenceSpan]:
    """The spans that overlap ``[since, until)``, earliest first; whole days last from midnight to midnight.

    A series goes by the wall clock of its zone: an hour that the clocks skip moves on by the gap, and one that they
    repeat is the first. Each occurrence is as long as the first one (RFC 5545, 3.8.5.3). ``days_in`` is the zone of
    whole days where the event's own does not count.
    """
    asked = OccurrenceSpan(since.astimezone(UTC), until.astimezone(UTC))
    spans = _series(event, asked, days_in) if event.recurrence else iter((first_span(event, days_in),))
    return (span for span in spans if span.overlaps(asked))


def first_span(event: Recurring, days_in: ZoneInfo | None = None) -> OccurrenceSpan:
    """The span of a single event, or of the first occurrence of a series."""
    if not isinstance(event.start, datetime):
        zone = days_in or ZoneInfo(event.zone or "UTC")
        wall = datetime.combine(event.start, time())
        return OccurrenceSpan(_instant(wall, zone), _instant(wall + _days(event, event.start), zone))
    start = event.start.astimezone(UTC)
    end = event.end.astimezone(UTC) if isinstance(event.end, datetime) else start + timedelta(hours=1)
    return OccurrenceSpan(start, end)


def _series(event: Recurring, asked: OccurrenceSpan, days_in: ZoneInfo | None) -> Iterator[OccurrenceSpan]:
    zone = ZoneInfo(event.zone or "UTC")
    days = None if isinstance(event.start, datetime) else _days(event, event.start)
    place = zone if days is None else days_in or zone
    once = first_span(event)
    first = _local(asked.start, place) - (once.end - once.start) - OCCURRENCE_MARGIN
    for wall in _walls(event, _wall(event.start, zone), first, _local(asked.end, place) + OCCURRENCE_MARGIN):
        begin = _instant(wall, place)
        yield OccurrenceSpan(begin, _instant(wall + days, place) if days else begin + (once.end - once.start))


def _days(event: Recurring, start: date) -> timedelta:
    """How many days an all-day event lasts; its end is its inclusive last day."""
    last = event.end if event.end is not None and not isinstance(event.end, datetime) else start
    return last - start + timedelta(days=1)


def _walls(event: Recurring, wall: datetime, first: datetime, last: datetime) -> Iterator[datetime]:
    """The wall clock times between two others at which a series begins.

    The library looks on for the one after: that is cheap, as rules that never happen are refused at the door.
    """
    rule = event.recurrence or ""
    zone = ZoneInfo(event.zone or "UTC")
    said = parts_of(rule)
    body = ";".join(f"{name}={value}" for name, value in said.items() if name not in ("COUNT", "UNTIL"))
    begin = wall if "COUNT" in said else start_near(rule, wall, first)
    try:
        until = min(last, _until(said.get("UNTIL"), zone) or last)
        series = iter(parse_rule(f"{body};UNTIL={until:%Y%m%dT%H%M%S}", begin))
    except ValueError:  # some rules have no date only from where they begin
        return
    skips = _exclusions(event, zone)
    for found in islice(series, int(said["COUNT"])) if "COUNT" in said else series:
        if found >= first and found not in skips and found.date() not in skips:
            yield found


def _exclusions(event: Recurring, zone: ZoneInfo) -> frozenset[date]:
    """The days and the times that are left out; an instant leaves out its day where there is one a day."""
    several = SEVERAL_A_DAY.search(event.recurrence or "") is not None
    walls = [_local(value, zone) if isinstance(value, datetime) else value for value in event.exdates]
    return frozenset(wall if several or not isinstance(wall, datetime) else wall.date() for wall in walls)


def _until(said: str | None, zone: ZoneInfo) -> datetime | None:
    """The last wall clock time of a rule: a day means all of it, an instant in UTC is read in the series' zone."""
    if not said:
        return None
    last = parse(said)
    if len(said) == DAY_LENGTH:
        return datetime.combine(last, time.max)
    return _local(last, zone) if last.tzinfo else last


def _wall(moment: datetime | date, zone: ZoneInfo) -> datetime:
    return _local(moment, zone) if isinstance(moment, datetime) else datetime.combine(moment, time())


def _local(instant: datetime, zone: ZoneInfo) -> datetime:
    return instant.astimezone(zone).replace(tzinfo=None)


def _instant(wall: datetime, zone: ZoneInfo) -> datetime:
    return wall.replace(tzinfo=zone).astimezone(UTC)
