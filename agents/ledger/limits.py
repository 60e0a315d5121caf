"""How much one record may hold and one search may read; the settings of a server may say otherwise."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LedgerLimits:
    """What a server allows.

    ``list_items`` are the lines of one list, ``event_days`` the days that one event lasts, ``recurrence_count`` the
    largest COUNT of a recurrence rule, and ``look_back`` how many of the latest changes are searched for what words
    want undone.
    """

    list_items: int = 2000
    event_days: int = 366
    recurrence_count: int = 10_000
    look_back: int = 20_000
