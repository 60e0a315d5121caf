"""Suggestions that were not taken: "skip that, something else" asks for the next best one, and spares what was skipped."""

from __future__ import annotations

import re

from agents.understanding import focus
from agents.understanding.clauses import Clause
from agents.understanding.intents import Intent
from agents.understanding.scene import Scene
from agents.understanding.share import Share

SUGGESTED = re.compile(r"\bNext: [^“]*“(?P<title>[^”]+)”")
ELSE = r"(?:give me |show me |suggest |pick |find me )?(?:something|anything|another|a different)(?: (?:else|one|thing|task|idea|suggestion))+"
SKIPPED = re.compile(
    rf"(?:(?:no|nah|nope|hmm|ugh)\W+)*(?:(?:skip|pass on|not|i (?:don't|do not|can't|cannot) (?:want to |feel like )?(?:do(?:ing)?)?)\s*"
    r"(?:it|that|this)?(?: (?:one|task))?(?: (?:for now|now|today|right now))?(?:\W+(?:and )?"
    rf"{ELSE})?|{ELSE}|another|what else(?: (?:could|can|should) i do)?|next(?: one)?)(?:\W+(?:please|then|instead))*\W*",
    re.IGNORECASE,
)


def another(clause: Clause, scene: Scene) -> Share | None:
    """The next suggestion, when the last reply made one and the words do not want it."""
    recent = scene.ask.recent
    if not recent or not SUGGESTED.search(recent[-1].replied) or not SKIPPED.fullmatch(clause.text):
        return None
    return focus.coach(Intent("focus", 1.0), clause, scene, spared=_skipped(clause, scene))


def _skipped(clause: Clause, scene: Scene) -> frozenset[str]:
    """Titles of the suggestions that were skipped lately, this one among them."""
    recent = scene.ask.recent
    answers = [*(exchange.said for exchange in recent[1:]), clause.text]
    return frozenset(
        found["title"].lower()
        for exchange, answer in zip(recent, answers, strict=True)
        if (found := SUGGESTED.search(exchange.replied)) and SKIPPED.fullmatch(answer.strip())
    )
