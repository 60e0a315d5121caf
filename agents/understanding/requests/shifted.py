"""All that is on a day, to another one: "push everything on wednesday to thursday", "move all friday's meetings to monday"."""

from __future__ import annotations

from datetime import date, timedelta

from agents.contract import Proposal
from agents.records import Event
from agents.time import Found, find_times
from agents.understanding.grammar import patterns_of
from agents.understanding.items import apart, choose, series
from agents.understanding.references import Item
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots.days import days_of
from agents.understanding.slots.moves import moved
from agents.understanding.text.clauses import Clause

P = patterns_of(__name__)


def days(clause: Clause, scene: Scene) -> Share | None:
    """Every event of a day moved, and with "everything" the tasks that are due then; None when there are no events."""
    match = P.FORM.fullmatch(clause.text.strip(" .!"))
    if match is None or P.OTHER_THINGS.search(match["from"]) or not (match["all"] or P.MEETINGS.search(match["from"])):
        return None
    said = next((found for found in find_times(match["from"], scene.clock) if found.day_said), None)
    to = _target(match["to"], scene)
    if said is None or to is None:
        return None
    first, last = days_of(said, scene)
    events = [part for item in scene.items("event") for part in _event(item, first, last, to, scene)]
    due = scene.items("todo") if match["all"] and not P.MEETINGS.search(match["from"]) else []
    tasks = [item for item in due if is_open(item) and item.day is not None and first <= item.day <= last]
    dated = [(item, moved(item, to, scene)) for item in tasks]
    changes = [choose.propose(item, "update", fields, "you moved that day") for item, fields in dated if fields]
    return change(clause.text, *events, *changes) if events else None


def _target(to: str, scene: Scene) -> Found | timedelta | None:
    found = next(iter(find_times(to, scene.clock, bare=True)), None)
    if found is not None and found.kind == "duration":
        return timedelta(seconds=(found.seconds or 0) * (-1 if P.BACK.search(to) else 1))
    return found


def _event(item: Item, first: date, last: date, to: Found | timedelta, scene: Scene) -> list[Proposal]:
    event = item.record
    if isinstance(event, Event) and event.recurrence:
        return apart.moved(event, series.on_days(event, first, last, scene), to, scene)
    there = item.day is not None and first <= item.day <= last
    fields = moved(item, to, scene) if there else {}
    return [choose.propose(item, "update", fields, "you moved that day")] if fields else []
