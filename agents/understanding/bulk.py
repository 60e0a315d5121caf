"""Many tasks at once: "move all overdue to monday", "push everything due this week to friday"."""

from __future__ import annotations

import re
from datetime import date

from agents.understanding import choose, forms
from agents.understanding.clauses import Clause
from agents.understanding.days import days_of
from agents.understanding.filler import trim
from agents.understanding.references import Item
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.tasks import is_open
from agents.understanding.time.search import find_times

OVERDUE = re.compile(
    r"(?:move|push|shift|reschedule|bump|postpone)\s+(?:all|everything|whatever|anything)(?:\s+of)?(?:\s+(?:my|the))?"
    r"(?:\s+(?:that|that's|which|open|task|tasks|todos|stuff|things?|is|are|i have))*\s+"
    r"(?:overdue|(?:due|for|from|on)\s+(?P<of>.{2,40}?)|(?P<day>today|tomorrow)(?:'s)?)(?:\s+(?:tasks|ones|stuff))?"
    r"\s+(?:to|until|till)\s+(?P<to>.+)$",
    re.IGNORECASE,
)


def all_due(clause: Clause, scene: Scene) -> Share | None:
    """Move every open task that is past its deadline: "move all overdue to Monday"."""
    match = OVERDUE.match(trim(clause.text))
    times = find_times(match["to"], scene.clock) if match else []
    due = forms.due(times[0]) if times else None
    if due is None:
        return None
    late = _late(match["of"] or match["day"] if match else None, scene)
    if not late:
        return choose.none("such tasks", scene)
    return change(clause.text, *[choose.propose(item, "update", {"deadline": due}, "you moved it") for item in late])


def _late(period: str | None, scene: Scene) -> list[Item]:
    """The open tasks due in a period; without one, those that are overdue."""
    dated = [item for item in scene.items("todo") if is_open(item) and item.day]
    if period is None:
        return [item for item in dated if item.day and item.day < scene.now.date()]
    times = find_times(period, scene.clock)
    first, last = days_of(times[0], scene) if times else (date.max, date.min)
    return [item for item in dated if item.day and first <= item.day <= last]
