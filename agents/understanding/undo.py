"""Taking back what was just done, and correcting it: from the thread's recent changes."""

from __future__ import annotations

import re
from typing import Any

from agents.contract import Change, Proposal
from agents.understanding.edits import moved
from agents.understanding.filler import trim
from agents.understanding.intents import Intent
from agents.understanding.references import Item
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer, change
from agents.understanding.slots import tidy
from agents.understanding.time.search import find_times

ORDINALS = {
    "first": 0,
    "1st": 0,
    "second": 1,
    "2nd": 1,
    "third": 2,
    "3rd": 2,
    "fourth": 3,
    "4th": 3,
    "last": -1,
    "latest": -1,
}
ALL = re.compile(r"\b(?:both|all|everything|them)\b", re.IGNORECASE)
CORRECTION = re.compile(
    r"^(?:oh\s+|uh\s+|wait\s+|sorry\s+|actually\s+|no\s+|hmm\s+|oops\s+|,\s*)*(?:no\b|wait\b|actually\b|sorry\b|"
    r"i mean(?:t)?\b|make (?:it|that)\b|"
    r"i said\b|not\b|change (?:it|that) to\b|it's\b|it should be\b)",
    re.IGNORECASE,
)
SWAP = re.compile(
    r"(?:i mean(?:t)?|it's|it should be|make (?:it|that)|no|actually|sorry)?[\s,]*(?P<new>.{1,80}?),?\s+(?:not|"
    r"instead of|rather than)\s+(?P<old>.{1,80})$",
    re.IGNORECASE,
)
LEADS = re.compile(
    r"^(?:(?:oh|uh|um|wait|sorry|actually|no|hmm|oops|well|i mean(?:t)?|make (?:it|that)|i said|change (?:it|"
    r"that) to|it's|its|it should be|for|on|to)\b[\s,.:;-]*)+",
    re.IGNORECASE,
)


def take_back(intent: Intent, text: str, scene: Scene) -> Share:
    """Undo one change of the last turn, a numbered one, or all of them."""
    turn = _last_turn(scene)
    if not turn:
        return answer(text, "There is nothing to undo.")
    rest = intent.parts.get("rest", "").lower()
    if ALL.search(rest):
        return _undo(turn, text)
    index = next((place for word, place in ORDINALS.items() if re.search(rf"\b{word}\b", rest)), None)
    if index is not None and -len(turn) <= index < len(turn):
        return _undo([turn[index]], text)
    named = [item for item in turn if _named(rest, item)]
    return _undo(named or ([turn[-1]] if len(turn) == 1 or "last" in rest else turn), text)


def _last_turn(scene: Scene) -> list[Change]:
    """The applied changes of the newest turn that has any."""
    applied = [item for item in scene.ask.recent_changes if item.status == "applied" and item.op != "undo"]
    if not applied:
        return []
    newest = applied[-1]
    if newest.turn_id is None:
        return [newest]
    return [item for item in applied if item.turn_id == newest.turn_id]


def _named(rest: str, item: Change) -> bool:
    words = set(re.findall(r"\w{3,}", rest)) - {"the", "that", "undo", "one", "just", "please", "task", "event"}
    return bool(words & set(re.findall(r"\w{3,}", item.title.lower())))


def _undo(changes: list[Change], text: str) -> Share:
    proposals = [
        Proposal(op="undo", kind=item.kind, record_id=item.record_id, undo_of=item.id, reason="you took it back")
        for item in reversed(changes)
    ]
    return change(text, *proposals)


def redo(text: str, scene: Scene) -> Share:
    """Take an undo back."""
    undone = [item for item in scene.ask.recent_changes if item.op == "undo" and item.status == "applied"]
    return _undo(undone[-1:], text) if undone else answer(text, "There is nothing to redo.")


def correct(text: str, scene: Scene) -> Share | None:
    """A correction of the last change ("no, Thursday", "i meant norte not lumen"); None when it is none."""
    said = text.strip()
    if not CORRECTION.match(said) or len(said.split()) > 14:
        return None
    last = scene.last_change("todo", "event")
    if last is None or last.op not in ("create", "update"):
        return None
    item = next((item for item in scene.items(last.kind) if item.id == last.record_id), None)
    fields = _fields(said, item, scene) if item else {}
    if item is None or not fields:
        return None
    return change(
        text, Proposal(op="update", kind=item.kind, record_id=item.id, fields=fields, reason="you corrected it")
    )


def _fields(said: str, item: Item, scene: Scene) -> dict[str, Any]:
    swap = SWAP.search(said)
    new = swap["new"] if swap else LEADS.sub("", said)
    new = LEADS.sub("", new).strip(" ,.!")
    times = [found for found in find_times(new, scene.clock, bare=True) if found.kind != "duration"]
    if times and times[0].kind != "set" and len(new) - (times[0].span[1] - times[0].span[0]) < 12:
        return moved(item, times[0], scene)
    if times and times[0].kind == "set" and times[0].start:
        return {"recurrence": times[0].rrule}
    level = re.fullmatch(r"(?:a\s+)?(high|medium|low)(?:[\s-]+priority)?", new, re.IGNORECASE)
    if level:
        return {"priority": level[1].lower()}
    return _renamed(swap, item) if swap else {}


def _renamed(swap: re.Match[str], item: Item) -> dict[str, Any]:
    old, new = tidy(swap["old"]), tidy(LEADS.sub("", trim(swap["new"])))
    if not old or not new or old.lower() not in item.title.lower():
        return {}
    title = re.sub(re.escape(old), lambda _: new, item.title, flags=re.IGNORECASE)
    return {"title" if item.kind == "event" else "task": title}
