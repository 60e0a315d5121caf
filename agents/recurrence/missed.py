"""How many rounds of a recurring task have passed while it stayed open."""

from __future__ import annotations

from datetime import datetime

from agents.phrases import say_count
from agents.records import ToDo
from agents.recurrence.rules import missed

OPEN = ("not started", "in progress")


def rounds_missed(todo: ToDo, now: datetime) -> int:
    """The rounds that are over, the one that is due among them; 0 while none is. ``now`` is the user's clock."""
    if not todo.recurrence or not todo.deadline or todo.status not in OPEN:
        return 0
    passed = todo.deadline < now if isinstance(todo.deadline, datetime) else todo.deadline < now.date()
    stored = todo.model_dump(mode="json", include={"recurrence", "deadline", "zone"})
    return 1 + missed(stored, stored["deadline"], now) if passed else 0


def say_missed(todo: ToDo, now: datetime) -> str:
    """The same in words, for behind a date; empty for a single round, as "due yesterday" says it already."""
    count = rounds_missed(todo, now)
    return f", {say_count(count, 'round')} missed" if count > 1 else ""
