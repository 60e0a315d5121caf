"""A message that only gives details, right after a change: "by monday", "20 minutes should do", "it's for work #office"."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from agents.contract import Change
from agents.records import Event, ToDo
from agents.time import merged
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.references import Item
from agents.understanding.requests import lengths
from agents.understanding.requests.addenda import details_alone
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots.labels import labels_in
from agents.understanding.slots.moves import moved
from agents.understanding.slots.slots import Slots
from agents.understanding.text.clauses import Clause
from agents.understanding.text.filler import trim

FRESH = timedelta(minutes=10)
"""For so long a message without a subject is about what was changed last."""
LONGEST = 12
P = patterns_of(__name__)


def followed(text: str, scene: Scene) -> Share | None:
    """The details added to what the message before made or changed; None when they are a request of their own."""
    words = trim(text)
    if not words or "?" in text or P.OF_ANOTHER.search(words) or len(words.split()) > LONGEST:
        return None
    item = just_changed(scene)
    labels = labels_in(words)
    slots = details_alone(Clause(labels.rest), scene) if item and labels.rest.strip() else Slots(words)
    if item is None or slots is None:
        return None
    slots.times = merged(slots.times, scene.clock)
    fields = _fields(item, slots, scene) | (labels.fields if item.kind == "todo" else {})
    return change(text, choose.propose(item, "update", fields, "you added that")) if fields else None


def just_changed(scene: Scene) -> Item | None:
    """The one task or event that the last turn made or changed; none when the last words changed nothing."""
    rows = scene.ask.recent_changes
    turn = [row for row in rows if row.turn_id == rows[-1].turn_id] if rows else []
    if len(turn) > 1:  # what became of another kind was made anew, and its old form deleted
        made = [row for row in turn if row.op == "create"]
        turn = made if len(made) == 1 and len(turn) == 2 and turn[0].title == turn[1].title else turn
    if len(turn) != 1 or not _goes_on(turn[0], scene):
        return None
    return next((item for item in scene.items("todo", "event") if item.id == turn[0].record_id), None)


def _goes_on(row: Change, scene: Scene) -> bool:
    """Whether a change still stands and was made just now, and its title was in the last reply."""
    recent = scene.ask.recent
    fresh = timedelta() <= scene.ask.at - row.created_at <= FRESH
    told = not recent or row.title.lower() in recent[-1].replied.lower()
    return row.status == "applied" and row.op in ("create", "update") and fresh and told


def _fields(item: Item, slots: Slots, scene: Scene) -> dict[str, Any]:
    record, when = item.record, slots.when
    if isinstance(record, Event):
        if when and (P.JOINED.match(scene.ask.text.strip()) or not slots.minutes):
            return moved(item, when, scene)
        return lengths.ending(item, slots.minutes, scene) if slots.minutes and not when else {}
    if not isinstance(record, ToDo):
        return {}
    fields: dict[str, Any] = slots.levels()
    if slots.repeat:
        fields["recurrence"] = slots.repeat.rrule
    return fields | (moved(item, when, scene) if when else {})
