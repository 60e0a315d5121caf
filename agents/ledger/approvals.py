"""The question that asks for the confirmation of held changes, made from their ledger rows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from agents.contract import Change, Option, Pending, Proposal, Question
from agents.phrases import quoted, say_list
from agents.rendering.changes import NOUN, lines_off, say_conflicts, say_event_span, say_moment, told_apart

LEFT = "Okay, I leave it."
VERBS = {"create": "add", "update": "change", "complete": "complete", "archive": "archive", "delete": "delete"}


def approval_questions(changes: Sequence[Change], now: datetime) -> list[Question]:
    """One question for all changes held in this turn, if any; its answer confirms or declines them."""
    held = sorted((change for change in changes if change.status == "needs_confirmation"), key=lambda row: row.place)
    if not held:
        return []
    pending = Pending(
        missing="proceed",
        text=say_list([change.title for change in held]),
        at=now,
        proposals=[confirmation_proposal(change).model_copy(update={"fields": change.fields}) for change in held],
        options=[Option(label=change.title, kind=change.kind, record_id=change.record_id) for change in held],
    )
    return [Question(text=" ".join(_asked(held, now)), options=["yes", "no"], pending=pending)]


def _asked(held: Sequence[Change], now: datetime) -> list[str]:
    """A sentence for each reason to ask."""
    by_reason: dict[str, list[Change]] = {}
    for change in told_apart(held):
        by_reason.setdefault(change.reason, []).append(change)
    return [_sentence(reason, rows, now) for reason, rows in by_reason.items()]


def _sentence(reason: str, rows: Sequence[Change], now: datetime) -> str:
    by_op: dict[str, list[Change]] = {}
    for change in rows:
        by_op.setdefault(VERBS[change.op], []).append(change)
    wanted = [f"{verb} {say_list([_named(change, now) for change in some])}" for verb, some in by_op.items()]
    overlaps = "".join(say_conflicts(change, now) for change in rows)
    return f"{reason[:1].upper()}{reason[1:]}: shall I {say_list(wanted)}?{overlaps}"


def _named(change: Change, now: datetime) -> str:
    noun = f"the {NOUN[change.kind]} " if change.op == "delete" else ""
    if change.kind == "note" and "items" in change.fields and (off := lines_off(change)):
        return f"{quoted(change.title)} so that {off}"
    start, end = change.fields.get("start"), change.fields.get("end")
    if not isinstance(start, str):
        return f"{noun}{quoted(change.title)}"
    when = say_event_span({"start": start, "end": end}, now) if isinstance(end, str) else say_moment(start, now)
    return f"{noun}{quoted(change.title)} ({when})"


def confirmation_proposal(held: Change, *, declined: bool = False) -> Proposal:
    """The proposal that confirms or declines a held change."""
    return Proposal(
        op=held.op, kind=held.kind, record_id=held.record_id, confirms=held.id, place=held.place, declined=declined
    )
