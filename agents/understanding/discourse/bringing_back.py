"""What was done, taken back by its name without a word of undo: "bring Sara's one back", "never mind the reminder"."""

from __future__ import annotations

from datetime import timedelta

from agents.understanding.dialogue import undo
from agents.understanding.grammar import patterns_of
from agents.understanding.items.choose import hinted
from agents.understanding.items.lately import KINDS, named, telling, turn_of
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.text.intents import Intent

FRESH = timedelta(minutes=10)
P = patterns_of(__name__)


def brought_back(text: str, scene: Scene) -> Share | None:
    """The undo, or the redo, of what is named; None when nothing done lately is."""
    said = text.strip()
    back = P.NAMED_BACK.fullmatch(said)
    if back:
        return _named_back(back["what"] or back["also"], text, scene)
    turn = [row for row in turn_of(scene.ask.recent_changes) if row.status == "applied" and row.op != "undo"]
    fresh = [row for row in turn if timedelta() <= scene.ask.at - row.created_at <= FRESH]
    if not fresh or not scene.ask.recent or fresh[-1].title.lower() not in scene.ask.recent[-1].replied.lower():
        return None
    if fresh[-1].op == "complete" and P.NOT_DONE.fullmatch(said):
        return undo.take_back(Intent("undo", 0.9, {"rest": "that"}), text, scene)
    left = P.NEVER_MIND.fullmatch(said)
    if left is None or fresh[-1].op in ("delete", "archive", "complete"):
        return None
    if named(left["what"], fresh):
        return undo.take_back(Intent("undo", 0.9, {"rest": left["what"]}), text, scene)
    of_kind = hinted(left["what"], KINDS) == (fresh[-1].kind,) and not telling(left["what"])
    return undo.take_back(Intent("undo", 0.9, {"rest": "that"}), text, scene) if of_kind else None


def _named_back(what: str, text: str, scene: Scene) -> Share | None:
    """What was deleted or undone by its name, as it was before."""
    found = [row for row in named(what, scene.ask.recent_changes) if row.status in ("applied", "undone")]
    newest = found[-1] if found else None
    if newest is None:
        return None
    if newest.op == "undo":
        return undo.redo(f"redo {what}", scene)
    gone = newest.op in ("delete", "archive") and newest.status == "applied"
    return undo.take_back(Intent("undo", 0.9, {"rest": what}), text, scene) if gone else None
