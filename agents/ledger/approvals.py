"""The question that asks for the confirmation of held changes, made from their ledger rows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from agents.contract import Change, Option, Pending, Proposal, Question
from agents.languages import deferred, retold, say
from agents.phrases import quoted, say_list
from agents.rendering.changes import lines_off, say_conflicts, told_apart
from agents.rendering.wanted import say_details

LEFT = "Okay, I leave it."
OFFERED = "a plan is added only with your yes"
"""The reason of tasks that were offered as a plan."""
ACTS = {
    "create": deferred("add {items}"),
    "update": deferred("change {items}"),
    "complete": deferred("complete {items}"),
    "archive": deferred("archive {items}"),
    "delete": deferred("delete {items}"),
}
THE = {
    "todo": deferred("the task {title}"),
    "event": deferred("the event {title}"),
    "note": deferred("the note {title}"),
    "profile": deferred("the profile {title}"),
    "instruction": deferred("the instruction {title}"),
}


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
    return [
        _plan(rows, now) if reason == OFFERED else _sentence(reason, rows, now) for reason, rows in by_reason.items()
    ]


def _plan(rows: Sequence[Change], now: datetime) -> str:
    """The tasks of a plan by number, as they can be left out by it, and the question."""
    lines = [f"{number}. {change.title}{say_details(change, now)}" for number, change in enumerate(rows, 1)]
    return "\n".join([*lines, say("Shall I add all of this?")])


def _sentence(reason: str, rows: Sequence[Change], now: datetime) -> str:
    by_op: dict[str, list[Change]] = {}
    for change in rows:
        by_op.setdefault(ACTS[change.op], []).append(change)
    wanted = [say(act, items=say_list([_named(change, now) for change in some])) for act, some in by_op.items()]
    overlaps = "".join(say_conflicts(change, now) for change in rows)
    why = retold(reason)
    asked = say("{reason}: shall I {acts}?", reason=f"{why[:1].upper()}{why[1:]}", acts=say_list(wanted))
    return f"{asked}{overlaps}"


def _named(change: Change, now: datetime) -> str:
    title = quoted(change.title)
    if change.kind == "note" and "items" in change.fields and (off := lines_off(change)):
        return say("{title} so that {off}", title=title, off=off)
    named = say(THE[change.kind], title=title) if change.op == "delete" else title
    return f"{named}{say_details(change, now)}"


def confirmation_proposal(held: Change, *, declined: bool = False) -> Proposal:
    """The proposal that confirms or declines a held change."""
    return Proposal(
        op=held.op, kind=held.kind, record_id=held.record_id, confirms=held.id, place=held.place, declined=declined
    )
