"""The next round of a recurring task or note: its day, its reminder and what is left of its rule."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from agents.recurrence.rules import next_after, rest_of, wall_clock

INSTANT = timedelta(microseconds=1)


def next_round(record: dict[str, Any], now: datetime, timezone: str) -> dict[str, Any] | None:
    """The fields, in JSON form, of the first round after ``now`` (aware), by wall clock; None when the series is over.

    The reminder keeps its lead: what is due on Fridays and told the evening before stays so. ``timezone`` counts where
    the record has none.
    """
    zone, rule = ZoneInfo(record.get("zone") or timezone), record["recurrence"]
    wall_now = wall_clock(now.isoformat(), zone)
    name = "deadline" if record.get("deadline") or not record.get("remind_at") else "remind_at"
    due = record.get(name) or wall_now.date().isoformat()
    start = wall_clock(due, zone)
    coming = next_after(rule, start, max(start, wall_now))
    if coming is None:
        return None
    moved: dict[str, Any] = {name: stated_like(due, coming, zone)}
    if name == "deadline" and record.get("remind_at"):
        moved["remind_at"] = _reminder(record, start, coming, wall_now, zone)
    rest = rest_of(rule, start, coming)
    return moved if rest == rule else {**moved, "recurrence": rest}


def next_time(rule: str, due: str, zone: ZoneInfo, now: datetime) -> str | None:
    """The first time after ``now`` and ``due`` of a rule that begins at ``due``, a day or an instant as that is."""
    start = wall_clock(due, zone)
    found = next_after(rule, start, max(start, wall_clock(now.isoformat(), zone)))
    return stated_like(due, found, zone) if found else None


def stated_like(due: str, wall: datetime, zone: ZoneInfo) -> str:
    """A wall time as a day, if ``due`` is one, or as an instant."""
    return wall.date().isoformat() if len(due) == len("2026-11-18") else wall.replace(tzinfo=zone).isoformat()


def _reminder(record: dict[str, Any], start: datetime, coming: datetime, now: datetime, zone: ZoneInfo) -> str | None:
    """The reminder of the coming round, or of a later one where that has passed; None where no round follows."""
    told = wall_clock(record["remind_at"], zone)
    if max(start, now) < told <= coming:  # the last round's had passed, too: this one belongs to the coming round
        return str(record["remind_at"])
    lead = told - start
    first = next_after(record["recurrence"], start, max(coming - INSTANT, now - lead))
    return (first + lead).replace(tzinfo=zone).isoformat() if first else None
