"""Plays conversations on records in memory, by the ledger's own rules, without a server."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from agents.contract import Change, Conflict, Pending, Proposal, Question, RouterDecision
from agents.ledger.approvals import approval_questions
from agents.ledger.transitions import ProposalRefused, Stamp, revert, transition
from agents.open_questions import left_open, waiting
from agents.ports import Ask, Exchange, Records
from agents.records import RECORD_TYPES, Kind, Source, title_of
from agents.rendering.changes import claim_sentence
from agents.understanding.line import as_instructed, ask_of
from agents.understanding.message import understand
from tests.support.conversations.judging import fault

GROUPS: dict[Kind, str] = {"todo": "todos", "event": "events", "note": "notes", "instruction": "instructions"}
DAY = len("2026-11-18")
Mind = Callable[[Ask], RouterDecision]
"""What understands a message."""


@dataclass
class State:
    """Records that change from turn to turn, the changes and words so far, and the mind that understands them."""

    records: Records
    at: datetime
    timezone: str
    changes: list[Change] = field(default_factory=list)
    recent: list[Exchange] = field(default_factory=list)
    pending: Pending | None = None
    mind: Mind = understand


@dataclass(frozen=True, slots=True)
class Played:
    """One turn: what was said, what is wrong with it (None when nothing is) and what came of it."""

    case: str
    category: str
    said: str
    wrong: str | None
    told: str


def play(case: dict[str, Any], spent: list[float], mind: Mind = understand) -> list[Played]:
    """A conversation turn by turn; ``spent`` gains the milliseconds of each."""
    state = state_of(case, mind)
    return [_turn(case, index, state, spent) for index in range(len(case["turns"]))]


def state_of(case: dict[str, Any], mind: Mind = understand) -> State:
    """What a conversation begins with."""
    ask = ask_of({"text": "", "now": case["now"], "tz": case["tz"], "given": case.get("given")})
    return State(ask.records, ask.at, case["tz"], mind=mind)


@dataclass(frozen=True, slots=True)
class Turned:
    """What came of one message: its changes in JSON form, and the question that waits after it."""

    disposition: str
    rows: list[dict[str, Any]]
    reply: str
    pending: Pending | None
    ms: float
    told: str


def _turn(case: dict[str, Any], index: int, state: State, spent: list[float]) -> Played:
    turn = case["turns"][index]
    made = turned(turn["say"], state, f"t{index}")
    spent.append(made.ms)
    wrong = fault(turn["expect"], made.disposition, made.rows, made.reply, state.timezone)
    return Played(case["id"], case["category"], turn["say"], wrong, made.told)


def turned(said: str, state: State, name: str) -> Turned:
    """One message, understood and carried out on the state."""
    ask = Ask(
        text=said,
        at=state.at,
        timezone=state.timezone,
        records=state.records,
        recent=state.recent,
        recent_changes=[change for change in state.changes if not change.has_been_held],
        pending=state.pending,
    )
    begun = time.perf_counter()
    decision = state.mind(ask)
    ms = (time.perf_counter() - begun) * 1000
    proposals = as_instructed(decision, ask)
    changes = apply(state, proposals, name)
    questions = [*approval_questions(changes, state.at), *decision.questions]
    reply = reply_of(decision, changes, questions, state)
    kept = left_open(state.pending, questions, changes, answered=decision.answered)
    question = waiting([*questions, *kept])
    state.pending = question.pending if question else None
    state.recent.append(Exchange(said=said, replied=reply))
    rows = [change.model_dump(mode="json") for change in changes]
    attempted = any(change.status != "needs_confirmation" for change in changes)
    disposition = "clarify" if changes and not attempted else decision.disposition
    made = [(item.op, item.kind, item.title, item.fields, item.error) for item in changes]
    told = f"{disposition} {made} {reply[:300]}"
    return Turned(disposition, rows, reply, asked.pending if (asked := waiting(questions)) else None, ms, told)


def apply(state: State, proposals: Iterable[Proposal], turn: str) -> list[Change]:
    """Proposals carried out on the records in memory, by the ledger's own rules."""
    made = [one_change(state, confirmed(state, p), turn, seq) for seq, p in enumerate(proposals) if not p.declined]
    state.changes += made
    return made


