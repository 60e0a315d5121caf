"""The stream of a user's events."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol
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
class Span:
    """The part of a user's stream that is kept: seq ``first`` to ``last``; empty when first is last + 1."""

    first: int
    last: int


class EventLog(Protocol):
    """The user's stream of events, durable and resumable."""

    async def append(
        self, user_id: UUID, turn_id: UUID | None, events: Sequence[tuple[EventType, dict[str, Any]]]
    ) -> None:
        """Keep events and wake the listeners."""

    def follow(self, user_id: UUID, *, turn_id: UUID | None = None, after: int = 0) -> AsyncIterator[Event | None]:
        """Events with a larger seq, then live ones; None after a quiet while; ends after turn.done of turn_id."""

    async def span(self, user_id: UUID) -> Span:
        """Which part of the stream is kept."""

    async def of_turn(self, user_id: UUID, turn_id: UUID) -> list[Event]:
        """What is kept of one turn's events so far."""
