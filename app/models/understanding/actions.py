"""What the calls of an answer come to: proposals, faults that the model may mend, and what is looked up first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from agents.contract import ALREADY, Proposal
from agents.ledger.transitions import ProposalRefused, Stamp, as_closing, fresh_id, transition
from agents.records import Kind, Source, ToDo
from agents.user_words.mentions import is_named
from app.models.llm.requests import Call
from app.models.llm.written_calls import unique
from app.models.understanding.call_context import CallContext, CannotDo
from app.models.understanding.record_calls import PROPOSING

MERGED_FIELDS = ("facts", "since")


@dataclass
class Carried:
    """What calls come to, in their order; ``other`` are calls of tools that make no proposals."""

    proposals: list[Proposal] = field(default_factory=list)
    other: list[Call] = field(default_factory=list)


def carry_out(calls: Sequence[Call], context: CallContext, done: Carried) -> list[str]:
    """Add what calls come to, each by itself; return a word to the model for each, "" where it is fine."""
    return [call.fault or _fault_of(call, context, done) for call in calls]


def _fault_of(call: Call, context: CallContext, done: Carried) -> str:
    try:
        wanted = PROPOSING[call.name](call.args, context) if call.name in PROPOSING else []
        _check(wanted, context)
        _check_other(call, context)
    except CannotDo as fault:
        return str(fault)
    done.proposals += wanted
    done.other += [] if call.name in PROPOSING else [call]
    return ""


def merge_updates(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return several updates of one record as one; the last lines of a list hold those of the calls before."""
    found: dict[object, Proposal] = {}
    for place, item in enumerate(proposals):
        same = item.op == "update" and not item.group
        key = (item.kind, item.record_id) if same else place
        first, then = found[key].fields if key in found else {}, item.fields
        joined = {name: {**first[name], **then[name]} for name in MERGED_FIELDS if name in first and name in then}
        found[key] = found.get(key, item).model_copy(update={"fields": {**first, **then, **joined}})
    return unique(list(found.values()))


def _check(proposals: Sequence[Proposal], context: CallContext) -> None:
    """Raise CannotDo where the ledger would refuse a proposal for what it says."""
    stamp = Stamp(context.ask.at, context.ask.timezone, Source())
    states: dict[str, dict[str, Any] | None] = {}
    for item in proposals:
        if item.op == "undo":
            continue
        known = fresh_id(item, "")
        before = states[known] if known in states else _stored_record(item.kind, known, context)
        try:
            after = transition(as_closing(item, before), known, before, stamp)
        except ProposalRefused as refused:
            if str(refused).endswith(f" {ALREADY}"):  # the receipt says so
                continue
            raise CannotDo(str(refused)) from None
        if after is not None and item.op != "create":
            states[known] = after


def _stored_record(kind: Kind, known: str, context: CallContext) -> dict[str, Any] | None:
    """Return a record as the ledger has it."""
    records = context.ask.records
    found = records.index.get(kind, known)
    record = found.record if found else records.profile if kind == "profile" else None
    return record.model_dump(mode="json") if record else None


def _check_other(call: Call, context: CallContext) -> None:
    """Raise CannotDo for long work that the user's own words do not name, and a suggestion of no task."""
    if call.name == "suggest_task":
        context.one_of(ToDo, call.args["id"])
    if call.name == "start_run" and (context.ask.passed_on or not is_named(str(call.args["goal"]), context.ask)):
        raise CannotDo("the user did not ask for that: ask them first")
    if call.name == "answer_pending" and context.ask.pending is None:
        raise CannotDo("no question is open: do what the user wants with other tools")
