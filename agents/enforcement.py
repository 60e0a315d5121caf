"""Apply standing instructions to an agent's proposals: fill in defaults, hold what needs a confirmation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from agents.contract import Proposal
from agents.estimates import estimated_minutes
from agents.ledger.transitions import ProposalRefused, Stamp, fresh_id, transition
from agents.phrases import quote
from agents.policies.matching import is_about, is_urgent
from agents.policies.rules import AskOnConflict, ConfirmBefore, Default, Rule, Standing, TimeLimit
from agents.policies.windows import breaks, on_days
from agents.records import Kind, Source
from agents.risk import ASKED_FIRST, ASKED_ON_CONFLICT

PREVIEW = "preview"
REMINDING = "remind_before"  # no field of the event: reminders follow from it when it is kept
TIMES = frozenset({"start", "end", "recurrence", "deadline", "remind_at", "all_day", "zone"})
State = dict[str, Any] | None


@dataclass(frozen=True)
class ProposalContext:
    """What proposals are judged by: the turn's clock and zone, the words that asked, and the records they name."""

    at: datetime
    timezone: str
    said: str = ""
    records: Mapping[tuple[Kind, str], dict[str, Any]] = field(default_factory=dict)


def apply_instructions(
    proposals: Sequence[Proposal], standing: Sequence[Standing], around: ProposalContext
) -> list[Proposal]:
    """The proposals after the instructions in force; proposals of one group are held together."""
    if not standing:
        return list(proposals)
    found = [_enforce(proposal, standing, around, alone=len(proposals) == 1) for proposal in proposals]
    holds = {proposal.group: proposal.hold for proposal in found if proposal.group and proposal.hold}
    return [_with_hold(proposal, proposal.hold or holds.get(proposal.group, "")) for proposal in found]


def _enforce(proposal: Proposal, standing: Sequence[Standing], around: ProposalContext, *, alone: bool) -> Proposal:
    if proposal.op == "undo" or proposal.confirms or proposal.kind == "instruction":
        return proposal  # the user's own hand
    inforce = [(known.text, rule) for known in standing if known.covers(proposal.place) for rule in known.rules]
    filled = _fill_defaults(proposal, [rule for _, rule in inforce], around.said if alone else "")
    try:
        before, after = _preview(filled, around)
    except ProposalRefused:
        return filled  # the ledger refuses it as well, and says why
    reasons = (_reason(filled, text, rule, before, after, around) for text, rule in inforce)
    return _with_hold(_held_on_conflict(filled, inforce), proposal.hold or next(filter(None, reasons), ""))


def _with_hold(proposal: Proposal, why: str) -> Proposal:
    return proposal.model_copy(update={"hold": why}) if why != proposal.hold else proposal


def _preview(proposal: Proposal, around: ProposalContext) -> tuple[State, State]:
    record_id = fresh_id(proposal, PREVIEW)
    before = around.records.get((proposal.kind, record_id))
    return before, transition(proposal, record_id, before, Stamp(around.at, around.timezone, Source()))


def _held_on_conflict(proposal: Proposal, inforce: Sequence[tuple[str, Rule]]) -> Proposal:
    """An event asks by itself once the ledger sees what it overlaps with."""
    asks = proposal.kind == "event" and any(isinstance(rule, AskOnConflict) for _, rule in inforce)
    return proposal.model_copy(update={"hold_on_conflict": ASKED_ON_CONFLICT}) if asks else proposal


def _reason(proposal: Proposal, text: str, rule: Rule, before: State, after: State, around: ProposalContext) -> str:
    """Why a rule holds a proposal; empty when it lets it pass."""
    if isinstance(rule, ConfirmBefore):
        return ASKED_FIRST if not proposal.agreed and _must_ask(proposal, rule, before, after, around) else ""
    if isinstance(rule, TimeLimit) and _about_time(proposal) and after is not None:
        return f"you said {quote(text)}" if breaks(rule, proposal.kind, before, after, around.timezone) else ""
    return ""


def _about_time(proposal: Proposal) -> bool:
    return proposal.op == "create" or (proposal.op == "update" and bool(TIMES & set(proposal.fields)))


def _must_ask(proposal: Proposal, rule: ConfirmBefore, before: State, after: State, around: ProposalContext) -> bool:
    kinds = not rule.kinds or proposal.kind in rule.kinds
    acts = proposal.op in rule.ops or ("create" in rule.ops and _adds_items(proposal, before, after))
    record = {**(before or {}), **(after or {})}
    days = not rule.days or any(on_days(rule.days, state, around.timezone) for state in (before, after) if state)
    return kinds and acts and days and is_about(record, rule.about)


def _adds_items(proposal: Proposal, before: State, after: State) -> bool:
    """Adding to a list is adding, although the list is only updated."""
    return proposal.kind == "note" and len((after or {}).get("items", [])) > len((before or {}).get("items", []))


def _fill_defaults(proposal: Proposal, rules: Sequence[Rule], said: str) -> Proposal:
    """A new item with what the rules give it; what was said goes first, then the rule that says most."""
    if proposal.op != "create":
        return proposal
    stated = [rule for rule in rules if isinstance(rule, Default) and rule.kind == proposal.kind]
    defaults = [rule for rule in stated if rule.field != REMINDING]
    fields = dict(proposal.fields)
    for rule in sorted(defaults, key=lambda rule: -len(rule.about) - rule.urgent):
        if is_about(fields, rule.about) and (not rule.urgent or is_urgent(fields, said)):
            fields = {
                **_default_fields(rule, fields),
                **{name: value for name, value in fields.items() if value is not None},
            }
    return proposal.model_copy(update={"fields": fields}) if fields != proposal.fields else proposal


def _default_fields(rule: Default, fields: Mapping[str, Any]) -> dict[str, Any]:
    if rule.field == "duration":
        return _lasting(fields, rule.value) if isinstance(rule.value, int) else {}
    if rule.field == "time_to_complete" and rule.value is None:
        return {rule.field: estimated_minutes(str(fields.get("task", "")), fields.get("solutions") or ())}
    return {rule.field: rule.value}


def _lasting(fields: Mapping[str, Any], minutes: int) -> dict[str, Any]:
    """The end of an event that has a clock time; a whole day has no other length."""
    start = fields.get("start")
    try:
        begins = datetime.fromisoformat(start) if isinstance(start, str) and "T" in start else start
    except ValueError:
        return {}
    if not isinstance(begins, datetime) or begins.tzinfo is None:
        return {}
    return {"end": (begins + timedelta(minutes=minutes)).isoformat()}
