"""Notes, ideas, thoughts and questions."""

from __future__ import annotations

import re

from agents.contract import Proposal
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change, lost
from agents.understanding.text.clauses import Clause
from agents.understanding.text.filler import without_breath
from agents.understanding.text.intents import Intent
from agents.understanding.time.search import find_times

SUMMARY_WORDS = 10
AFTERTHOUGHT = re.compile(r",?\s+and,?\s+(?:um,?\s+)?(?:yes,?\s+)?that's all$|,?\s+that's (?:all|it)$", re.IGNORECASE)

MARKS = (
    "code|pin|passcode|password|combination|confirmation|reference|booking|reservation|order|serial|tracking|policy|account|licen[cs]e|plate|membership|"
    "invoice|ticket|locker|room|flight|wifi|wi-fi|phone"
)
IDENTIFIED = re.compile(
    rf"(?!(?:add|note|book|buy|call|check|pay|remind|send|set|cancel|delete|move|is|are|what|when|where|who|how|why|which|do|does|did|can)\b)"
    rf"(?:[\w'&-]+,?\s+){{0,9}}(?:{MARKS})(?:\s+(?:number|code|no\.?|id|ref))?(?:\s+(?:is|for \w+ is)|\s*[:=])?\s+#?(?=\S*\d)[\w/*#.-]{{3,30}}",
    re.IGNORECASE,
)
"""What ends in a number that names a thing, which nobody keeps in the head: "the gate code is 4471"."""


def identified(clause: Clause, scene: Scene) -> Share | None:
    """Such a number, kept as a note; None for other words, and for those that place something in time."""
    said = clause.text.strip(" .!")
    if not IDENTIFIED.fullmatch(said) or find_times(said, scene.clock):
        return None
    return note(Intent("note", 0.8, {"rest": said}), clause, scene)


def note(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """A new note in the user's words."""
    content = AFTERTHOUGHT.sub("", without_breath(intent.parts.get("rest", ""))).strip(" \t\n,:-")
    content = re.sub(r"^(?:that|to self|would you|please)[\s:,]+", "", content, flags=re.IGNORECASE).rstrip()
    if re.fullmatch(r"(?:it|that|this)", content, re.IGNORECASE) and scene.told:
        content = re.sub(r"^.{0,200}?:\s+", "", scene.told).strip()
    if not content:
        return lost(clause.text)
    category = intent.parts.get("category", "note").lower()
    fields = {"category": category, "content": content, "summary": summary_of(content)}
    return change(clause.text, Proposal(op="create", kind="note", fields=fields, reason="you asked to keep it"))


def summary_of(content: str) -> str:
    """The first words of a note, at most ten."""
    words = content.split()
    return " ".join(words[:SUMMARY_WORDS])[:200] + (" …" if len(words) > SUMMARY_WORDS else "")