def confirmed(state: State, proposal: Proposal) -> Proposal:
    """The proposal, or the one that waited for this yes."""
    held = next((change for change in state.changes if change.id == proposal.confirms), None)
    if held is None:
        return proposal
    return Proposal(op=held.op, kind=held.kind, record_id=held.record_id, fields=held.fields)


def one_change(state: State, proposal: Proposal, turn: str, seq: int) -> Change:
    """One proposal as the change that it comes to."""
    stamp = Stamp(state.at, state.timezone, Source())
    record_id = proposal.record_id or ("profile" if proposal.kind == "profile" else f"new-{turn}-{seq}-{proposal.kind}")
    before = stored(state, proposal.kind, record_id)
    error, after = None, before
    try:
        if proposal.op == "undo":
            target = next(change for change in state.changes if change.id == proposal.undo_of)
            after = revert(before, target.before, stamp)
            target.status = "undone"
        else:
            after = transition(proposal, record_id, before, stamp)
        if not proposal.hold:
            store(state, proposal.kind, record_id, after)
    except ProposalRefused as refused:
        error = str(refused)
    shown = after or before or {}
    held = bool(proposal.hold) and error is None
    return Change(
        id=f"{turn}-{proposal.kind}-{seq}",
        cursor=len(state.changes) + seq,
        turn_id=turn,
        agent="",
        seq=seq,
        op=proposal.op,
        kind=proposal.kind,
        record_id=record_id,
        title=title_of(proposal.kind, shown) if shown else "",
        fields=proposal.fields,
        before=before,
        after=before if held else after,
        status="needs_confirmation" if held else "failed" if error else "applied",
        error=error,
        undo_of=proposal.undo_of,
        reason=proposal.hold,
        expires_at=state.at if held else None,
        conflicts=clashes(state, proposal.kind, record_id, after) if after and not error else [],
        created_at=state.at,
    )


def stored(state: State, kind: Kind, record_id: str) -> dict[str, Any] | None:
    """A record in JSON form."""
    if kind == "profile":
        return state.records.profile.model_dump(mode="json") if state.records.profile else None
    return next(
        (item.model_dump(mode="json") for item in getattr(state.records, GROUPS[kind]) if item.id == record_id), None
    )


def store(state: State, kind: Kind, record_id: str, after: dict[str, Any] | None) -> None:
    """Keep or drop a record."""
    record = RECORD_TYPES[kind].model_validate(after) if after else None
    if kind == "profile":
        state.records = state.records.model_copy(update={"profile": record})
        return
    items = getattr(state.records, GROUPS[kind])
    kept = [record if item.id == record_id and record else item for item in items if item.id != record_id or record]
    if record and not any(item.id == record_id for item in items):
        kept.append(record)
    state.records = state.records.model_copy(update={GROUPS[kind]: kept})


def clashes(state: State, kind: Kind, record_id: str, after: dict[str, Any]) -> list[Conflict]:
    """The events that stand where a changed one does."""
    if kind != "event" or len(str(after.get("start"))) <= DAY:
        return []
    start, end = datetime.fromisoformat(after["start"]), datetime.fromisoformat(after["end"])
    return [
        Conflict(record_id=event.id, title=event.title, start=str(event.start), end=str(event.end))
        for event in state.records.events
        if event.id != record_id
        and isinstance(event.start, datetime)
        and isinstance(event.end, datetime)
        and event.start < end
        and event.end > start
    ]


def reply_of(decision: RouterDecision, changes: list[Change], questions: list[Question], state: State) -> str:
    """The reply, as the synthesizer would put it together."""
    told = [change for change in changes if change.status != "needs_confirmation"]
    parts = [decision.acknowledgement, *(claim_sentence(change, state.at) for change in told)]
    for target in decision.targets:
        parts += target.proposed.answers if target.proposed else []
        if target.proposed and target.proposed.suggestion:
            parts += [target.proposed.suggestion.action, target.proposed.suggestion.why]
    return " ".join([*parts, *decision.unclear, *(question.text for question in questions)])
