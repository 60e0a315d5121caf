"""When a user is busy, by events of their own and of imported calendars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from agents.recurrence.expand import Span


class FreeBusy(Protocol):
    """Busy time without saying with what."""

    async def taken(self, user_id: UUID, within: Span) -> Sequence[Span]:
        """The busy spans that overlap ``within``, merged and earliest first."""
