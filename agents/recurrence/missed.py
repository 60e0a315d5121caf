"""How many rounds of a recurring task have passed while it stayed open."""

from __future__ import annotations

from datetime import date, datetime
from typing import Protocol

from agents.phrases import say_count
from agents.recurrence.rules import missed_rounds

OPEN_TASK_STATES = ("not started", "in progress")


class RecurringTask(Protocol):
    """What is read of a task."""

    @property
    def status(self) -> str:
        """A closed task misses nothing."""

    @property
    def deadline(self) -> datetime | date | None:
        """When its open round is due."""

    @property
    def zone(self) -> str | None:
        """The IANA zone of the deadline."""

    @property
    def recurrence(self) -> str | None:
        """The RRULE, without its name."""


def rounds_missed(todo: RecurringTask, now: datetime) -> int:
    """The rounds that are over, the one that is due among them; 0 while none is. ``now`` is the user's clock."""
    if not todo.recurrence or not todo.deadline or todo.status not in OPEN_TASK_STATES:
        return 0
    passed = todo.deadline < now if isinstance(todo.deadline, datetime) else todo.deadline < now.date()
    due = {"recurrence": todo.recurrence, "zone": todo.zone}
    return 1 + missed_rounds(due, todo.deadline.isoformat(), now) if passed else 0


def say_missed(todo: RecurringTask, now: datetime) -> str:
    """The same in words, for behind a date; empty for a single round, as "due yesterday" says it already."""
    count = rounds_missed(todo, now)
    return f", {say_count(count, 'round')} missed" if count > 1 else ""
