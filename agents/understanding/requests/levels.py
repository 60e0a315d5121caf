"""What a change sets on a task: its priority, difficulty, estimate and deadline, also when a level stands alone."""

from __future__ import annotations

import re
from typing import Any

from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.references import Item
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.slots import forms
from agents.understanding.slots.slots import Slots, fill
from agents.understanding.text.clauses import Clause

P = patterns_of(__name__)
LEVELS = frozenset({"priority", "difficulty"})


NOTED = frozenset({"priority", "deadline", "recurrence"})


def settable(phrase: str, fields: dict[str, Any], scene: Scene) -> list[Item]:
    """The open tasks that a phrase may mean; where there is none and notes have such fields, the notes."""
    found = choose.search(phrase, scene, ("todo",), is_open, None)
    return found or (choose.search(phrase, scene, ("note",), is_open, None) if set(fields) <= NOTED else [])


def leveled(rest: str, fields: dict[str, Any], clause: Clause, scene: Scene) -> Share | None:
    """A level without "to" for a task there is: "make the nanny medium", "call it medium and 2 hours".

    ``fields`` are those that were understood without it; None when no such level is said.
    """
    said = P.LEVELED.match(rest.strip(" .!")) if P.LEVELING.match(clause.text) and not fields.keys() & LEVELS else None
    found = settable(said["what"], {}, scene) if said else []
    if said is None or not found:
        return None
    level = said["level"].lower()
    effort = level in ("easy", "hard") or P.EFFORT.search(f"{scene.told} {clause.text}") is not None
    setting: dict[str, Any] = {
        "difficulty" if effort and level != "top" else "priority": "high" if level == "top" else level
    }
    if setting.get("difficulty") in ("high", "low"):
        setting = {"priority": level}
    more = fill(said["more"] or "", scene.clock)
    setting |= fields_set(more, said["more"] or "")
    found = settable(said["what"], setting, scene)
    return choose.settle(found, "update", said["what"], scene, fields=setting, reason="you changed it")


def fields_set(slots: Slots, rest: str) -> dict[str, Any]:
    """The details that words about a change set: levels, an estimate, a deadline."""
    fields: dict[str, Any] = slots.levels()
    level = re.search(
        r"\b(?:to|as)\s+(?P<level>high|medium|low|top|easy|hard)(?=\s*$|\s*,|\s+(?:with|and)\b)", rest, re.IGNORECASE
    )
    said = level["level"].lower() if level else ""
    name = "difficulty" if said in ("easy", "hard") else "priority"
    if said and (not fields or name not in fields):
        fields[name] = "high" if said == "top" else said
    when = slots.when
    if when and fields and re.search(r"\b(?:to|until|till)\s+" + re.escape(when.text), rest, re.IGNORECASE):
        return fields | ({"deadline": due} if (due := forms.due(when)) else {})
    if (
        when
        and (when.role == "deadline" or re.search(r"\b(?:due|deadline)\b", rest, re.IGNORECASE))
        and forms.due(when)
    ):
        fields["deadline"] = forms.due(when)
    return fields
