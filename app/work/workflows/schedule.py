"""When a schedule starts its workflow next."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from agents.recurrence.rules import next_after
from app.work.workflows.definition import Definition, OnSchedule


def next_moment(definition: Definition, now: datetime, zone: str) -> datetime | None:
    """The first moment after ``now`` (aware) on the wall clock of a zone; None without a schedule, or when it is over.

    A wall clock time that a change of clocks leaves out is an hour later, and one that comes twice is the first.
    """
    if not isinstance(definition.trigger, OnSchedule):
        return None
    local = now.astimezone(ZoneInfo(zone)).replace(tzinfo=None, microsecond=0)
    start = local.replace(hour=0, minute=0, second=0)
    found = next_after(definition.trigger.rule, start, local)
    return found.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC) if found else None
