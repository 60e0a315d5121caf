"""Whether a run goes round in circles: by what it does and what comes of it, never by what it does alone."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

ROUNDS = {1: 4, 2: 3, 3: 3, 4: 3}
"""How often a cycle of so many steps must come round."""
ERRORS_IN_A_ROW = 6
MAX_STEPS_KEPT = max(period * rounds for period, rounds in ROUNDS.items())
MOVING = re.compile(
    r"\d{4}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d:?\d\d)?"  # moments
    r"|\b\d\d?:\d\d(?::\d\d(?:\.\d+)?)?\b"  # clocks
    r"|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"  # uuids
    r"|\b0x[0-9a-f]+\b"  # addresses
    r"|\b(?:in|after|took) \d+(?:\.\d+)? ?(?:ms|s|sec|seconds)\b"  # durations
)
"""What differs each time although nothing has changed. Other numbers count: 9 failures are not 8."""


@dataclass(frozen=True)
class CallStep:
    """One call and what came of it, as fingerprints."""

    action: str
    outcome: str
    error: bool

    @property
    def mark(self) -> tuple[str, str]:
        """What is compared; that a call failed counts, not in which words."""
        return self.action, "error" if self.error else self.outcome


def step_of(name: str, arguments: Mapping[str, Any], text: str, *, error: bool) -> CallStep:
    """A call and its outcome; the order of arguments and what moves by itself do not count."""
    action = json.dumps([name, arguments], sort_keys=True, default=str)
    return CallStep(_digest(action), _digest(" ".join(MOVING.sub("*", text.lower()).split())), error)


def is_looping(steps: Sequence[CallStep]) -> bool:
    """Whether the last steps are a cycle that came round too often."""
    marks = [step.mark for step in steps]
    return any(_comes_round(marks, period, rounds) for period, rounds in ROUNDS.items())


def keeps_failing(steps: Sequence[CallStep]) -> bool:
    """Whether the last steps all failed, whatever they tried."""
    return len(steps) >= ERRORS_IN_A_ROW and all(step.error for step in steps[-ERRORS_IN_A_ROW:])


def _comes_round(marks: Sequence[tuple[str, str]], period: int, rounds: int) -> bool:
    tail = marks[-period * rounds :]
    return len(tail) == period * rounds and tail == list(tail[:period]) * rounds


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
