"""A message heard with what the user has stored and with what it comes after."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any

from agents.index.index import Items
from agents.ports import Ask
from agents.reading.encoder import load_encoder
from agents.reading.heard import Heard, hear
from agents.reading.rows import MessageSurroundings
from agents.records import Kind, ToDo
from agents.time import Clock

CONTEXTS = {
    "which": "which", "scope": "which", "when": "when", "rephrase": "what", "proceed": "yes", "transcript": "yes",
}  # fmt: skip
"""What a question is called while a message is read, by what it misses."""
BEFORE_REASON = "): "
"""What stands between the time that a suggested task takes and why it is suggested."""
MOST_NAMES, MOST_WORDS, MOST_CHANGES = 4, 6, 3


def heard_in(text: str, ask: Ask, clock: Clock) -> Heard:
    """Return words of a message, or of one like it, with the scores of the trained encoder."""
    return hear(text, clock, _names(ask), surroundings(ask), load_encoder())


def surroundings(ask: Ask) -> MessageSurroundings:
    """Return what a message comes after: the question that waits, a task that was suggested, or the last changes."""
    waits_since_long = ask.pending is not None and ask.pending.kept and bool(ask.recent_changes)
    if ask.pending is not None and not waits_since_long:
        drafts = [(item.kind, name_in(item.fields)) for item in ask.pending.proposals]
        offered = [(option.kind or "todo", option.label) for option in ask.pending.options] or drafts
        return MessageSurroundings(CONTEXTS[ask.pending.missing], _aside(offered[:MOST_NAMES]))
    if suggested := suggested_in(ask):
        return MessageSurroundings("yes", _aside([("todo", task.task) for task in suggested]))
    if ask.recent_changes:
        changed = [(one.kind, one.title) for one in ask.recent_changes[-MOST_CHANGES:]]
        return MessageSurroundings("did", _aside(changed))
    return MessageSurroundings()


def suggested_in(ask: Ask) -> list[ToDo]:
    """Return the open tasks that the last reply suggested."""
    if not ask.recent:
        return []
    reply = ask.recent[-1].replied
    named = Items(ask.records.index, ("todo",)).find_named_in(reply.lower())
    return suggested_by(reply, [item.record for item in named if isinstance(item.record, ToDo)])


def suggested_by(reply: str, todos: Sequence[ToDo]) -> list[ToDo]:
    """Return the open tasks that a reply quoted with a reason behind the time they take, as suggestions do."""
    open_ones = (task for task in todos if task.status in ("not started", "in progress"))
    return [task for task in open_ones if _is_suggested(task.task, reply)] if BEFORE_REASON in reply else []


def _is_suggested(title: str, reply: str) -> bool:
    """Return whether a reply has a title with a time in brackets behind it, and then a reason."""
    _, _, behind = reply.partition(f"“{title}” (")
    in_brackets, _, reason = behind.partition(")")
    return bool(in_brackets) and reason.startswith(": ")


def _aside(named: Sequence[tuple[Kind, str]]) -> tuple[str, ...]:
    return tuple(word for kind, name in named for word in (kind, *name.split()[:MOST_WORDS], ";"))


def name_in(fields: dict[str, Any]) -> str:
    """Return the name that fields give a record; empty where they give none."""
    return str(fields.get("task") or fields.get("title") or fields.get("summary") or "")


def _names(ask: Ask) -> dict[str, Container[object]]:
    """Return the words of the names of what is stored, by flag."""
    under = ask.records.index.under
    return {"todo": under("in todo"), "event": under("in event"), "note": under("in note"), "line": under("in line")}
