"""Tasks asked for by what they have not: "which tasks don't have a deadline", "anything without a priority", "undated tasks"."""

from __future__ import annotations

import re

from agents.records import ToDo
from agents.understanding.questions.queries import tasks_sentence
from agents.understanding.references import Item
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer
from agents.understanding.text.clauses import Clause

DETAIL = r"(?P<detail>due dates?|deadlines?|dates?|priority|priorities|prio|estimates?|difficulty)"
NONE = (
    rf"(?:(?:do(?:es)?(?:n't| not)|didn't|has not|hasn't|haven't)\s+(?:yet\s+)?(?:have|got|had)|(?:has|have|got|with|having|there's|is|are)\s+no|"
    rf"without|(?:is|are)\s+missing|lack(?:s|ing)?|missing|no)\s+(?:any\s+|an?\s+|its\s+|their\s+)?{DETAIL}"
)
ABOUT = r"(?:tasks?|todos?|to-dos?|things?|stuff|items?|ones?|anything|everything|what(?:'s| is|s)?|which)"
MISSING_FIELD_QUESTION = re.compile(
    rf"(?:what|which|whats|what's|show|list|give|tell|any|anything|are there|is there|do i have|have i(?: got)?|how many|all|everything|tasks|todos|things)"
    rf"\b.{{0,40}}?{NONE}(?:\s+(?:set|yet|on (?:it|them)|at all|for (?:it|them)))*\s*\??|"
    rf".{{0,40}}\b(?:forgot(?:ten)?|neglected|not)\s+(?:to\s+)?(?:put|give|set|given|assign)\s+(?:an?|any)\s+(?P<forgotten>{DETAIL.partition('>')[2]}\s*(?:on|to|for)?\s*\??|"
    rf"(?:(?:which|what|show|list|give me|any|my|all|are there|do i have)\b.{{0,30}}\s)?(?P<undated>undated|dateless|unscheduled|unprioriti[sz]ed)\s+{ABOUT}.{{0,20}}",
    re.IGNORECASE,
)


def missing_field_answer(clause: Clause, scene: Scene) -> Share | None:
    """The open tasks that lack the detail named; None when none is asked about."""
    said = MISSING_FIELD_QUESTION.fullmatch(clause.text.strip(" .!?"))
    if said is None:
        return None
    detail = (said["detail"] or said["forgotten"] or said["undated"]).lower()
    field, name = _field(detail)
    found = [item for item in scene.items("todo") if is_open(item) and _lacks(item, field)]
    return answer(clause.text, tasks_sentence(found, "open task", f" without {name}", scene))


def _field(detail: str) -> tuple[str, str]:
    if "prio" in detail:
        return "priority", "a priority"
    if detail.startswith("estimate"):
        return "time_to_complete", "an estimate"
    return ("difficulty", "a difficulty") if detail == "difficulty" else ("deadline", "a deadline")


def _lacks(item: Item, field: str) -> bool:
    """Whether a task has nothing there; a reminder is dated by when it rings."""
    todo = item.record
    if not isinstance(todo, ToDo):
        return False
    return getattr(todo, field) is None and not (field == "deadline" and todo.remind_at)
