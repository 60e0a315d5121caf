"""Giving what is there another name: "rename the dentist to checkup", "change call patel to call okafor"."""

from __future__ import annotations

import re

from agents.records import Kind
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.requests.notes import summary_of
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.slots.slots import tidy

DATED: tuple[Kind, ...] = ("todo", "event")
P = patterns_of(__name__)
RENAME = P.RENAME


def rename(named: re.Match[str], scene: Scene) -> Share:
    """The one thing named under its new name; a note in its new words."""
    old, new = tidy(named["old"]), tidy(re.sub(r"\s+instead$", "", named["new"]))
    if P.WRITTEN.match(old):
        kept = choose.search(old, scene, ("note",), is_open, None)
        return choose.settle(
            kept, "update", old, scene, fields={"content": new, "summary": summary_of(new)}, reason="you reworded it"
        )
    found = choose.search(old, scene, DATED, is_open, None)
    notes = [] if found else choose.search(old, scene, ("note",), is_open, None)
    if len(notes) == 1:
        changed = {"summary": new} if getattr(notes[0].record, "summary", "") else {"content": new}
        return choose.settle(notes, "update", old, scene, fields=changed, reason="you renamed it")
    field = "title" if found and found[0].kind == "event" else "task"
    return choose.settle(found, "update", old, scene, fields={field: new}, reason="you renamed it")
