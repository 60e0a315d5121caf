"""A model's words as proposals: time phrases are resolved here, and only what the user's own words ask for is proposed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from agents.contract import Op, Proposal, Proposed
from agents.grounding.facts import self_reported_facts
from agents.grounding.provenance import origin, without_foreign
from agents.ledger.duplicates import new_ones
from agents.phrases import quoted, say_count
from agents.ports import Ask
from agents.records import Kind, ToDo
from agents.time import find_times
from agents.time.tokens import tokenize
from agents.understanding.items import choose, series
from agents.understanding.references import STOP, Item, items_of
from agents.understanding.requests import events, tasks
from agents.understanding.scene import Scene, scene_of
from agents.understanding.share import Share
from agents.understanding.slots import forms, moves
from agents.understanding.slots.echo import echoed
from agents.understanding.slots.slots import Slots
from agents.understanding.steps import steps_for
from agents.understanding.text.clauses import Clause
from agents.understanding.titles import says_what

TIMES: dict[Kind, tuple[str, ...]] = {
    "todo": ("recurrence", "deadline", "remind_at", "snooze_until"),
    "event": ("when",),
    "note": ("recurrence", "deadline", "snooze_until"),
}
CLOSING: dict[str, Op] = {"done": "complete", "completed": "complete", "archived": "archive"}
TITLES = ("task", "title", "summary", "content", "text")
REASON = "you asked for it"
UNSURE = "I am not sure that you asked for this"


@dataclass(frozen=True, slots=True)
class Wish:
    """One change as a model words it; ``fields`` are what it said or changed, times as phrases, ``hold`` as proposed."""

    op: Literal["create", "update", "delete"]
    kind: Kind
    record_id: str | None = None
    fields: dict[str, Any] = field(default_factory=dict)
    hold: str = ""


@dataclass(slots=True)
class Draft:
    """A wish on its way to a proposal; ``question`` is set while its time is missing."""

    proposal: Proposal
    question: str | None = None


def settled(wishes: Sequence[Wish], ask: Ask, plain: Sequence[Proposal] = ()) -> Proposed:
    """What the wishes come to: proposals, questions for missing times, and a word about what nobody asked for.

    ``plain`` are the proposals of the built-in understanding: a list goes at once only where it reads that too.
    """
    scene = scene_of(ask)
    apart, wishes = _of_series(_distinct(wishes), ask, scene)
    drafts = [_draft(wish, ask, scene, lone=len(wishes) == 1) for wish in wishes if wish.kind != "profile"]
    drafts += [Draft(self_reported_facts(wish.fields, ask, scene)) for wish in wishes if wish.kind == "profile"]
    drafts += [Draft(proposal) for share in apart for proposal in share.proposals]
    told = [replace(draft, proposal=without_foreign(draft.proposal, ask)) for draft in drafts]
    traced = [held for draft in told if _acts(draft, ask) and (held := _traced(draft, ask, plain))]
    said = ask.words or ask.text
    meant = [draft for draft in traced if says_what(draft.proposal, said, scene, asked=bool(draft.question))]
    missing = [choose.ask("when", draft.question, [draft.proposal], scene) for draft in meant if draft.question]
    wanted, there = new_ones([_placed(draft.proposal, ask) for draft in meant if not draft.question], ask)
    return Proposed(
        proposals=echoed(wanted, ask, scene.clock),
        questions=[asked for share in (*missing, *apart) for asked in share.questions],
        answers=[*(said for share in apart for said in share.answers), *there, *_left_out(len(told) - len(traced))],
        unclear=[said] if len(meant) < len(traced) else [],
    )


def _of_series(wishes: Sequence[Wish], ask: Ask, scene: Scene) -> tuple[list[Share], list[Wish]]:
    """How much of a series is meant is read from the user's words, or asked: a model names the series only."""
    apart, rest = list[Share](), list[Wish]()
    for wish in wishes:
        share = _series_share(wish, ask, scene)
        rest.extend([] if share else [wish])
        apart.extend([share] if share else [])
    return apart, rest


def _series_share(wish: Wish, ask: Ask, scene: Scene) -> Share | None:
    event = next((event for event in ask.records.events if event.id == wish.record_id and event.recurrence), None)
    if event is None or wish.kind != "event":
        return None
    slots = tasks.filled(ask.text, scene, Clause(ask.text))
    if wish.op == "delete":
        return series.cancel(event, ask.text, slots, scene)
    details = {name: value for name, value in wish.fields.items() if name != "when"}
    to = _slots(wish.fields.get("when"), ask, scene, lone=True)
    if to is None or to.when is None:
        return series.alter(event, ask.text, slots, details, scene) if details else None
    named = ask.text.replace(str(wish.fields["when"]), " ")  # without the time that it is moved to
    return _with_details(series.move(event, named, tasks.filled(named, scene, Clause(named)), to.when, scene), details)


