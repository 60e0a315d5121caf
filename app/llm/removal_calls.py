"""Calls that take away as proposals: deleting records or one occurrence, and taking back changes."""

from __future__ import annotations

from typing import Any

from agents.contract import Proposal
from agents.ledger.atomic_groups import undoing
from agents.records import Event
from app.llm.call_context import CallContext, CannotDo, kind_of
from app.llm.event_calls import cancel_occurrence
from app.llm.prompt import latest_changes

ASKED = "you asked for it"


def delete(args: dict[str, Any], context: CallContext) -> list[Proposal]:
    """Return what goes; of an appointment that repeats, where a day is named, the one on that day."""
    return [_gone(one, args.get("occurrence"), context) for one in dict.fromkeys(args["ids"])]


def _gone(said: str, occurrence: str | None, context: CallContext) -> Proposal:
    record = context.record(said)
    if occurrence and isinstance(record, Event) and record.recurrence:
        return cancel_occurrence(record, occurrence, context)
    return Proposal(op="delete", kind=kind_of(record), record_id=record.id, reason=ASKED)


def undo(args: dict[str, Any], context: CallContext) -> list[Proposal]:
    """Return what takes changes back, with all that was made as one with each of them."""
    known = latest_changes(context.ask)
    wanted = [context.changes.resolve(one) for one in dict.fromkeys(args["change_ids"])]
    found = [change for one in wanted for change in known if change.id == one]
    if len(found) < len(wanted):
        raise CannotDo("there is no such recent change")
    if any(change.status == "undone" for change in found):
        raise CannotDo("that is undone already")
    taken = {one.undo_of: one for change in found for one in undoing(change, known, "you asked to undo it")}
    return list(taken.values())
