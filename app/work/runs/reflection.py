"""What a step's outcome means for the next one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Verdict = Literal["success", "minor_repair", "replan"]
REPAIRS = 2
"""Failures in a row that may be repaired before the plan is taken to be wrong."""
HINTS: dict[str, str] = {
    "invalid": "Correct the arguments.",
    "not_found": "Look what there is before you name it.",
    "refused": "This way is closed; find another.",
    "precondition": "Do first what it needs.",
    "postcondition": "It did not take; check what is there now.",
    "timeout": "Ask for less at once.",
    "broken": "Try another tool.",
    "unreachable": "Try another source.",
}
LASTING = frozenset({"refused"})


@dataclass(frozen=True)
class Reflection:
    """What is made of an outcome: ``lesson`` is what is worth remembering beyond this run."""

    verdict: Verdict
    explanation: str = ""
    next_hint: str = ""
    failure_type: str = ""
    lesson: str = ""


def reflect(call: Mapping[str, Any], outcome: Mapping[str, Any], errors: int) -> Reflection:
    """Of one step; ``errors`` counts failures in a row, this one included."""
    if outcome["ok"]:
        return Reflection("success")
    failure = str(outcome["failure"])
    verdict: Verdict = "replan" if errors > REPAIRS else "minor_repair"
    lesson = f"{call['name']} was refused: {outcome['text'][:200]}" if failure in LASTING else ""
    return Reflection(verdict, str(outcome["text"])[:300], HINTS.get(failure, ""), failure, lesson)
