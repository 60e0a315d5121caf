"""One kind of item into another: "make that idea a task" creates the new one and puts the old one away."""

from __future__ import annotations

import re
from typing import Any

from agents.contract import Proposal
from agents.conversion import carried_over
from agents.phrases import quoted
from agents.records import Kind, Note, ToDo
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.references import Item
from agents.understanding.requests import lists
from agents.understanding.requests.events import when_fields
from agents.understanding.requests.notes import summary_of
from agents.understanding.requests.tasks import choose_when, details, filled, is_open, remind_at
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer, change, lost
from agents.understanding.slots.slots import Slots, tidy
from agents.understanding.steps import steps_for
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent

TARGETS: tuple[tuple[str, Kind, str], ...] = (
    (r"task|todo|to-do|to do|chore", "todo", "todo"),
    (r"habit", "todo", "habit"),
    (r"reminder", "todo", "reminder"),
    (r"event|appointment|meeting", "event", ""),
    (r"note", "note", "note"),
    (r"idea", "note", "idea"),
    (r"thought", "note", "thought"),
    (r"question", "note", "question"),
)
P = patterns_of(__name__)
ANY: tuple[Kind, ...] = ("note", "todo", "event")
CONVERT = "convert"
REASON = "you asked to turn it into another kind"


def of_list(clause: Clause, scene: Scene) -> Share | None:
    """A task for each open line of a list, which is put away; None when no list is meant."""
    said = P.LISTED.match(clause.text.strip(" .!"))
    found = lists.find_lists(said["what"], scene) if said else []
    if said is None or len(found) != 1 or not isinstance(found[0].record, Note):
        return None
    lines = [line.text for line in found[0].record.items if not line.done]
    together = {"group": f"{CONVERT} {found[0].id}"}
    made = [Proposal(op="create", kind="todo", fields=_task(line), reason=REASON) for line in lines]
    parts = [part.model_copy(update=together) for part in (*made, _put_away(found[0]))]
    return change(clause.text, *parts) if made else answer(clause.text, f"{quoted(found[0].title)} has no open lines.")


def _task(words: str) -> dict[str, Any]:
    steps = steps_for(words)
    return {"task": words} | ({"solutions": steps} if steps else {})


def convert(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """The new item, and the old one archived or, where that is not possible, deleted."""
    wanted = next(
        ((kind, sort) for words, kind, sort in TARGETS if re.fullmatch(words, intent.parts["to"].lower())), None
    )
    if wanted is None:
        return lost(clause.text)
    phrase = intent.parts["rest"].strip(" ,")
    found = _found(phrase, scene)
    if len(found) != 1:
        return choose.none(phrase, scene) if not found else choose.which(found, "archive", scene, reason=REASON)
    kind, sort = wanted
    slots = filled(intent.parts.get("more", ""), scene, clause)
    if found[0].kind == kind:
        return _same_kind(found[0], sort, clause, slots, scene)
    fields = _fields(found[0], kind, sort, slots)
    draft = Proposal(op="create", kind=kind, fields=fields, reason=REASON)
    if kind == "event" and "start" not in fields:
        return choose_when(draft, f"When is {fields['title']}? Please tell me the day and the time.", scene)
    together = {"group": f"{CONVERT} {found[0].id}"}
    return change(clause.text, *[part.model_copy(update=together) for part in (draft, _put_away(found[0]))])


def _found(phrase: str, scene: Scene) -> list[Item]:
    kinds = choose.hinted(phrase, ("note", "todo", "event"))
    phrase = P.OF_KIND.sub("", phrase)
    bare = P.KIND_NOUN.sub("", tidy(phrase)).strip()
    if not bare or choose.PRONOUN.match(phrase):
        return choose.search("that", scene, kinds, is_open, None) or _only(phrase, scene, kinds)
    return choose.search(bare, scene, kinds, is_open, None) or choose.search(bare, scene, ANY, is_open, None)


def _only(phrase: str, scene: Scene, kinds: tuple[Kind, ...]) -> list[Item]:
    """The one note of the category that was said, or the one item there is."""
    said = phrase.lower().split()
    sort = [item for item in scene.items("note") if getattr(item.record, "category", "") in said]
    return sort if len(sort) == 1 else choose.only(scene, kinds)


def _same_kind(item: Item, sort: str, clause: Clause, slots: Slots, scene: Scene) -> Share:
    record = item.record
    if isinstance(record, ToDo) and record.kind != sort:
        at = remind_at(slots.when, scene) if sort == "reminder" and slots.when else None
        fields = slots.levels() | {"remind_at": at} if at else details(slots)
        return change(clause.text, choose.propose(item, "update", {"kind": sort} | fields, REASON))
    if isinstance(record, Note) and record.category != sort:
        return change(clause.text, choose.propose(item, "update", {"category": sort}, REASON))
    return answer(clause.text, f"{quoted(item.title)} is one already.")


def _fields(item: Item, kind: Kind, sort: str, slots: Slots) -> dict[str, Any]:
    words, kept = _words(item), carried_over(item.record, kind)
    if kind == "note":
        return kept | {"category": sort, "content": words, "summary": summary_of(words)}
    if kind == "event":
        return kept | {"title": words} | (when_fields(slots, words) or {})
    return kept | {"kind": sort} | _task(words) | details(slots)


def _words(item: Item) -> str:
    return (item.record.content or item.title)[:500] if isinstance(item.record, Note) else item.title


def _put_away(item: Item) -> Proposal:
    return choose.propose(item, "delete" if item.kind == "event" else "archive", {}, REASON)
