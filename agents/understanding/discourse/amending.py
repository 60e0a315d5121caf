"""A yes that changes what was asked about: "yes but make it high priority", "sure, at four instead", "no, on friday"."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from agents.contract import Proposal
from agents.records import RECORD_TYPES, title_of
from agents.time import find_times
from agents.understanding.discourse.reactions import PAUSE
from agents.understanding.discourse.revisions import corrected
from agents.understanding.grammar import patterns_of
from agents.understanding.references import Item
from agents.understanding.requests.addenda import details_alone
from agents.understanding.requests.lengths import ending
from agents.understanding.scene import Scene
from agents.understanding.slots.moves import moved
from agents.understanding.text.clauses import Clause

P = patterns_of(__name__)
LEAD = P.LEAD
NOT_YET = re.compile(rf"\W*(?:{PAUSE})\W*", re.IGNORECASE)
"""Asks for time, and is no length: "wait a second"."""
LONGEST = 14


def amended(draft: Proposal, text: str, scene: Scene) -> list[Proposal]:
    """The proposal as the words change it, agreed to; none when they say nothing about it.

    What was held in the ledger is declined, and what was meant proposed in its place.
    """
    if NOT_YET.fullmatch(text):
        return []
    said = LEAD.sub("", text.strip()).strip(" .!")
    lead = LEAD.match(text.strip())
    wanted = otherwise(draft, said, scene) if lead else None
    if wanted is None:
        return []
    held = [draft.model_copy(update={"declined": True})] if draft.confirms else []
    return [*held, wanted.model_copy(update={"agreed": True})]


def otherwise(draft: Proposal, said: str, scene: Scene) -> Proposal | None:
    """The proposal with what a few words change of it; None when they say nothing about it."""
    said = LEAD.sub("", said.strip()).strip(" .!")
    item = _drafted(draft, scene) if said and len(said.split()) <= LONGEST else None
    fields = changed(item, said, scene) if item else {}
    if not fields:
        return None
    record_id = None if draft.op == "create" else draft.record_id
    wanted = {**draft.fields, **fields}
    return Proposal(op=draft.op, kind=draft.kind, record_id=record_id, fields=wanted, reason=draft.reason)


def changed(item: Item, said: str, scene: Scene) -> dict[str, Any]:
    """The fields that a few words change: levels, a time, a length, or what a correction would."""
    shift = P.SHIFT.fullmatch(said.strip())
    long = next(iter(find_times(shift["long"], scene.clock)), None) if shift else None
    if shift and long and long.seconds:
        sign = -1 if shift["way"].lower() in ("earlier", "sooner", "forward") else 1
        return moved(item, timedelta(seconds=sign * long.seconds), scene)
    there = P.THERE.fullmatch(said.strip()) if item.kind == "event" else None
    if there and not find_times(said, scene.clock, bare=said[:2].lower() == "at"):
        return {"location": there["place"].strip()}
    slots = details_alone(Clause(said), scene)
    fields: dict[str, Any] = {}
    if slots is not None:
        fields = slots.levels() if item.kind == "todo" else {}
        if slots.repeat:
            fields |= {"recurrence": slots.repeat.rrule}
        elif slots.when:
            fields |= moved(item, slots.when, scene)
        elif slots.minutes and item.kind == "event":
            fields |= ending(item, slots.minutes, scene)
    return fields or corrected(said, item, scene)


def _drafted(draft: Proposal, scene: Scene) -> Item | None:
    """What would come of a proposal, as an item."""
    if draft.op not in ("create", "update") or draft.kind not in ("todo", "event"):
        return None
    there = next((item for item in scene.items(draft.kind) if item.id == draft.record_id), None)
    stored = there.record.model_dump() if there else {"id": "draft", "created_at": scene.now, "updated_at": scene.now}
    record = RECORD_TYPES[draft.kind].model_validate({**stored, **draft.fields})
    return Item(draft.kind, str(stored["id"]), title_of(draft.kind, vars(record)), record)
