"""What the log of administrative acts tells: who did what to whose account, key, model or switch."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

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