def _with_details(moved: Share, details: dict[str, Any]) -> Share:
    """What is moved, changed in its details as well: one occurrence or all of them, also where that is asked first."""
    for there in (moved.proposals, *(asked.pending.proposals for asked in moved.questions)):
        there[:] = [
            one.model_copy(update={"fields": one.fields | (details if "start" in one.fields else {})}) for one in there
        ]
    return moved


def _traced(draft: Draft, ask: Ask, plain: Sequence[Proposal]) -> Draft | None:
    """The draft if the user's words ask for it, held for a yes if they perhaps do; None if they do not."""
    come_from = origin(draft.proposal, ask)
    if come_from == "paraphrase":  # where the words are read as another new thing, it is none for them
        return None if any(item.op == "create" for item in plain) else draft
    if come_from == "unsure" or (come_from == "own" and _takes_lines(draft.proposal, ask, plain)):
        return replace(draft, proposal=draft.proposal.model_copy(update={"hold": UNSURE}))
    return draft if come_from == "own" else None


def _takes_lines(proposal: Proposal, ask: Ask, plain: Sequence[Proposal]) -> bool:
    """Whether a list would go, with all its lines, for words that may mean some of them: "tick the eggs off"."""
    filled = any(note.items for note in ask.records.notes if note.id == proposal.record_id)
    read = any((item.op, item.record_id) == (proposal.op, proposal.record_id) for item in plain)
    return proposal.op in ("delete", "archive") and filled and not read


def words_of_user(phrase: str, ask: Ask) -> bool:
    """Whether a phrase consists of words that the user said."""
    said = {token.text for token in tokenize(ask.words or ask.text)}
    words = [token.text for token in tokenize(phrase) if token.text[0].isalnum()]
    return bool(words) and all(word in said for word in words)


def stored_items(ask: Ask) -> list[Item]:
    """What a change may be about."""
    return items_of(ask.records, "todo", "event", "note", "instruction")


def _distinct(wishes: Sequence[Wish]) -> list[Wish]:
    """A model that repeats itself is taken at its word once."""
    return [wish for place, wish in enumerate(wishes) if wish not in wishes[:place]]


def _acts(draft: Draft, ask: Ask) -> bool:
    """Whether anything is left to do: an update of nothing is none, unless the ledger has to say that it is unknown."""
    proposal = draft.proposal
    known = proposal.kind == "profile" or any(item.id == proposal.record_id for item in stored_items(ask))
    return bool(proposal.fields) or not known or proposal.op != "update" or draft.question is not None


def _draft(wish: Wish, ask: Ask, scene: Scene, *, lone: bool) -> Draft:
    item = next((item for item in stored_items(ask) if item.id == wish.record_id), None)
    said = {name: value for name, value in wish.fields.items() if name not in TIMES.get(wish.kind, ())}
    draft = Draft(
        Proposal(op=wish.op, kind=wish.kind, record_id=wish.record_id, fields=said, reason=REASON, hold=wish.hold)
    )
    if wish.op == "create":
        return _created(wish, draft, ask, scene, lone=lone)
    if wish.op == "update":
        return _changed(wish, draft, item, ask, scene)
    return draft


def _created(wish: Wish, draft: Draft, ask: Ask, scene: Scene, *, lone: bool) -> Draft:
    fields = draft.proposal.fields
    if wish.kind == "todo":
        return _task(wish, draft, ask, scene, lone=lone)
    if wish.kind == "event":
        return _appointment(wish, draft, ask, scene, lone=lone)
    if wish.kind == "note" and fields.get("content") and not fields.get("summary"):
        fields["summary"] = " ".join(str(fields["content"]).split()[:10])[:200]
    return _timed(wish, draft, ask, scene, lone=lone)


def _timed(wish: Wish, draft: Draft, ask: Ask, scene: Scene, *, lone: bool) -> Draft:
    """The draft of a task or a note with the times that its phrases mean."""
    fields = draft.proposal.fields
    for name in TIMES.get(wish.kind, ()):
        slots = _slots(wish.fields.get(name), ask, scene, lone=lone)
        if slots is None:
            continue
        found = todo_time(name, slots, scene)
        fields |= found
        if not found:
            title = str(fields.get("task") or fields.get("summary") or "that")
            draft.question = f"When exactly is {quoted(title)} meant to be?"
    return draft


