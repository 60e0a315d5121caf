"""How much one record may hold; the settings of a server may say otherwise."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """``list_items`` lines of one list; ``recurrence_count`` is the largest COUNT of a recurrence rule."""

    list_items: int = 2000
    recurrence_count: int = 10_000
