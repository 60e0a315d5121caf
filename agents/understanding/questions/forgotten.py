"""What may slip one's mind: "what am i forgetting", "did i forget anything today", "am i missing something"."""

from __future__ import annotations

import re

from agents.time import find_times
from agents.understanding.questions import queries
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent

ANYTHING = r"(?:anything|something|a thing|anything else)"
FORGOTTEN_QUESTION = re.compile(
    rf"(?:(?:ok|so|hmm+|wait|right|now)[\s,]+)*(?:what (?:am i|are we|have i|have we|did i|did we|else am i) (?:forget(?:ting)?|forgotten|forgot|miss(?:ing|ed)?|overlook(?:ing|ed)?)|"
    rf"(?:am i|are we|did i|did we|have i|have we) (?:\w+ )?(?:forget(?:ting)?|forgotten|forgot|miss(?:ing|ed)?|overlook(?:ing|ed)?) {ANYTHING}|"
    rf"(?:is there |was there )?{ANYTHING} (?:that )?(?:i'm|i am|i|i've|i have|we're) (?:forgetting|forgot(?:ten)?|missing|missed|overlooking))"
    r"(?P<when>\s.{2,40})?",
    re.IGNORECASE,
)


def forgotten_answer(clause: Clause, scene: Scene) -> Share | None:
    """What is on and what is open, of the day named or of today and all that is still to do; None for other words."""
    said = FORGOTTEN_QUESTION.fullmatch(clause.text.strip(" .!?"))
    if said is None:
        return None
    calendar, tasks = Intent("query_calendar", 0.9), Intent("query_tasks", 0.9)
    if said["when"] and find_times(said["when"], scene.clock):
        return queries.calendar(calendar, Clause(f"what is on{said['when']}"), scene)
    if said["when"]:
        return None
    open_tasks = queries.tasks(tasks, Clause("open tasks"), scene)
    today = queries.calendar(calendar, Clause("what is on today"), scene)
    return answer(clause.text, *open_tasks.answers, *today.answers)