def _task(wish: Wish, draft: Draft, ask: Ask, scene: Scene, *, lone: bool) -> Draft:
    fields = _timed(wish, draft, ask, scene, lone=lone).proposal.fields
    if fields.get("kind") == "reminder" and not fields.get("remind_at"):
        draft.question = f"When shall I remind you of {quoted(str(fields.get('task', 'that')))}?"
    if not fields.get("solutions") and isinstance(fields.get("task"), str) and (steps := steps_for(fields["task"])):
        fields["solutions"] = steps
    return draft


def todo_time(name: str, slots: Slots, scene: Scene) -> dict[str, Any]:
    """The fields of a task or a note that a time sets."""
    when = slots.when
    rule = {"recurrence": slots.repeat.rrule} if slots.repeat else {}
    if name == "recurrence" or when is None:
        return rule
    at = tasks.remind_at(when, scene) if name == "remind_at" else forms.due(when)
    return rule | ({name: at} if at else {})


def _appointment(wish: Wish, draft: Draft, ask: Ask, scene: Scene, *, lone: bool) -> Draft:
    title = str(draft.proposal.fields.get("title", "that"))
    slots = _slots(wish.fields.get("when"), ask, scene, lone=lone)
    times = events.when_fields(slots, title) if slots else None
    if times is None:
        draft.question = f"When is {title}? Please tell me the day and the time."
    draft.proposal.fields |= times or {}
    return draft


def _changed(wish: Wish, draft: Draft, item: Item | None, ask: Ask, scene: Scene) -> Draft:
    fields = draft.proposal.fields
    op = CLOSING.get(str(fields.get("status")), "update")
    if op != "update":
        return Draft(draft.proposal.model_copy(update={"op": op, "fields": {}}))
    for name in TIMES.get(wish.kind, ()):
        if name not in wish.fields:
            continue
        if wish.fields[name] in (None, ""):
            fields[name] = None
            continue
        found = moved_fields(name, wish.fields[name], item, ask, scene)
        fields |= found
        if not found and not fields:
            draft.question = f"When shall {quoted(item.title if item else 'that')} be?"
    return draft


def moved_fields(name: str, phrase: Any, item: Item | None, ask: Ask, scene: Scene) -> dict[str, Any]:
    """The fields that a move of an item to a time sets."""
    slots = _slots(phrase, ask, scene, lone=True)
    if slots is None or item is None:
        return {}
    if slots.when and name in ("deadline", "remind_at", "when") and _holds(item, name):
        rule = {"recurrence": slots.repeat.rrule} if slots.repeat else {}
        return moves.moved(item, slots.when, scene) | rule
    return todo_time(name, slots, scene) if item.kind != "event" else {}


def _holds(item: Item, name: str) -> bool:
    """Whether moving the item as a whole sets the field that was meant."""
    todo = item.record
    return not isinstance(todo, ToDo) or (name == "remind_at") == (todo.remind_at is not None)


def _slots(phrase: Any, ask: Ask, scene: Scene, *, lone: bool) -> Slots | None:
    """The times of a phrase if it is the user's; of the whole share if a lone change came with a date of the model's."""
    if isinstance(phrase, Slots):  # read before
        return phrase
    if not isinstance(phrase, str) or not phrase.strip():
        return None
    if words_of_user(phrase, ask) or not ask.english:  # the model was told to translate it
        slots = tasks.filled(phrase, scene, Clause(phrase))
        return slots if slots.when or slots.repeat else _bare(phrase, slots, scene)
    if not lone or not re.search(r"\d", phrase):
        return None
    slots = tasks.filled(ask.text, scene, Clause(ask.text))
    return slots if slots.when or slots.repeat else None


def _bare(phrase: str, slots: Slots, scene: Scene) -> Slots:
    """A lone hour ("4") is a clock time where a time is what was asked for."""
    return replace(slots, times=find_times(phrase, scene.clock, bare=True))


def _left_out(count: int) -> list[str]:
    return [f"I left out {say_count(count, 'change')} that your message did not ask for."] if count else []


def _placed(proposal: Proposal, ask: Ask) -> Proposal:
    """The proposal with its place in what was said: where the first telling word of its title stands."""
    stored = next((item.title for item in stored_items(ask) if item.id == proposal.record_id), "")
    named = next((str(proposal.fields[key]) for key in TITLES if proposal.fields.get(key)), stored)
    said = tokenize(ask.words or ask.text)
    telling = {token.text for token in tokenize(named)} - STOP
    places = [token.start for token in said if token.text in telling]
    return proposal.model_copy(update={"place": min(places, default=len(ask.words or ask.text))})
