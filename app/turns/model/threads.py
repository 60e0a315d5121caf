"""Conversations and their full history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol
from uuid import UUID

from app.database.model import Page

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


class Threads(Protocol):
    """Conversations and their full history."""

    async def create(
        self, user_id: UUID, title: str, thread_id: UUID | None = None, metadata: dict[str, Any] | None = None
    ) -> Thread:
        """A new conversation; with ``thread_id`` the one that exists is returned unchanged."""

    async def get(self, user_id: UUID, thread_id: UUID) -> Thread | None:
        """One conversation."""

    async def card(self, user_id: UUID, thread_id: UUID) -> Thread | None:
        """One conversation with its summary as it is now."""

    async def list(self, user_id: UUID, limit: int, cursor: str | None, metadata: dict[str, Any] | None = None) -> Page:
        """Conversations, the latest first; with ``metadata`` those that have all of it."""

    async def add_metadata(self, user_id: UUID, thread_id: UUID, metadata: dict[str, Any]) -> Thread | None:
        """Keep further metadata with a conversation, in the place of what had the same names."""

    async def change(
        self, user_id: UUID, thread_id: UUID, *, title: str | None, status: ThreadStatus | None
    ) -> Thread | None:
        """Rename or archive."""

    async def copy(self, user_id: UUID, thread_id: UUID, copy_id: UUID) -> Thread | None:
        """A conversation that goes on from the same words; what they changed stays where it was. None without one."""

    async def delete(self, user_id: UUID, thread_id: UUID) -> bool:
        """Delete a conversation with its messages and checkpoints; its changes stay in the ledger."""

    async def messages(self, user_id: UUID, thread_id: UUID, after: int, limit: int) -> Sequence[Message]:
        """Messages with a larger seq, oldest first."""
