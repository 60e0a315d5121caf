"""How long an event takes: "make the standup an hour long", "extend it by 15 minutes", "shorten it to 30 minutes"."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from agents.records import Event
from agents.time import Found
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.references import Item
from agents.understanding.requests.tasks import hint_day, is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.slots import forms
from agents.understanding.slots.slots import Slots, tidy

P = patterns_of(__name__)
ENDS = P.ENDS
DAY = len("2026-11-18")


def resize(slots: Slots, text: str, scene: Scene) -> Share | None:
    """A new end for the one event meant; None when no event is meant or no length was said."""
    if slots.minutes is None:
        return None
    phrase = tidy(P.SIZE_WORDS.sub(" ", slots.title)) or "it"
    found = choose.search(phrase, scene, ("event",), is_open, hint_day(slots))
    if len(found) != 1:
        return choose.which(found, "update", scene) if found and P.LONGER.search(text) else None
    minutes = slots.minutes if not P.BY.search(text) else _changed(found[0], slots.minutes, text)
    fields = ending(found[0], minutes, scene)
    return (
        choose.settle(found, "update", phrase, scene, fields=fields, reason="you changed its length")
        if fields
        else None
    )


def until(item: Item, when: Found, scene: Scene) -> dict[str, str]:
    """The end of an event that goes on until a clock time, on the half of the day that comes after its start."""
    start, end = getattr(item.record, "start", None), when.end or when.start
    if not isinstance(start, datetime) or end is None or not when.timed:
        return {}
    local = start.astimezone(scene.clock.zone)
    moment = local.replace(hour=end.hour, minute=end.minute)
    moment = moment + timedelta(hours=12) if moment <= local and end.hour < 12 else moment
    return ending(item, round((moment - local).total_seconds() / 60), scene)


def _changed(item: Item, minutes: int, text: str) -> int:
    event = item.record
    if not isinstance(event, Event) or not isinstance(event.start, datetime) or not isinstance(event.end, datetime):
        return minutes
    now = round((event.end - event.start).total_seconds() / 60)
    return now - minutes if P.SHORTER.search(text) else now + minutes


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
