"""The next moment of a series of reminders, as an instant, by the clock that its rule means."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from agents.recurrence.rules import parse_rule, parts_of, start_near

# A change of clocks shows some walls twice: begin early enough to meet the occurrence that the wall of `after` hides.
SERIES_MARGIN = timedelta(hours=3)


def next_in_series(rule: str, first: datetime, after: datetime, zone: ZoneInfo) -> datetime | None:
    """The first occurrence later than ``after`` of a rule that begins at ``first``, in UTC; None when there is none.

    Days and longer keep the wall clock of ``zone``: a wall time that a change of clocks skips moves on by the gap, one
    that comes twice counts the first time. Hours and shorter count elapsed time, unless the rule names clock times.
    """
    first = first.replace(microsecond=0)  # the rules know none
    if first > after:
        after = first - timedelta(microseconds=1)
    frame = ZoneInfo("UTC") if _is_by_elapsed_time(rule) else zone
    start, begin = _wall(first, frame), _wall(after, frame) - SERIES_MARGIN
    for wall in parse_rule(rule, start_near(rule, start, begin)).xafter(begin, inc=True):
        instant = wall.replace(tzinfo=frame).astimezone(UTC)
        if instant > after:
            return instant
    return None


def _is_by_elapsed_time(rule: str) -> bool:
    parts = parts_of(rule)
    return parts["FREQ"] in {"HOURLY", "MINUTELY"} and not any(name.startswith("BY") for name in parts)


def _wall(instant: datetime, zone: ZoneInfo) -> datetime:
    return instant.astimezone(zone).replace(tzinfo=None)
