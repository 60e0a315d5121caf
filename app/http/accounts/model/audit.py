"""What the log of administrative acts tells: who did what to whose account, key, model or switch."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol
from uuid import UUID

from app.database.model import Page

Refusal = Literal["key.refused", "sign-in.refused"]


@dataclass(frozen=True)
class AuditEntry:
    """One act; ``user_id`` is whose affairs they are, of zeros alone for the whole server's."""

    user_id: UUID
    id: int
    at: datetime
    actor: str
    action: str
    subject: str


class AuditLog(Protocol):
    """The log is written by the database itself; here it is read, and told of what never got as far."""

    async def list(self, user_id: UUID | None, limit: int, cursor: str | None) -> Page:
        """Acts about one user, or about everybody for None; the latest first."""
        ...

    async def refused(self, actor: str, action: Refusal, subject: str) -> None:
        """Tell of somebody who proved to be nobody; it is the whole server's affair."""
        ...
