"""Occurrences of a series that go their own way: left out of it, and where they are kept, events of their own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from agents.contract import Proposal
from agents.records import Event, EventFields
from agents.rendering.agenda import Slot
from agents.time import FoundTime
from agents.understanding.scene import Scene
from agents.understanding.share import bind
from agents.understanding.values import forms
from agents.understanding.values.moves import move_moment

KEPT_FIELDS = tuple(name for name in EventFields.model_fields if name not in ("start", "end", "recurrence", "exdates"))


def without(event: Event, out: Sequence[Slot]) -> Proposal:
    """The series without these occurrences."""
    zone = ZoneInfo(event.zone or "UTC")
    days = [(slot.start if slot.whole_day else slot.start.astimezone(zone)).date() for slot in out]
    known = [forms.moment(value) for value in event.exdates]
    fields = {"exdates": [*known, *(forms.day(day) for day in days if forms.day(day) not in known)]}
    return change_series(event, fields, "you left one out")


def change_series(event: Event, fields: dict[str, Any], reason: str) -> Proposal:
    """The series with other fields."""
    return Proposal(op="update", kind="event", record_id=event.id, fields=fields, reason=reason)


def kept_of(event: Event) -> dict[str, Any]:
    """The details of a series that an event of its own has as well."""
    return {name: value for name in KEPT_FIELDS if (value := getattr(event, name)) not in (None, "")}


def move_occurrences(event: Event, out: Sequence[Slot], to: FoundTime | timedelta, scene: Scene) -> list[Proposal]:
    """The occurrences at another time; those that stand there already stay."""
    times = [(slot, _moved_to(slot, to, scene)) for slot in out]
    return _apart(event, [pair for pair in times if pair[1]], "you moved this one of the series")


def alter_occurrences(event: Event, out: Sequence[Slot], fields: dict[str, Any]) -> list[Proposal]:
    """The occurrences with other details; a new end is said of the series' first, so its length is taken."""
    end = fields.get("end")
    longer = datetime.fromisoformat(end) - event.start if end and isinstance(event.start, datetime) else None
    own = [(slot, fields | _times(slot, slot.start + longer if longer else slot.end)) for slot in out]
    return _apart(event, own, "you changed this one of the series")


def _moved_to(slot: Slot, to: FoundTime | timedelta, scene: Scene) -> dict[str, Any]:
    day = slot.start.date() if slot.whole_day else slot.start
    start = move_moment(day, to, scene)
    if start is None or start == day:
        return {}
    if isinstance(start, datetime) and isinstance(day, datetime):
        return {"start": forms.instant(start), "end": forms.instant(start + _length(slot, to))}
    last = (slot.end - timedelta(days=1)).date() - slot.start.date()
    return {"start": forms.day(start), "end": forms.day(start + last)}


def _times(slot: Slot, end: datetime) -> dict[str, Any]:
    if slot.whole_day:
        return {"start": forms.day(slot.start), "end": forms.day(slot.end - timedelta(days=1))}
    return {"start": forms.instant(slot.start), "end": forms.instant(end)}


def _apart(event: Event, own: Sequence[tuple[Slot, dict[str, Any]]], reason: str) -> list[Proposal]:
    """The series without these occurrences and an event for each of them: all of it happens, or nothing."""
    if not own:
        return []
    each = [kept_of(event) | {"all_day": slot.whole_day} | fields for slot, fields in own]
    events = [Proposal(op="create", kind="event", fields=fields, reason=reason) for fields in each]
    left = without(event, [slot for slot, _ in own])
    return bind(f"apart {event.id} {own[0][0].start:%Y-%m-%dT%H:%M}", left, *events)


def _length(slot: Slot, to: FoundTime | timedelta) -> timedelta:
    ranged = isinstance(to, FoundTime) and to.kind == "interval" and to.timed
    return to.end - to.start if ranged and isinstance(to, FoundTime) and to.start and to.end else slot.end - slot.start
