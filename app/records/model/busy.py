"""When a user is busy, by events of their own and of imported calendars."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


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
