"""What the language model costs one turn: time, tokens and credits, gathered while the turn runs."""

from __future__ import annotations

import time
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any


@dataclass
class Meter:
    """One turn's use of models. ``deadline`` is on the monotonic clock: after it nobody waits for a model any more."""

    deadline: float | None = None
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    credits: int = 0
    seconds: float = 0.0

    def remaining_seconds(self, budget_seconds: float) -> float:
        """Seconds that may still be waited; the first question starts the clock."""
        if self.deadline is None:
            self.deadline = time.monotonic() + budget_seconds
        return self.deadline - time.monotonic()

    def summary(self) -> dict[str, Any]:
        """The part of a turn's usage that models are accountable for."""
        told: dict[str, Any] = {"tokens": self.tokens_in + self.tokens_out, "credits": self.credits}
        if self.calls:
            told["model"] = {
                "calls": self.calls,
                "tokens_in": self.tokens_in,
                "tokens_out": self.tokens_out,
                "ms": round(self.seconds * 1000, 1),
            }
        return told


_meter: ContextVar[Meter | None] = ContextVar("summit_meter", default=None)


def start_meter() -> Meter:
    """A new meter for everything that models do in this task from now on, tasks that it starts included."""
    meter = Meter()
    _meter.set(meter)
    return meter


def current_meter() -> Meter:
    """The meter of this turn; outside of turns one that nobody reads."""
    return turn_meter() or Meter()


def turn_meter() -> Meter | None:
    """The meter of this turn; None outside of turns."""
    return _meter.get()
