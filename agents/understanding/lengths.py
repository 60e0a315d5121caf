"""How long an event takes: "make the standup an hour long", "extend it by 15 minutes", "shorten it to 30 minutes"."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from agents.records import Event
from agents.understanding import choose, forms
from agents.understanding.references import Item
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.slots import Slots, tidy
from agents.understanding.tasks import hint_day, is_open

LONGER = re.compile(r"^(?:extend|lengthen|prolong|stretch)\b|\blonger\b", re.IGNORECASE)
SHORTER = re.compile(r"^(?:shorten|cut|trim|reduce)\b|\bshorter\b", re.IGNORECASE)
ENDS = re.compile(r"\b(?:ends|finishes|is over|runs until|goes on until|lasts until|will end)\b", re.IGNORECASE)
BY = re.compile(r"\bby\b|\blonger\b|\bshorter\b|\bextra\b|\bmore\b", re.IGNORECASE)
SIZE_WORDS = re.compile(r"\b(?:long|longer|shorter|last|by|to|only|extra|more)\b", re.IGNORECASE)


def resize(slots: Slots, text: str, scene: Scene) -> Share | None:
    """A new end for the one event meant; None when no event is meant or no length was said."""
    if slots.minutes is None:
        return _until(slots, text, scene)
    phrase = tidy(SIZE_WORDS.sub(" ", slots.title)) or "it"
    found = choose.search(phrase, scene, ("event",), is_open, hint_day(slots))
    if len(found) != 1:
        return choose.which(found, "update", scene) if found and LONGER.search(text) else None
    minutes = slots.minutes if not BY.search(text) else _changed(found[0], slots.minutes, text)
    fields = ending(found[0], minutes, scene)
    return (
        choose.settle(found, "update", phrase, scene, fields=fields, reason="you changed its length")
        if fields
        else None
    )


def _until(slots: Slots, text: str, scene: Scene) -> Share | None:
    """A new end by the clock: "extend the rehearsal until ten"."""
    when = slots.when
    end = (when.end or when.start) if when else None
    found = choose.search(tidy(slots.title) or "it", scene, ("event",), is_open, None) if end else []
    if (
        not (LONGER.search(text) or SHORTER.search(text) or ENDS.search(text))
        or len(found) != 1
        or when is None
        or end is None
        or not when.timed
    ):
        return None
    start = getattr(found[0].record, "start", None)
    if not isinstance(start, datetime):
        return None
    local = start.astimezone(scene.clock.zone)
    moment = local.replace(hour=end.hour, minute=end.minute)
    moment = moment + timedelta(hours=12) if moment <= local and end.hour < 12 else moment
    minutes = round((moment - local).total_seconds() / 60)
    fields = ending(found[0], minutes, scene)
    return (
        choose.settle(found, "update", slots.title, scene, fields=fields, reason="you changed its length")
        if fields
        else None
    )


def _changed(item: Item, minutes: int, text: str) -> int:
    event = item.record
    if not isinstance(event, Event) or not isinstance(event.start, datetime) or not isinstance(event.end, datetime):
        return minutes
    now = round((event.end - event.start).total_seconds() / 60)
    return now - minutes if SHORTER.search(text) else now + minutes


def ending(item: Item, minutes: int, scene: Scene) -> dict[str, str]:
    """The end of an event that takes so many minutes; nothing for what has no clock time."""
    event = item.record
    if minutes <= 0 or not isinstance(event, Event) or not isinstance(event.start, datetime):
        return {}
    end = event.start.astimezone(UTC) + timedelta(minutes=minutes)
    return {"end": forms.instant(end.astimezone(scene.clock.zone))}
