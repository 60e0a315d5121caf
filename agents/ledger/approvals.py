"""The question that asks for the confirmation of held changes, made from their ledger rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from agents.contract import Change, Option, Pending, Proposal, Question
from agents.languages import retold, say, say_later
from agents.phrases import quote, say_list
from agents.records import Kind
from agents.rendering.changes import say_conflicts, say_line_changes, told_apart
from agents.rendering.facts import lost_facts, new_facts
from agents.rendering.wanted import details_of, say_details
from agents.risk import ASKED_FIRST, ASKED_ON_CONFLICT, MISREAD, UNSURE

LEFT_AS_IS = "Okay, leaving it as is."
OFFERED = "a plan is added only with your yes"
"""The reason of tasks that were offered as a plan."""
UNTOLD_REASONS = frozenset({UNSURE, MISREAD, ASKED_FIRST, ASKED_ON_CONFLICT})
"""Reasons that the question itself tells: it is asked, and what is overlapped is named."""
ACTS = {
    "create": say_later("add {items}"),
    "update": say_later("change {items}"),
    "complete": say_later("complete {items}"),
    "archive": say_later("archive {items}"),
    "undo": say_later("undo {items}"),
}
MAKING = {
    "event": say_later("book {items}"),
    "instruction": say_later("keep to {items} from now on"),
    "list": say_later("start the list {items}"),
    "note": say_later("keep {items} as a note"),
    "idea": say_later("keep {items} as an idea"),
    "question": say_later("keep {items} as a question"),
    "thought": say_later("keep {items} as a thought"),
}
"""What is said of new things instead, by their kind or the sort of note."""
REMEMBER = (say_later("remember that {items}"),) * 2
FORGET = (say_later("forget {items}"),) * 2
DELETING: dict[Kind, tuple[str, str]] = {
    "todo": (say_later("delete the task {items}"), say_later("delete the tasks {items}")),
    "event": (say_later("delete the event {items}"), say_later("delete the events {items}")),
    "note": (say_later("delete the note {items}"), say_later("delete the notes {items}")),
    "profile": (say_later("delete {items}"), say_later("delete {items}")),
    "instruction": (say_later("delete the instruction {items}"), say_later("delete the instructions {items}")),
    "memo": (say_later("delete the memo {items}"), say_later("delete the memos {items}")),
}
"""What is said of one thing that goes, and of several of a kind."""


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
    return [Question(text=" ".join(_approval_sentences(held, now)), options=["yes", "no"], pending=pending)]


def _approval_sentences(held: Sequence[Change], now: datetime) -> list[str]:
    """A sentence for each reason to ask."""
    by_reason: dict[str, list[Change]] = {}
    for change in told_apart(held, now):
        by_reason.setdefault(change.reason, []).append(change)
    return [
        _plan(rows, now) if reason == OFFERED else _sentence(reason, rows, now) for reason, rows in by_reason.items()
    ]


def _plan(rows: Sequence[Change], now: datetime) -> str:
    """The tasks of a plan by number, as they can be left out by it, and the question."""
    lines = [f"{number}. {change.title}{say_details(change, now)}" for number, change in enumerate(rows, 1)]
    return "\n".join([*lines, say("Shall I add all of this?")])


def _sentence(reason: str, rows: Sequence[Change], now: datetime) -> str:
    by_act: dict[tuple[str, str], list[str]] = {}
    for change in rows:
        for act, words in _question_parts(change, now, alone=len(rows) == 1):
            by_act.setdefault(act, []).append(words)
    acts = say_list([say(act[len(items) > 1], items=say_list(items)) for act, items in by_act.items()])
    template = say_later("{acts}?") if reason in UNTOLD_REASONS else say_later("{reason}: {acts}?")
    asked = say(template, reason=retold(reason), acts=acts)
    return f"{asked[:1].upper()}{asked[1:]}{''.join(say_conflicts(change, now) for change in rows)}"


def _question_parts(change: Change, now: datetime, *, alone: bool) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield what is asked about a change: the templates for one and for several, and what goes into them."""
    if change.kind == "profile" and change.op in ("create", "update"):
        yield from ((REMEMBER, fact) for fact in new_facts(change, now))
        yield from ((FORGET, fact) for fact in lost_facts(change))
        return
    sort = (change.fields.get("category") or "note") if change.kind == "note" else change.kind
    if change.op == "delete":
        yield DELETING[change.kind], f"{quote(change.title)}{say_details(change, now)}"
        return
    act = MAKING.get(sort, ACTS["create"]) if change.op == "create" else ACTS[change.op]
    yield (act, act), _describe_change(change, now, alone=alone)


def _describe_change(change: Change, now: datetime, *, alone: bool) -> str:
    """Return the title with all that a yes writes: in brackets, unless it is one thing ``alone``."""
    title = quote(change.title)
    if change.op == "update" and "items" in change.fields and (changed := say_line_changes(change)):
        return say("{title} so that {changed}", title=title, changed=changed)
    details = details_of(change, now)
    if change.op == "create" and change.kind == "event" and change.fields.get("start"):
        title, details = say("{title} for {when}", title=title, when=details[0]), details[1:]
    if alone and change.op == "create" and change.kind in ("todo", "event"):
        return "".join([title, *(f", {part}" for part in details)])
    if alone and change.op == "update" and details:
        return f"{title}: {', '.join(details)}"
    return f"{title} ({'; '.join(details)})" if details else title


def confirmation_proposal(held: Change, *, declined: bool = False) -> Proposal:
    """The proposal that confirms or declines a held change."""
    return Proposal(
        op=held.op, kind=held.kind, record_id=held.record_id, confirms=held.id, place=held.place, declined=declined
    )
