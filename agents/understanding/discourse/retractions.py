"""Taking back what the last message just did, without a word of undo: "actually never mind", "oops, didn't mean to delete that"."""

from __future__ import annotations

from datetime import timedelta

from agents.contract import Change
from agents.understanding.dialogue import undo
from agents.understanding.grammar import patterns_of
from agents.understanding.items.lately import turn_of
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.text.intents import Intent

FRESH = timedelta(minutes=10)
P = patterns_of(__name__)


def retracted(text: str, scene: Scene) -> Share | None:
    """The undo of what the last message did; None when it did nothing, or the words ask for more."""
    said = text.strip()
    last = _just_done(scene)
    if last is None:
        return _wanted_again(said, scene)
    gone = last.op in ("delete", "archive", "complete")
    if P.TAKEN_BACK.fullmatch(said) or P.NO_AFTER_ALL.fullmatch(said) or (gone and P.STILL_NEEDED.fullmatch(said)):
        return undo.take_back(Intent("undo", 0.9, {"rest": "that"}), text, scene)
    return None


def _wanted_again(said: str, scene: Scene) -> Share | None:
    """The redo of what the last message took back."""
    rows = scene.ask.recent_changes
    if not rows or rows[-1].op != "undo" or not P.WANTED_AGAIN.fullmatch(said):
        return None
    undone = next((row for row in rows if row.id == rows[-1].undo_of), None)
    return (
        undo.redo("redo", scene) if undone and undone.op in ("create", "update") and _fresh(rows[-1], scene) else None
    )


def _fresh(row: Change, scene: Scene) -> bool:
    return timedelta() <= scene.ask.at - row.created_at <= FRESH


def _just_done(scene: Scene) -> Change | None:
    """The change that the last reply told of."""
    turn = [row for row in turn_of(scene.ask.recent_changes) if row.status == "applied" and row.op != "undo"]
    fresh = [row for row in turn if _fresh(row, scene)]
    told = scene.ask.recent[-1].replied.lower() if scene.ask.recent else ""
    return fresh[-1] if fresh and any(row.title.lower() in told for row in fresh) else None
