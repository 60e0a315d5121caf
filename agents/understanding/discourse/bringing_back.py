"""What was done, taken back by its name without a word of undo: "bring Sara's one back", "never mind the reminder"."""

from __future__ import annotations

import re
from datetime import timedelta

from agents.understanding.dialogue import undo
from agents.understanding.items.choose import hinted
from agents.understanding.items.lately import KINDS, named, telling, turn_of
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.text.intents import Intent

FRESH = timedelta(minutes=10)
LEAD = r"(?:(?:oh|ah|um|uh|er|wait|no|nope|oops|sorry|actually|hmm+|hang on|ok|okay|please|just|well|and|but)[\s,.!]+)*"
NAMED_BACK = re.compile(
    rf"{LEAD}(?:(?:can|could) you\s+)?(?:(?:bring|put|get|add|have|want)\s+(?P<what>.{{2,50}}?)\s+back(?:\s+(?:in|on|again|please|there))*|restore\s+(?P<also>.{{2,50}}?))[\s.!]*",
    re.IGNORECASE,
)
NEVER_MIND = re.compile(
    rf"{LEAD}(?:never ?mind(?: about)?|nvm|ignore|forget(?: about)?)\s+(?P<what>(?:the|my|our|that)\s+(?!(?:[\w'-]+\s+){{0,3}}?(?:rules?|instructions?|polic(?:y|ies))\b).{{2,50}}?)(?:\s+(?:after all|please|then|now))*[\s.!]*",
    re.IGNORECASE,
)
NOT_DONE = re.compile(rf"{LEAD}(?:(?:it|that) (?:isn't|is not|wasn't)(?: yet)?|not yet)[\s.!]*", re.IGNORECASE)


def brought_back(text: str, scene: Scene) -> Share | None:
    """The undo, or the redo, of what is named; None when nothing done lately is."""
    said = text.strip()
    back = NAMED_BACK.fullmatch(said)
    if back:
        return _named_back(back["what"] or back["also"], text, scene)
    turn = [row for row in turn_of(scene.ask.recent_changes) if row.status == "applied" and row.op != "undo"]
    fresh = [row for row in turn if timedelta() <= scene.ask.at - row.created_at <= FRESH]
    if not fresh or not scene.ask.recent or fresh[-1].title.lower() not in scene.ask.recent[-1].replied.lower():
        return None
    if fresh[-1].op == "complete" and NOT_DONE.fullmatch(said):
        return undo.take_back(Intent("undo", 0.9, {"rest": "that"}), text, scene)
    left = NEVER_MIND.fullmatch(said)
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
