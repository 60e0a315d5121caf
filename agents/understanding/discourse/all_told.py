"""Whether that was all: "is that all", "is that everything i've got for thursday" tells again, or tells of that day."""

from __future__ import annotations

from agents.understanding.discourse import replay
from agents.understanding.grammar import patterns_of
from agents.understanding.questions import doings
from agents.understanding.questions.queries import calendar
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent

P = patterns_of(__name__)


def single_answer(text: str, scene: Scene) -> Share | None:
    """What there is on the day asked about, what was just done, or the last answer once more; None for other words."""
    match = P.ONE_QUESTION.fullmatch(text)
    if match is None:
        return None
    when = match["when"].strip().removeprefix("on ").strip() if match["when"] else ""
    if when:
        return calendar(Intent("query_calendar", 0.9), Clause(f"what is on {when.removeprefix('for ')}"), scene)
    rows = scene.ask.recent_changes
    recent = scene.ask.recent
    if rows and recent and rows[-1].title.lower() in recent[-1].replied.lower():
        return doings.recent_changes_answer(Clause("what did you just do"), scene)
    found = replay.shares(recent[-1].said, scene) if recent else []
    whole = bool(found) and not any(share.proposals or share.questions for share in found)
    return next((share for share in found if share.answers), None) if whole else None
