"""Instants as the records' JSON form wants them: a day is YYYY-MM-DD, an instant RFC 3339 with the zone's offset."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any, Literal

from agents.time import Clock, FoundTime, find_times

BESIDE = {
    "open_before": re.compile(r"^(?:due |any ?time )?(?:before|prior to|sooner than|earlier than)\s+", re.IGNORECASE),
    "open_after": re.compile("^after ", re.IGNORECASE),
}
ONE_DAY = timedelta(days=1)
HOURLY = re.compile(r"FREQ=HOURLY(?:;INTERVAL=(\d+))?")


def instant(value: datetime) -> str:
    """RFC 3339 with offset, to the second."""
    return value.replace(microsecond=0).isoformat()


def day(value: date) -> str:
    """YYYY-MM-DD."""
    return (value.date() if isinstance(value, datetime) else value).isoformat()


def moment(value: date) -> str:
    """Return an instant or a day, whichever it is."""
    return instant(value) if isinstance(value, datetime) else day(value)


def last_day(found: FoundTime) -> date | None:
    """The inclusive last day of a phrase whose end is exclusive."""
    if found.end is None:
        return found.start.date() if found.start else None
    return (found.end - timedelta(microseconds=1)).date()


def beside_its_day(found: FoundTime, clock: Clock, kind: Literal["open_before", "open_after"]) -> FoundTime:
    """Return "before friday" as up to the end of thursday, "after friday" as from saturday on: not the day named."""
    words, side = BESIDE[kind].sub("", found.text), "end" if kind == "open_before" else "start"
    edge = getattr(found, side)
    if found.kind != kind or found.timed or words == found.text or not edge:
        return found
    if side == "end" and ("end" in words.lower().split() or edge - ONE_DAY <= clock.at):
        return found
    edges = [getattr(one, side) for one in find_times(words, clock)]
    moved: dict[str, Any] = {side: edge - ONE_DAY if side == "end" else edge + ONE_DAY}
    return replace(found, **moved) if edge in edges else found


def due(found: FoundTime) -> str | None:
    """A phrase as a deadline: the instant when a clock time was said, otherwise the day it ends or falls on."""
    if found.timed:
        moment = found.moment
        return instant(moment) if moment else None
    if found.kind == "open_before" and found.end is not None:
        ends = last_day(found)
        return day(ends) if ends else None
    if found.grain not in ("day", "weekend", "set") and found.kind == "point":
        ends = last_day(found)
        return day(ends) if ends else None
    return day(found.start) if found.start else None


def next_round(when: FoundTime, first: datetime, now: datetime) -> datetime:
    """The first of its rounds, or where that has passed and it repeats by the hour, the coming one."""
    match = HOURLY.match(when.rrule or "")
    return now + timedelta(hours=int(match[1] or 1)) if match and first <= now else first
