"""Items that become ones of another kind: a note a task, a task an appointment, an appointment a note."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agents.contract import Proposal
from agents.conversion import carried_over
from agents.index.items import Item
from agents.index.words import tokens
from agents.phrases import quote
from agents.reading.reading import Clause
from agents.records import Kind, Note
from agents.understanding.changes import event_times as events
from agents.understanding.ground import POINTING, kinds_in, one_named
from agents.understanding.outcome import Outcome, ask_for, do
from agents.understanding.share import bind, propose
from agents.understanding.situation import STORED, Situation
from agents.understanding.slot_values import LONGEST_TITLE, details_of, loose_words, title_of
from agents.understanding.steps import steps_for
from agents.understanding.values import task_times as tasks

CONVERTED = "you asked to turn it into another kind"
TURNING = frozenset("turn make convert change into".split())
TURNED = frozenset("into idea note thought list task todo event appointment habit reminder".split())
INTO = frozenset(("into", "a", "an"))
SUMMARY_WORDS = 10
SORTS: dict[str, tuple[Kind, dict[str, Any]]] = {
    "habit": ("todo", {"kind": "habit"}),
    "idea": ("note", {"category": "idea"}), "thought": ("note", {"category": "thought"}),
    "question": ("note", {"category": "question"}), "reminder": ("todo", {"kind": "reminder"}),
}  # fmt: skip
"""What is more than a kind."""


def convert(clause: Clause, situation: Situation) -> Outcome | None:
    """Return an item made one of another kind, the old one put away; None where no such thing is meant."""
    title = title_of(clause, "t", "g")
    nouns = {*tokens(title), *loose_words(clause), *tokens(clause.words("st"))}
    title = title or title_of(clause, "l")
    if not nouns & TURNING or not nouns & (TURNED if title else TURNED | POINTING):
        return None
    said = [*tokens(clause.words("st")), *loose_words(clause)]
    other = not kinds_in(said) or not INTO & set(said) or clause.all("n", "pr", "sh", "d", "p")
    if clause.act not in ("todo", "fix") and other:
        return None  # "change the Ana event to friday" names what it is, and no other kind
    named = " ".join(word for word in title.split() if word.lower() not in TURNING) or "that"
    found = one_named(named, (), situation, STORED)
    item, (kind, sort) = found.only, _target_kind(said)
    if item is None:
        return None
    if kind == item.kind:
        return _change_sort(item, sort, clause, situation, found.fit)
    if isinstance(item.record, Note) and item.record.category == "list" and kind == "todo":
        return _lines_as_tasks(item, item.record, clause, found.fit)
    return _as_other(item, kind, sort, clause, situation, found.fit)


def _target_kind(said: Sequence[str]) -> tuple[Kind, dict[str, Any]]:
    """Return the kind that words ask for, and what is more than it; a task where they name none."""
    sort = next((SORTS[word] for word in reversed(said) if word in SORTS), None)
    kinds = kinds_in(said)
    return sort or ((kinds[-1] if kinds else "todo"), {})


def _change_sort(item: Item, sort: dict[str, Any], clause: Clause, situation: Situation, fit: float) -> Outcome | None:
    """Return an item as another sort of its kind; None where it is that already."""
    fresh = {name: value for name, value in sort.items() if getattr(item.record, name, None) != value}
    if not fresh:
        return None
    draft = propose(item, "update", fresh, CONVERTED)
    if fresh.get("kind") == "reminder":
        when = details_of(clause, item.title, situation).when
        at = tasks.remind_at(when, situation.scene) if when else None
        if at is None:
            asked = f"When shall I remind you about {quote(item.title)}?"
            return ask_for("when", asked, draft, clause.text, situation)
        draft.fields["remind_at"] = at
    return do(clause.text, draft, fit=fit)


def _as_other(
    item: Item, kind: Kind, sort: dict[str, Any], clause: Clause, situation: Situation, fit: float
) -> Outcome:
    record = item.record
    words = (getattr(record, "content", "") or item.title)[:LONGEST_TITLE]
    kept = carried_over(record, kind)
    draft = Proposal(op="create", kind=kind, fields=kept | _title_fields(kind, words) | sort, reason=CONVERTED)
    slots = details_of(clause, words, situation)
    if kind == "todo":
        draft.fields |= tasks.details(slots)
    if kind == "event":
        draft.fields |= next(iter(events.times_said(slots, words, situation.scene)), {})
        if "start" not in draft.fields:
            asked = f"{quote(words)}: which day, and what time?"
            return ask_for("when", asked, draft, clause.text, situation)
    away = propose(item, "delete" if item.kind == "event" else "archive", reason=CONVERTED)
    return do(clause.text, *bind(f"convert {item.id}", draft, away), fit=fit)


def summary_of(content: str) -> str:
    """Return the first words of a note, at most ten."""
    words = content.split()
    return " ".join(words[:SUMMARY_WORDS])[:200] + (" …" if len(words) > SUMMARY_WORDS else "")


def _title_fields(kind: Kind, words: str) -> dict[str, Any]:
    if kind == "note":
        return {"category": "note", "content": words, "summary": summary_of(words)}
    steps = steps_for(words) if kind == "todo" else []
    return {"title" if kind == "event" else "task": words} | ({"solutions": steps} if steps else {})


def _lines_as_tasks(item: Item, record: Note, clause: Clause, fit: float) -> Outcome:
    """Return a task for each open line of a list, which is put away."""
    fresh = [_title_fields("todo", line.text) for line in record.items if not line.done]
    drafts = [Proposal(op="create", kind="todo", fields=fields, reason=CONVERTED) for fields in fresh]
    away = propose(item, "archive", reason=CONVERTED)
    return do(clause.text, *bind(f"convert {item.id}", *drafts, away), fit=fit)
