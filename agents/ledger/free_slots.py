"""Free slots in working hours, offered as alternatives to a conflict."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from agents.conventions import Conventions, as_time
from agents.recurrence.expand import OccurrenceSpan

SLOT_STEP = timedelta(minutes=15)
LOOK_DAYS = 7


def working_spans(first: date, days: int, zone: ZoneInfo, conventions: Conventions) -> Iterator[OccurrenceSpan]:
    """The working hours of so many days from ``first`` on."""
    start, end = as_time(conventions.working_start), as_time(conventions.working_end)
    for day in (first + timedelta(days=number) for number in range(days)):
        if day.weekday() in conventions.working_weekdays:
            yield OccurrenceSpan(clock_on_day(day, start, zone), clock_on_day(day, end, zone))


def merge_spans(spans: Iterable[OccurrenceSpan]) -> list[OccurrenceSpan]:
    """The same time in as few spans as it takes, earliest first."""
    found: list[OccurrenceSpan] = []
    for span in sorted(spans):
        if found and span.start <= found[-1].end:
            found[-1] = OccurrenceSpan(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return found


def gaps(within: OccurrenceSpan, busy: Sequence[OccurrenceSpan]) -> Iterator[OccurrenceSpan]:
    """What is left of a span between busy ones, which are merged."""
    begin = within.start
    for taken in busy[bisect_left(busy, within.start, key=lambda span: span.end) :]:
        if taken.start >= within.end:
            break
        if taken.start > begin:
            yield OccurrenceSpan(begin, taken.start)
        begin = taken.end
    if begin < within.end:
        yield OccurrenceSpan(begin, within.end)


def first_free_slots(
    busy: Sequence[OccurrenceSpan], length: timedelta, since: datetime, hours: Iterable[OccurrenceSpan], most: int
) -> list[OccurrenceSpan]:
    """The earliest spans of this length that are free within ``hours`` and not before ``since``."""
    busy = merge_spans(busy)
    found: list[OccurrenceSpan] = []
    for within in hours:
        for gap in gaps(within, busy):
            begin = _on_step(max(gap.start, since))
            if begin + length <= gap.end:
                found.append(OccurrenceSpan(begin, begin + length))
            if len(found) == most:
                return found
    return found


def nearest_free_slots(
    busy: Sequence[OccurrenceSpan], wanted: OccurrenceSpan, hours: Sequence[OccurrenceSpan], since: datetime, most: int
) -> list[OccurrenceSpan]:
    """Free spans as long as the wanted one: first those of its day, then of the days after, by how near they lie.

    They do not overlap one another. ``hours`` are the working hours of consecutive days, the wanted one first.
    """
    length = wanted.end - wanted.start
    busy = merge_spans(busy)
    found: list[OccurrenceSpan] = []
    for within in hours:
        free = [gap for gap in gaps(within, busy) if gap.end - gap.start >= length]
        moved = _same_clock(wanted, within)
        for span in sorted(_starts(free, length, since), key=lambda span: abs(span.start - moved)):
            if not any(span.overlaps(other) for other in found):
                found.append(span)
            if len(found) == most:
                return found
    return found


def free_days(
    busy: Sequence[OccurrenceSpan], first: date, days: int, zone: ZoneInfo, conventions: Conventions
) -> Iterator[date]:
    """Days from ``first`` on, each a working day, from which so many days in a row are free."""
    busy = merge_spans(busy)
    for day in (first + timedelta(days=number) for number in range(LOOK_DAYS)):
        wanted = OccurrenceSpan(clock_on_day(day, time(), zone), clock_on_day(day + timedelta(days=days), time(), zone))
        if day.weekday() in conventions.working_weekdays and not any(wanted.overlaps(taken) for taken in busy):
            yield day


def clock_on_day(day: date, clock: time, zone: ZoneInfo) -> datetime:
    """A wall clock time as an instant in UTC."""
    return datetime.combine(day, clock, zone).astimezone(UTC)


def _starts(free: Iterable[OccurrenceSpan], length: timedelta, since: datetime) -> Iterator[OccurrenceSpan]:
    for gap in free:
        begin = _on_step(max(gap.start, since))
        while begin + length <= gap.end:
            yield OccurrenceSpan(begin, begin + length)
            begin += SLOT_STEP


def _on_step(instant: datetime) -> datetime:
    """The next quarter of an hour; all zones are whole quarters from UTC."""
    over = timedelta(minutes=instant.minute % 15, seconds=instant.second, microseconds=instant.microsecond)
    return instant if not over else instant - over + SLOT_STEP


def _same_clock(wanted: OccurrenceSpan, within: OccurrenceSpan) -> datetime:
    """The wanted start moved by whole days to where these working hours are."""
    days = round((within.start - wanted.start) / timedelta(days=1))
    return wanted.start + timedelta(days=max(days, 0))
