"""How long an event takes: "make the standup an hour long", "extend it by 15 minutes", "shorten it to 30 minutes"."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from agents.index.items import Item
from agents.records import Event
from agents.time import FoundTime
from agents.understanding.scene import Scene
from agents.understanding.values import forms

NOON = 12
DAY = len("2026-11-18")


def until(item: Item, when: FoundTime, scene: Scene) -> dict[str, str]:
    """The end of an event that goes on until a clock time, on the half of the day that comes after its start."""
    start, end = getattr(item.record, "start", None), when.end or when.start
    if not isinstance(start, datetime) or end is None or not when.timed:
        return {}
    local = start.astimezone(scene.clock.zone)
    moment = local.replace(hour=end.hour, minute=end.minute)
    moment = moment + timedelta(hours=NOON) if moment <= local and end.hour < NOON else moment
    return ending(item, round((moment - local).total_seconds() / 60), scene)


def ending(item: Item, minutes: int, scene: Scene) -> dict[str, str]:
    """The end of an event that takes so many minutes; nothing for what has no clock time."""
    event = item.record
    if minutes <= 0 or not isinstance(event, Event) or not isinstance(event.start, datetime):
        return {}
    said = [
        each.fields["start"]
        for share in scene.before
        for each in share.proposals
        if each.record_id == item.id and "start" in each.fields
    ]
    start = datetime.fromisoformat(said[-1]) if said and len(said[-1]) > DAY else event.start
    end = start.astimezone(UTC) + timedelta(minutes=minutes)
    return {"end": forms.instant(end.astimezone(scene.clock.zone))}
