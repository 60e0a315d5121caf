"""What others need to know of the database: pages of rows, what /readyz, the doctor and /metrics report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ReadyCheck:
    """One line of /readyz."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True)
class Backlog:
    """What waits in the whole house, all users and servers together. Ages are in seconds, 0 when nothing waits."""

    queued_turns: int
    running_turns: int
    oldest_turn_seconds: float
    due_reminders: int
    oldest_reminder_seconds: float
    pending_deliveries: int
    dead_deliveries: int
    waiting_jobs: int
    running_jobs: int
    failed_jobs: int


@dataclass(frozen=True)
class Page:
    """One page of rows; ``next`` is the cursor of the next page, None at the end."""

    items: list[Any]
    next: str | None


class KeyUnreadable(Exception):  # noqa: N818 - it names what happened
    """A provider's key cannot be read: the master key is another one, or the row was tampered with."""
