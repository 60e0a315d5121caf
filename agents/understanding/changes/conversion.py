"""Items that become ones of another kind: a note a task, a task an appointment, an appointment a note."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from agents.contract import Proposal
from agents.conversion import carried_over
from agents.index.items import Item
from agents.index.words import tokens
from agents.phrases import quote, say_list
from agents.reading.reading import Clause
from agents.records import Kind, Note
from agents.time import FoundTime, find_times, merge_phrases
from agents.understanding.changes import event_times as events
from agents.understanding.changes import lists
from agents.understanding.ground import POINTING, Meant, is_pointing, kinds_in, one_named
from agents.understanding.outcome import Outcome, ask_for, do, not_understood, tell
from agents.understanding.records.lists import is_list, lines_added, lines_of
from agents.understanding.share import bind, propose
from agents.understanding.situation import STORED, Situation
from agents.understanding.slot_values import EDGES, LONGEST_TITLE, details_of, loose_words, text_between, title_of
from agents.understanding.steps import steps_for
from agents.understanding.values import forms
from agents.understanding.values import task_times as tasks

LEADING = frozenset("about for of from to with".split())
"""Words with which a day belongs to what is noted: "ideas for mother's day"."""
CONVERTED = "you asked to turn it into another kind"
TURNING = frozenset("turn make convert change into".split())
TURNED = frozenset("into idea note thought list task todo event appointment habit reminder".split())
INTO = frozenset(("into", "a", "an"))
PLURALS = frozenset("tasks todos to-dos chores".split())
UNSURE = 0.5
"""How well a list as a whole fits "a task"."""
SUMMARY_WORDS = 10
Into = tuple[Kind, dict[str, Any]]
"""The kind that something becomes, and what is more than it."""
SORTS: dict[str, Into] = {
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
    into = _target_kind(said)
    if into[0] in ("todo", "event") and (lines := _lines_meant(clause, named, found, situation)):
        return _lines_as_others(lines, into, clause, situation)
    return None if found.only is None or clause.all("i") else _turn(found.only, into, found, clause, situation)


def _turn(item: Item, into: Into, found: Meant, clause: Clause, situation: Situation) -> Outcome | None:
    """Return one record as another kind or sort; None where it is that already."""
    kind, sort = into
    if kind == item.kind:
        return _change_sort(item, sort, clause, situation, found.fit)
    if isinstance(item.record, Note) and item.record.category == "list" and kind == "todo":
        whole = not is_pointing(found.name) or PLURALS & set(tokens(clause.text)) or _is_just_made(situation)
        return _lines_as_tasks(item, item.record, clause, found.fit if whole else UNSURE)
    return _as_other(item, into, clause, situation, found.fit)


def _is_just_made(situation: Situation) -> bool:
    """Return whether the last change made something."""
    return any(change.op == "create" for change in situation.just_done()[-1:])


def _lines_meant(clause: Clause, named: str, found: Meant, situation: Situation) -> list[tuple[Item, list[lists.Line]]]:
    """Return the lines that become something else, by list: those named, or for "that" those just added.

    None are meant where a list as a whole is, or something else that has the name.
    """
    slots, item = clause.all("i", "g", "t"), found.only
    if is_pointing(named) and not clause.all("i"):
        whole = item is None or not is_list(item) or _is_just_made(situation) or "list" in loose_words(clause)
        added = [] if item is None or whole else lines_added(item, situation.scene)
        return [(item, [line for line in lines_of(item) if line["text"] in added])] if item and added else []
    behind = text_between(clause, slots[-1].end, clause.end) if slots else ""
    if not kinds_in(tokens(behind)) or (found.fit == 1 and not clause.all("i")):
        return []  # "make a task for the bread" takes nothing off a list
    return lists.owners(lists.lines_said(clause) or [named], clause, situation)


def _lines_as_others(
    found: Sequence[tuple[Item, list[lists.Line]]], into: Into, clause: Clause, situation: Situation
) -> Outcome:
    """Return lines of a list as tasks or appointments with the lines' own words, taken off the list."""
    if len(found) > 1:
        names = say_list([quote(item.title) for item, _ in found])
        return tell(clause.text, f"That is on {names}. Please say which list you mean.")
    item, lines = found[0]
    made = [_draft_other(str(line["text"]), {}, into, clause, situation) for line in lines]
    lacking = next(filter(None, (_ask_when(draft, clause, situation) for draft in made)), None)
    if lacking is not None:
        return lacking if len(made) == 1 else not_understood(clause.text)
    left = propose(item, "update", {"items": [line for line in lines_of(item) if line not in lines]}, CONVERTED)
    said = lists.lines_said(clause)
    fit = min(len(lines) / len(said), 1.0) if said else 1.0
    return do(clause.text, *bind(f"convert {item.id}", *made, left), fit=fit)


def _target_kind(said: Sequence[str]) -> Into:
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


def _as_other(item: Item, into: Into, clause: Clause, situation: Situation, fit: float) -> Outcome:
    record = item.record
    words = (getattr(record, "content", "") or item.title)[:LONGEST_TITLE]
    said = _time_noted(record, situation) if isinstance(record, Note) and not clause.all("w") else None
    name, times = said or (words, [])
    draft = _draft_other(name, carried_over(record, into[0]), into, clause, situation, times)
    if asked := _ask_when(draft, clause, situation):
        return asked
    away = propose(item, "delete" if item.kind == "event" else "archive", reason=CONVERTED)
    return do(clause.text, *bind(f"convert {item.id}", draft, away), fit=fit)


def _time_noted(note: Note, situation: Situation) -> tuple[str, list[FoundTime]] | None:
    """Return the words of a note before the day that they end with, and this as it was meant when they were written.

    None where they end with no day, or with one that is over.
    """
    written = replace(situation.clock, at=note.created_at.astimezone(situation.clock.zone))
    words = note.content.rstrip(EDGES)
    times = merge_phrases(find_times(words, written), written)
    if len(times) != 1 or times[0].span[1] != len(words):
        return None
    last, name = times[0], words[: times[0].span[0]].rstrip(EDGES)
    about = LEADING & {*tokens(name)[-1:], *tokens(last.text)[:1]}
    dated = (last.day_said or last.kind == "set") and last.grain in ("day", "minute", "set")
    ahead = (forms.due(last) or "") >= forms.day(situation.now)
    return (name, [last]) if name and dated and ahead and not about else None


def _draft_other(
    words: str,
    kept: dict[str, Any],
    into: Into,
    clause: Clause,
    situation: Situation,
    times: Sequence[FoundTime] = (),
) -> Proposal:
    """Return something of another kind that has these words and times, and what is kept of what it was."""
    kind, sort = into
    draft = Proposal(op="create", kind=kind, fields=kept | _title_fields(kind, words) | sort, reason=CONVERTED)
    slots = details_of(clause, words, situation)
    slots.times = slots.times or list(times)
    if kind == "todo":
        draft.fields |= tasks.details(slots)
    if kind == "event":
        draft.fields |= next(iter(events.times_said(slots, words, situation.scene)), {})
    return draft


def _ask_when(draft: Proposal, clause: Clause, situation: Situation) -> Outcome | None:
    """Return the question for the time of an appointment that has none; None for anything else."""
    if draft.kind != "event" or "start" in draft.fields:
        return None
    asked = f"{quote(str(draft.fields['title']))}: which day, and what time?"
    return ask_for("when", asked, draft, clause.text, situation)


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
