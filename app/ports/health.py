"""What /readyz, the doctor and /metrics report."""

from __future__ import annotations

from dataclasses import dataclass


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
