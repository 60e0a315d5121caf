"""A series in another rhythm from a later day on: "PT is down to just tuesdays from february" keeps its days until then."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

from agents.contract import Proposal
from agents.records import Event
from agents.time import find_times, to_instant
from agents.understanding.items.apart import KEPT
from agents.understanding.requests.series_end import OF_RULE
from agents.understanding.scene import Scene
from agents.understanding.slots import forms
from agents.understanding.slots.days import days_of

WEEK = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
SAID_WEEKLY = "FREQ=WEEKLY;BYDAY="


def first_day(words: str, scene: Scene) -> date | None:
    """The day that "from february" or "starting next week" begins with, when it is still to come."""
    times = [found for found in find_times(words, scene.clock, bare=True) if found.moment and not found.timed]
    day = days_of(times[0], scene)[0] if len(times) == 1 else None
    return day if day and day > scene.now.date() else None


def split_off(event: Event, rule: str, since: date, scene: Scene) -> list[Proposal]:
    """The series up to that day and another one from it on, as one change; empty where its days are not weekdays."""
    if not isinstance(event.start, datetime) or not isinstance(event.end, datetime) or not rule.startswith(SAID_WEEKLY):
        return []
    days = [WEEK.index(name) for name in rule.removeprefix(SAID_WEEKLY).split(";")[0].split(",")]
    first = since + timedelta(days=min((day - since.weekday()) % len(WEEK) for day in days))
    clock = event.start.astimezone(scene.clock.zone).time()
    start = to_instant(datetime.combine(first, clock), scene.clock.zone)
    kept: dict[str, Any] = {name: value for name in KEPT if (value := getattr(event, name)) not in (None, "")}
    times = {"start": forms.instant(start), "end": forms.instant(start + (event.end - event.start))}
    until = f"{OF_RULE.sub('', event.recurrence or '')};UNTIL={since - timedelta(days=1):%Y%m%d}"
    reason, group = "you said how often from then on", f"rhythm {event.id} {since:%Y-%m-%d}"
    return [
        Proposal(
            op="update", kind="event", record_id=event.id, fields={"recurrence": until}, reason=reason, group=group
        ),
        Proposal(op="create", kind="event", fields=kept | times | {"recurrence": rule}, reason=reason, group=group),
    ]
