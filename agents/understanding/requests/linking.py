"""Time set aside for a task: the event knows which one it is for, and how long that takes."""

from __future__ import annotations

import re

from agents.records import ToDo
from agents.understanding.items import choose
from agents.understanding.references import Item
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.text.clauses import Clause

SET_ASIDE = re.compile(
    r"(?:block|reserve|set aside|put aside|carve out|find|make|schedule|book|plan|put|add)\b(?:\s+(?:in|out|off|me|some))*\s+"
    r"(?:(?:some|a bit of|enough)\s+)?(?:time|slot|(?:\d+(?:[.,]\d+)?|an?|one|two|three|four|five|six|half an?|thirty|"
    r"forty[- ]five|ninety|fifteen|twenty|ten|a couple of)[\s-]*(?:and a half\s+)?(?:hours?|hrs?|h|minutes?|mins?|min|"
    r"slot|block)\b)",
    re.IGNORECASE,
)
WORK = re.compile(
    r"^(?:(?:to|for)\s+)?(?:(?:work(?:ing)?|focus(?:ing)?)\s+(?:on|at)|finish(?:ing)?|do(?:ing)?)\s+", re.IGNORECASE
)


def task_for(title: str, clause: Clause, scene: Scene) -> ToDo | None:
    """The one open task that time is set aside for; None when none is meant, or several could be."""
    if not SET_ASIDE.match(clause.text.strip()):
        return None
    for words in dict.fromkeys((title, WORK.sub("", title))):
        found: list[Item] = choose.search(words, scene, ("todo",), is_open, None)
        if len(found) == 1 and isinstance(found[0].record, ToDo):
            return found[0].record
    return None
