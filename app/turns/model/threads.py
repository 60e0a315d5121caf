"""Conversations and their full history."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

ThreadStatus = Literal["active", "completed", "archived"]


@dataclass(frozen=True)
class Thread:
    """A conversation; ``metadata`` is what a client keeps with it."""

    id: UUID
    title: str
    summary: str
    status: ThreadStatus
    is_main: bool
    message_count: int
    created_at: datetime
    updated_at: datetime
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Message:
    """One message of a thread's full history; ``seq`` counts within the thread."""

    seq: int
    turn_id: UUID
    role: Literal["user", "assistant"]
    content: str
    token_count: int
    model: str | None
    created_at: datetime
    remarks: str | None = None
