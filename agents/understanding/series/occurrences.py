"""Events as they stand on the calendar in a span, repetitions included."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta, tzinfo
from itertools import islice
from typing import Any

from agents.contract import Imported
from agents.records import AnyRecord, Event, ToDo
from agents.recurrence.expand import occurrences
from agents.recurrence.rules import next_after
from agents.rendering.agenda import Slot
from agents.understanding.scene import Scene

MAX_OCCURRENCES = 500


def busy(scene: Scene, first: datetime, last: datetime) -> list[Slot]:
    """Return the occurrences that overlap a span, of one's own events and imported ones, earliest first."""
    days = first.astimezone(UTC).date(), last.astimezone(UTC).date()
    items = scene.items("event").find_between(*days, margin=timedelta())
    events = [item.record for item in items if isinstance(item.record, Event)]
    found = [slot for event in events for slot in of_event(event, scene, first, last)]
    return sorted([*found, *imported_slots(scene, first, last)], key=lambda slot: slot.start)


def imported_slots(scene: Scene, first: datetime, last: datetime) -> list[Slot]:
    """Return the occurrences of imported calendars that overlap a span, and note that it is asked about."""
    scene.wanted.append((first, last))
    slots = [_as_slot(one, scene.clock.zone) for one in scene.ask.imported or ()]
    return [slot for slot in slots if slot.start < last and slot.end > first]


def of_event(event: Event, scene: Scene, first: datetime, last: datetime) -> list[Slot]:
    """Return the occurrences of one event that overlap a span; days are those of the speaker's zone."""
    zone = scene.clock.zone
    whole_day = not isinstance(event.start, datetime)
    return [
        Slot(event, span.start.astimezone(zone), span.end.astimezone(zone), whole_day)
        for span in islice(occurrences(event, first, last, zone), MAX_OCCURRENCES)
    ]


def has_round(task: AnyRecord, first: datetime, last: datetime) -> bool:
    """Return whether a later round of a recurring task is due in a span."""
    due = (task.deadline or task.remind_at) if isinstance(task, ToDo) else None
    if not isinstance(task, ToDo) or not task.recurrence or due is None:
        return False
    begun = due.astimezone(first.tzinfo) if isinstance(due, datetime) else datetime.combine(due, time())
    start, since = begun.replace(tzinfo=None), first.replace(tzinfo=None)
    after = next_after(task.recurrence, start, max(start, since - timedelta(seconds=1)))
    return after is not None and after < last.replace(tzinfo=None)


def _as_slot(one: Imported, zone: tzinfo) -> Slot:
    """An appointment of another calendar: shown like an event, but never found as one that could be changed."""
    shown: dict[str, Any] = {"id": one.item, "title": one.title, "start": one.start, "end": one.end, "busy": one.busy}
    event = Event.model_construct(**shown, all_day=one.whole_day, created_at=one.start, updated_at=one.start)
    return Slot(event, one.start.astimezone(zone), one.end.astimezone(zone), one.whole_day, one.calendar)
