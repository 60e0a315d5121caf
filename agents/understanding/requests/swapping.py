"""Two appointments or two tasks that exchange their times: "swap the dentist and the gym", "switch A with B", "swap the two"."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from agents.contract import Proposal
from agents.records import Event, ToDo
from agents.rendering.agenda import Slot
from agents.time import Found, to_instant
from agents.understanding.grammar import patterns_of
from agents.understanding.items import apart, choose, pointed, series
from agents.understanding.references import Item
from agents.understanding.requests.tasks import filled, hint_day, is_open
from agents.understanding.requests.terse import named_wholly
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots import forms
from agents.understanding.slots.moves import shifted_event
from agents.understanding.slots.slots import Slots
from agents.understanding.text.clauses import Clause

P = patterns_of(__name__)
REASON = "you swapped them"


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two: the item, when it is, and of a series which occurrence is meant."""

    item: Item
    at: date | datetime
    slot: Slot | None = None


def swapped(clause: Clause, scene: Scene) -> Share | None:
    """Each of the two at the other's time, as long as it was; None when the words do not name two of a kind."""
    match = P.SWAP.fullmatch(clause.text.strip(" .!?"))
    if match is None:
        return None
    both = P.ROUND.sub("", match["both"])
    if P.PAIR.fullmatch(both):
        return _exchanged(*_talked_of(both, clause, scene), clause, scene)
    for joint in P.JOINT.finditer(both):
        one = _named(both[: joint.start()], clause, scene)
        other = _named(both[joint.end() :], clause, scene) if one else None
        if (share := _exchanged(one, other, clause, scene)) is not None:
            return share
    return None


def _exchanged(one: Side | None, other: Side | None, clause: Clause, scene: Scene) -> Share | None:
    if one is None or other is None or one.item.id == other.item.id:
        return None
    changes = [*_placed(one, other, scene), *_placed(other, one, scene)]
    if len({type(one.at), type(other.at)}) == 1 and one.item.kind == other.item.kind and changes:
        return _told(one, other, changes, clause, scene)
    return None


def _talked_of(both: str, clause: Clause, scene: Scene) -> tuple[Side | None, Side | None]:
    """The two things that the last replies named."""
    talked = [item for item in pointed.row(scene, ("event", "todo")) if item]
    events = [item for item in talked if item.kind == "event"]
    pair = events if len(events) == 2 else talked
    placed = pointed.some(both, scene, ("event", "todo")) if "t two" in both.lower() else []
    pair = placed or pair
    slots = filled("", scene, clause)
    return (_side(pair[0], slots, scene), _side(pair[1], slots, scene)) if len(pair) == 2 else (None, None)


def _told(one: Side, other: Side, changes: list[Proposal], clause: Clause, scene: Scene) -> Share:
    """Two series are swapped the next time only, after a yes."""
    if one.slot and other.slot:
        names = f"“{one.item.title}” and “{other.item.title}”"
        return choose.confirm(f"Shall I swap {names} the next time only?", changes, scene)
    together = {"group": f"swap {one.item.id} {other.item.id}"}
    return change(clause.text, *(item.model_copy(update=together) for item in changes))


def _named(words: str, clause: Clause, scene: Scene) -> Side | None:
    slots = filled(words, scene, clause)
    found = choose.search(slots.title, scene, ("event", "todo"), is_open, hint_day(slots)) if slots.title else []
    found = [item for item in found if named_wholly(slots.title, item)]
    return _side(found[0], slots, scene) if len(found) == 1 else None


def _side(item: Item, slots: Slots, scene: Scene) -> Side | None:
    record = item.record
    if isinstance(record, ToDo):
        return Side(item, record.deadline) if record.deadline else None
    if not isinstance(record, Event):
        return None
    if record.recurrence is None:
        return Side(item, record.start)
    slot = series.occurrence(record, slots, scene)
    return Side(item, slot.start.date() if slot.whole_day else slot.start, slot) if slot else None


def _placed(side: Side, other: Side, scene: Scene) -> list[Proposal]:
    """What puts one at the time of the other; nothing when it stands there already."""
    record = side.item.record
    if isinstance(record, ToDo):
        due = forms.instant(other.at) if isinstance(other.at, datetime) else forms.day(other.at)
        return [choose.propose(side.item, "update", {"deadline": due}, REASON)]
    if not isinstance(record, Event) or type(side.at) is not type(other.at):
        return []
    to = _said(other.at, scene)
    if side.slot:
        return apart.moved(record, [side.slot], to, scene)
    fields: dict[str, Any] = shifted_event(record, to, scene)
    return [choose.propose(side.item, "update", fields, REASON)]


def _said(at: date | datetime, scene: Scene) -> Found:
    """A day or an instant as a phrase that leaves nothing open."""
    if isinstance(at, datetime):
        local = at.astimezone(scene.clock.zone)
        return Found(f"{local:%I:%M %p}", (0, 0), "point", local, timed=True)
    return Found(f"{at}", (0, 0), "point", to_instant(datetime.combine(at, time()), scene.clock.zone), grain="day")
