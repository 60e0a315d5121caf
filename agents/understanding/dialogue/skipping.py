"""Suggestions that were not taken: "skip that, something else" asks for the next best one, and spares what was skipped."""

from __future__ import annotations

from itertools import takewhile
from typing import Literal

from agents.phrases import quoted
from agents.suggestion_feedback import Feedback
from agents.understanding.dialogue import focus
from agents.understanding.grammar import patterns_of
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent

P = patterns_of(__name__)


def another(clause: Clause, scene: Scene) -> Share | None:
    """The next suggestion, when the last reply made one and the words do not want it."""
    recent = scene.ask.recent
    if not recent or not P.SUGGESTED.search(recent[-1].replied) or not P.SKIPPED.fullmatch(clause.text):
        return None
    wish = _wish(scene)
    share = focus.coach(Intent("focus", 1.0), clause, scene, spared=_skipped(clause, scene), wish=wish)
    share.feedback = _feedback("skipped", scene)
    return share


def taken(clause: Clause, scene: Scene) -> Share | None:
    """A yes to the suggestion that was made last."""
    feedback = _feedback("accepted", scene) if P.TAKEN.fullmatch(clause.text.strip()) else None
    if feedback is None or scene.ask.pending:
        return None
    title = next(item.title for item in scene.items("todo") if item.id == feedback.task_id)
    return Share(
        "focus_coach", clause.text, answers=[f"Good. Tell me when {quoted(title)} is done."], feedback=feedback
    )


def _feedback(outcome: Literal["skipped", "accepted"], scene: Scene) -> Feedback | None:
    """What was made of the last reply's suggestion; None when it made none that is still known."""
    found = P.SUGGESTED.search(scene.ask.recent[-1].replied) if scene.ask.recent else None
    known = [item.id for item in scene.items("todo") if found and item.title.lower() == found["title"].lower()]
    return Feedback(task_id=known[0], outcome=outcome) if known else None


def _wish(scene: Scene) -> str:
    """The message that asked for a suggestion, before those that skipped one: its energy and its minutes still hold."""
    suggested = takewhile(lambda exchange: P.SUGGESTED.search(exchange.replied), reversed(scene.ask.recent))
    return next((one.said for one in suggested if not P.SKIPPED.fullmatch(one.said.strip())), "")


def _skipped(clause: Clause, scene: Scene) -> frozenset[str]:
    """Titles of the suggestions that were skipped lately, this one among them."""
    recent = scene.ask.recent
    answers = [*(exchange.said for exchange in recent[1:]), clause.text]
    return frozenset(
        found["title"].lower()
        for exchange, answer in zip(recent, answers, strict=True)
        if (found := P.SUGGESTED.search(exchange.replied)) and P.SKIPPED.fullmatch(answer.strip())
    )
