"""A detail of one occurrence of a series: that one becomes an event of its own, the series keeps its others."""

from __future__ import annotations

from agents.understanding.items import series
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.slots.slots import fill
from agents.understanding.text.clauses import Clause

DETAILS = frozenset(("title", "location", "notes", "end"))


def of_one(share: Share, clause: Clause, scene: Scene) -> Share:
    """The share, with a change of details to a whole series narrowed to the occurrences that the words name."""
    only = share.proposals[0] if len(share.proposals) == 1 else None
    if only is None or only.op != "update" or only.kind != "event" or not set(only.fields) <= DETAILS:
        return share
    event = next((event for event in scene.ask.records.events if event.id == only.record_id), None)
    if event is None or not event.recurrence:
        return share
    slots = fill(clause.text, scene.clock)
    slots.times = [found for found in slots.times if found.day_said]
    return series.alter(event, clause.text, slots, only.fields, scene) or share
