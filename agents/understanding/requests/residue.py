"""What is left when the name of a stored thing is taken out of a clause: "nordlys invoice is out the door", "hanna call 15 min earlier".

Every word must belong to the name, to the act or to breath: what says anything else is read elsewhere.
"""

from __future__ import annotations

import re
from datetime import timedelta

from agents.contract import Op
from agents.records import Kind
from agents.time import find_times
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose, series
from agents.understanding.references import Item
from agents.understanding.requests.tasks import filled, hint_day, is_open
from agents.understanding.requests.terse import named_wholly
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots.moves import moved
from agents.understanding.slots.slots import Slots, tidy
from agents.understanding.text.clauses import Clause
from agents.understanding.text.filler import trim

LONGEST = 16
P = patterns_of(__name__)
GONE = P.GONE
AT = P.AT


def left_over(clause: Clause, scene: Scene) -> Share | None:
    """The one act on the one thing named; None when the clause says more than that, or names nothing stored."""
    text = P.PRICE.sub("", P.ASIDE.sub("", trim(clause.text)))
    if not 1 < len(text.split()) <= LONGEST or P.INVERTED.match(text) or f"{text}?".lower() in scene.ask.text.lower():
        return None
    readings = (_shifted, _done, _placed, _gone)
    return next((share for read in readings if (share := read(text, clause, scene)) is not None), None)


def _done(text: str, clause: Clause, scene: Scene) -> Share | None:
    said = P.SUBJECT.sub("", text)
    rest = P.DID.sub("", said) if P.DID.match(said) else P.DONE.sub(" ", said) if P.DONE.search(said) else ""
    told = not P.NOT_YET.search(text) and not P.RESIDUE_QUESTION.search(clause.text)
    return _closed("complete", rest, clause, scene) if rest and told else None


def _placed(text: str, clause: Clause, scene: Scene) -> Share | None:
    """An event that takes place on a line or in a room, said without more: "the pitch is virtual now - teams"."""
    match = P.ONLINE.fullmatch(text) or AT.fullmatch(text)
    found = _named(filled(match["what"], scene, clause), ("event",), scene) if match else []
    said = match.groupdict() if match else {}
    place = said.get("by") or said.get("how") or said.get("at") or ""
    if said.get("at") and (
        find_times(place, scene.clock, bare=True) or [item for item in found if getattr(item.record, "location", None)]
    ):
        return None
    if len(found) != 1:
        return None
    return change(clause.text, choose.propose(found[0], "update", {"location": place}, "it has another place"))


def _gone(text: str, clause: Clause, scene: Scene) -> Share | None:
    if not P.NEEDLESS.search(text) or P.RESIDUE_QUESTION.search(clause.text):
        return None
    rest = GONE.sub(" ", GONE.sub(" ", text))
    return _closed("delete", rest, clause, scene) if rest != text else None


def _closed(op: Op, rest: str, clause: Clause, scene: Scene) -> Share | None:
    slots = filled(rest, scene, clause)
    kinds: tuple[Kind, ...] = ("todo",) if op == "complete" else ("todo", "event")
    found = _named(slots, kinds, scene)
    if not found or series.series_of(found):
        return None
    reason = "you said it is done" if op == "complete" else "you do not need it any more"
    return choose.settle(found, op, slots.title, scene, reason=reason)


def _named(slots: Slots, kinds: tuple[Kind, ...], scene: Scene) -> list[Item]:
    """The things that every word of a title belongs to."""
    title = tidy(slots.title)
    found = choose.search(title, scene, kinds, is_open, hint_day(slots)) if title else []
    return [item for item in found if item.kind in kinds and named_wholly(title, item)]


def _shifted(text: str, clause: Clause, scene: Scene) -> Share | None:
    """Something so much earlier or later."""
    match = P.SHIFT.fullmatch(text)
    if (
        match is None
        or not (match["way"] or match["then"])
        or (match["put"] and not match["way"] and not match["then"])
    ):
        return None
    by = _length(match, scene)
    slots = filled(match["what"], scene, clause)
    found = _named(slots, ("event",), scene) or (
        _named(slots, ("todo",), scene) if match["put"] or match["being"] else []
    )
    event = series.series_of(found)
    if by is None or len(found) != 1:
        return None
    if event is not None:
        return series.move(event, clause.text, slots, by, scene)
    return change(clause.text, choose.propose(found[0], "update", moved(found[0], by, scene), "you moved it"))


def _length(match: re.Match[str], scene: Scene) -> timedelta | None:
    found = find_times(match["long"], scene.clock, bare=True)
    length = next((time for time in found if time.kind == "duration" and time.seconds), None)
    earlier = (match["way"] or "").lower() in ("forward", "up") or (match["then"] or "").lower() in (
        "earlier",
        "sooner",
        "forward",
    )
    return timedelta(seconds=(length.seconds or 0) * (-1 if earlier else 1)) if length else None
