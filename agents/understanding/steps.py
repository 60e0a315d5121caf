"""Micro-steps for tasks of more than one action; see step_library.py for the patterns."""

from __future__ import annotations

import re

from agents.understanding.step_library import LIBRARY

PATTERNS = tuple((re.compile(rf"^(?:{verbs})\s+{shape}$", re.IGNORECASE), steps) for verbs, shape, steps in LIBRARY)
LONGEST_TASK = 200


def steps_for(task: str) -> list[str]:
    """Three to six steps that name the task's object; none for a task of one action."""
    text = task.strip().rstrip(".!")
    if len(text) > LONGEST_TASK:
        return []
    for pattern, steps in PATTERNS:
        match = pattern.match(text)
        if match:
            thing = match["x"].strip()
            return [step.replace("{x}", thing) for step in steps]
    return []
