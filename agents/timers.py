"""Timers: reminders that only ring, so that nobody has to tick them off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

TIMER_TAG = "timer"
RANG = "it rang"
"""Why one is archived."""


def is_timer(record: Mapping[str, Any]) -> bool:
    """Whether a to-do or note, in JSON form, has nothing left to do once it has rung."""
    return bool(record.get("kind") == "reminder" and TIMER_TAG in record["tags"])


def has_rung(record: Mapping[str, Any]) -> bool:
    """Whether a to-do or note, in JSON form, is a timer that was put away when it rang; a snooze brings it back."""
    return is_timer(record) and record["status"] == "archived"
