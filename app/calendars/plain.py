"""Times and words of an event as iCalendar writes them, and the synced fields of one in a single form.

A confined child loads this, so it needs little.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from agents.records import Event, EventFields

PRODUCT = "-//Summit//Summit//EN"
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufeff]")
"""What iCalendar forbids, and the mark of byte order, which readers take away."""
GROUPS: Mapping[str, tuple[str, ...]] = {
    "title": ("title",),
    "time": ("start", "end", "zone", "all_day", "recurrence", "exdates"),
    "location": ("location",),
    "notes": ("notes",),
    "busy": ("busy",),
}
"""The fields that are kept in step with calendars of elsewhere; those of a group belong together."""
SYNCED = tuple(name for group in GROUPS.values() for name in group)


def span_of(event: Event, zone: ZoneInfo) -> tuple[datetime | date, datetime | date]:
    """Start and end as iCalendar counts: the end of whole days is the day after the last."""
    if isinstance(event.start, datetime):
        start = event.start
        end = event.end if isinstance(event.end, datetime) else start + timedelta(hours=1)
        # A wall clock that is turned back shows some times twice; only UTC tells which one is meant.
        local = start.astimezone(zone), end.astimezone(zone)
        twice = not event.recurrence and any(_shown_twice(moment) for moment in local)
        return (start.astimezone(UTC), end.astimezone(UTC)) if twice else local
    last = event.end if event.end is not None and not isinstance(event.end, datetime) else event.start
    return event.start, last + timedelta(days=1)


def _shown_twice(moment: datetime) -> bool:
    return moment.replace(fold=0).utcoffset() != moment.replace(fold=1).utcoffset()


def plain_text(words: str) -> str:
    """Words without the control characters that iCalendar forbids; lines end in one way."""
    return CONTROLS.sub("", words.replace("\r\n", "\n").replace("\r", "\n"))


def canonical(event: Mapping[str, Any]) -> dict[str, Any]:
    """The synced fields of an event in one form: instants by the clock of its zone, what is left out in order."""
    said = EventFields.model_validate({name: event[name] for name in SYNCED if name in event})
    zone = ZoneInfo(said.zone or "UTC")
    values = {name: getattr(said, name) for name in SYNCED}
    values |= {name: _moment(values[name], zone) for name in ("start", "end")}
    values["exdates"] = sorted({str(_moment(one, zone)) for one in said.exdates})
    # A day is a day everywhere.
    values["zone"] = None if said.all_day else said.zone
    values["location"] = said.location or None
    return values


def _moment(value: datetime | date | None, zone: ZoneInfo) -> str | None:
    if isinstance(value, datetime):
        return value.astimezone(zone).isoformat()
    return value.isoformat() if value is not None else None
