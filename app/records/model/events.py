"""The stream of a user's events."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

EventType = Literal[
    "turn.accepted",
    "transcript.partial",
    "transcript.final",
    "route.decided",
    "agent.started",
    "agent.finished",
    "change.applied",
    "change.failed",
    "question.asked",
    "approval.required",
    "reply.delta",
    "reply.completed",
    "citation",
    "usage",
    "reminder.fired",
    "run.started",
    "run.step",
    "run.resumed",
    "run.done",
    "error",
    "turn.done",
]
EventDraft = tuple[EventType, dict[str, Any]]
"""An event before it has a place in the stream: its type and data."""


@dataclass(frozen=True)
class Event:
    """One event of a user's stream; ``seq`` grows per user."""

    seq: int
    turn_id: UUID | None
    type: EventType
    ts: datetime
    data: dict[str, Any]


@dataclass(frozen=True)
class KeptEvents:
    """The part of a user's stream that is kept: seq ``first`` to ``last``; empty when first is last + 1."""

    first: int
    last: int
