"""Notes, ideas, thoughts and questions."""

from __future__ import annotations

import re
from typing import Any

from agents.contract import Proposal
from agents.time import find_times
from agents.understanding.grammar import patterns_of
from agents.understanding.requests.levels import NOTED, fields_set
from agents.understanding.requests.tasks import filled
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change, lost
from agents.understanding.slots.slots import blank
from agents.understanding.text.clauses import Clause
from agents.understanding.text.filler import without_breath
from agents.understanding.text.intents import Intent

SUMMARY_WORDS = 10
P = patterns_of(__name__)


def identified(clause: Clause, scene: Scene) -> Share | None:
    """Such a number, kept as a note; None for other words, and for those that place something in time."""
    said = clause.text.strip(" .!")
    if not P.IDENTIFIED.fullmatch(said) or find_times(said, scene.clock):
        return None
    return note(Intent("note", 0.8, {"rest": said}), clause, scene)


def note(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """A new note in the user's words."""
    content = P.AFTERTHOUGHT.sub("", without_breath(intent.parts.get("rest", ""))).strip(" \t\n,:-")
    content = re.sub(r"^(?:that|to self|would you|please)[\s:,]+", "", content, flags=re.IGNORECASE).rstrip()
    if re.fullmatch(r"(?:it|that|this)", content, re.IGNORECASE) and scene.told:
        content = re.sub(r"^.{0,200}?:\s+", "", scene.told).strip()
    if not content:
        return lost(clause.text)
    category = intent.parts.get("category", "note").lower()
    fields = {"category": category, "content": content, "summary": summary_of(content)}
    fields |= set_apart(content, scene, clause)
    return change(clause.text, Proposal(op="create", kind="note", fields=fields, reason="you asked to keep it"))


def set_apart(content: str, scene: Scene, clause: Clause) -> dict[str, Any]:
    """Due day, rhythm and priority behind the words of a note, set apart from them: "..., due friday, high priority"."""
    slots = filled(content, scene, clause)
    tail, holes = content[len(slots.title) :], sorted(slots.holes)
    if not slots.title or not holes or not content.startswith(slots.title) or holes[0][0] < len(slots.title):
        return {}
    between = content[len(slots.title) : holes[0][0]].strip()
    rest = blank(tail, [(start - len(slots.title), end - len(slots.title)) for start, end in holes])
    if not (between or tail.split()[0].lower() == "due") or any(letter.isalnum() for letter in rest):
        return {}
    fields = fields_set(slots, content) | ({"recurrence": slots.repeat.rrule} if slots.repeat else {})
    return {name: value for name, value in fields.items() if name in NOTED}


def summary_of(content: str) -> str:
    """The first words of a note, at most ten."""
    words = content.split()
    return " ".join(words[:SUMMARY_WORDS])[:200] + (" …" if len(words) > SUMMARY_WORDS else "")
