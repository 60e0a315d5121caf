"""Turns at the door, in the inbox and in the stream of events."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from agents.contract import Outcome, Proposal
from app.records.model.events import EventType
from app.voice.model import MemoState, NewMemo

TurnState = Literal["queued", "running", "done", "failed", "cancelled", "waiting"]
Strategy = Literal["enqueue", "reject", "interrupt", "rollback"]


def completed_event(outcome: Outcome) -> tuple[EventType, dict[str, Any]]:
    """The event that tells a turn's whole reply, and as data what it suggests, if it does."""
    suggestion = outcome.suggestion.model_dump(mode="json") if outcome.suggestion else None
    return "reply.completed", {"reply": outcome.reply, "remarks": remarks_of(outcome), "suggestion": suggestion}


def done_event(state: TurnState, outcome: Outcome) -> tuple[EventType, dict[str, Any]]:
    """Return the last event of a turn."""
    return "turn.done", {"status": state, "disposition": outcome.disposition}


def remarks_of(outcome: Outcome) -> str:
    """What a reply says beside the receipts of its changes."""
    return outcome.reply if outcome.remarks is None else outcome.remarks


@dataclass(frozen=True)
class NewTurn:
    """A message at the door. ``text`` is None for a clip, whose bytes are durable already and named by ``memo``.

    ``timezone`` None means the user's own. ``answers_turn_id`` is the turn whose question a yes or no from a
    door is for; ``answers_question_id`` is the question that the sender named: the message answers it, or none.
    ``reading`` is what its sender wants it read as; None leaves that to the understanding. ``of_memo`` is the memo
    whose words ``text`` is, as its user put them. ``speak`` says that its reply is wanted aloud, too. ``borrowed``
    words may not be the user's own: what they ask for waits for a yes. ``client`` is what its client keeps with it.
    """

    user_id: UUID
    text: str | None
    captured_at: datetime
    timezone: str | None = None
    thread_id: UUID | None = None
    strategy: Strategy = "enqueue"
    idempotency_key: str | None = None
    body_hash: bytes = b""
    memo: NewMemo | None = None
    answers_turn_id: UUID | None = None
    answers_question_id: UUID | None = None
    reading: list[Proposal] | None = None
    of_memo: UUID | None = None
    speak: bool = False
    borrowed: bool = False
    client: dict[str, Any] | None = None


@dataclass(frozen=True)
class Turn:
    """One row of the inbox. ``generation`` is the fencing token of its current lease.

    ``attempt`` counts the tries that may have failed by the turn's own fault.
    ``settings`` are the user's own when the turn begins to run; a turn that was only looked up has none.
    """

    id: UUID
    user_id: UUID
    thread_id: UUID
    seq: int
    state: TurnState
    text: str | None
    memo_id: UUID | None
    captured_at: datetime
    timezone: str
    generation: int
    attempt: int
    cancel_requested: bool
    created_at: datetime
    finished_at: datetime | None = None
    result: Outcome | None = None
    usage: dict[str, Any] = field(default_factory=dict)
    unsure: bool = False
    breaks_off: bool = False
    canned_reply: str | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    answers_turn_id: UUID | None = None
    answers_question_id: UUID | None = None
    reading: list[Proposal] | None = None
    speak: bool = False
    borrowed: bool = False
    client: dict[str, Any] | None = None

    @property
    def tried_before(self) -> bool:
        """Whether somebody ran it before, and may have left a checkpoint or changes."""
        return self.generation > 1


@dataclass(frozen=True)
class Ahead:
    """What a queued turn waits for: a turn of its thread that runs, or a recording (its own even) without words yet.

    ``memo_state`` and ``reason`` are the recording's, None for words.
    """

    turn_id: UUID
    memo_state: MemoState | None
    reason: str | None


@dataclass(frozen=True)
class Accepted:
    """What became of a submitted turn: its row, and whether an earlier request with the same key had made it."""

    turn: Turn
    replayed: bool


@dataclass(frozen=True)
class Finished:
    """A finished turn, and whether more of its thread wait."""

    turn: Turn
    more: bool
