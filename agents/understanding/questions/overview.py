"""How a day or a week looks: "what's my week like", "brief me", "run me through tomorrow", "help me plan my day"."""

from __future__ import annotations

import re

from agents.time import find_times
from agents.understanding.grammar import patterns_of
from agents.understanding.questions import queries
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent

STRETCH = r"(?P<{0}>(?:my|the|our)\s+(?:day|week|weekend|month|morning|afternoon|evening)(?:\s+ahead)?|[\w' ]{{3,30}}?)"
LOOK = r"(?:look(?:s|ing)?(?: like)?|like|shaping up|going to be|coming along)"
OVERVIEW_QUESTION = re.compile(
    rf"(?:so |and |ok |okay )?(?:"
    rf"how(?:'s| is| does| do| are| will)?\s+{STRETCH.format('how')}(?:\s+{LOOK})?(?:\s+(?:so far|for me))?|"
    rf"what(?:'s| is| does| do| will)?\s+{STRETCH.format('what')}\s+{LOOK}(?:\s+for me)?|"
    rf"(?:(?:can|could|would) you )?(?:please )?(?:tell me about|tell me|brief me(?: on| about)?|fill me in on|catch me up on|"
    rf"(?:walk|run|talk|take) me through|give me (?:a|an|the|my) (?:rundown|overview|summary|briefing) (?:of|for|on)|"
    rf"(?:help me (?:to )?)?(?:plan|organi[sz]e))\s+{STRETCH.format('told')}|"
    rf"(?P<brief>brief me|(?:(?:give|send|read|tell) me )?(?:my|the|a) (?:daily )?(?:briefing|rundown|overview))"
    rf")(?:\s+please)?\W*",
    re.IGNORECASE,
)
P = patterns_of(__name__)


def overview_answer(clause: Clause, scene: Scene) -> Share | None:
    """What is on and what is due in that stretch; None where the words name no stretch of time."""
    match = OVERVIEW_QUESTION.fullmatch(clause.text.strip())
    if match is None:
        return None
    said = "today" if match["brief"] else _stretch(match["how"] or match["what"] or match["told"])
    times = find_times(said, scene.clock)
    if len(times) != 1 or times[0].text.strip().lower() != said.lower():
        return None
    return queries.calendar(Intent("query_calendar", 0.9), Clause(f"what is on {said}"), scene)


def _stretch(said: str) -> str:
    own = P.OWN.fullmatch(said.strip())
    if own is None:
        return said.strip()
    return "today" if own[1].lower() == "day" else f"this {own[1].lower()}"
