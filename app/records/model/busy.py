"""When a user is busy, by events of their own and of imported calendars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from agents.recurrence.expand import Span


@dataclass(frozen=True)
class Occurrence:
    """One time at which ``item`` takes place: an own event, or one of the imported ``calendar``.

    ``end`` is exclusive.
    """

    item: str
    title: str
    calendar: str | None
    start: datetime
    end: datetime
    whole_day: bool
    busy: bool


class FreeBusy(Protocol):
    """Busy time, and what takes place in it."""

    async def occurring(self, user_id: UUID, within: Span, most: int) -> Sequence[Occurrence]:
        """What takes place within a time, earliest first, ``most`` times."""

    async def taken(self, user_id: UUID, within: Span) -> Sequence[Span]:
        """The busy spans that overlap ``within``, merged and earliest first."""
