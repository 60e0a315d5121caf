"""Two sides of one task where both know its time and its repetition, as calendar servers do."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from agents.contract import Op
from app.calendars.model.synced import Fields, State
from app.calendars.task_rules import CLOSED, TaskRules, due_field, move_due_day, task_state


class TodoRules(TaskRules):
    """See app.calendars.model.synced.MergeRules.

    ``due`` is a day or an instant; ``zone`` that of a series of instants.
    """

    groups: Mapping[str, tuple[str, ...]] = {
        "title": ("title",),
        "notes": ("notes",),
        "due": ("due", "zone", "recurrence"),
        "done": ("done",),
    }

    def state(self, record: Mapping[str, Any] | None) -> State:
        if record is None:
            return None
        due = record.get(due_field(record))
        return todo_state(
            record["task"],
            record.get("notes") or "",
            due,
            record.get("zone") or "UTC",
            record.get("recurrence"),
            done=record["status"] in CLOSED,
        )

    def to_ledger_change(
        self, op: Op, fields: Fields, record: Mapping[str, Any] | None, zone: str
    ) -> tuple[Op, Fields]:
        """As for every task; what repeats without a day goes on to, until it is said otherwise there."""
        op, said = super().to_ledger_change(op, fields, record, zone)
        if "due" not in fields:
            return op, said
        repeats = {"recurrence": fields["recurrence"]} if fields["recurrence"] or self._is_due(record) else {}
        clock = {"zone": fields["zone"]} if fields["zone"] else {}
        return op, {**said, **repeats, **clock}

    def _due(self, due: str | None, record: Mapping[str, Any]) -> Fields:
        """A reminder rings at a time, also on another day; a deadline is what it is there."""
        name = due_field(record)
        return move_due_day(due, record) if name == "remind_at" and due and "T" not in due else {name: due}

    def _is_due(self, record: Mapping[str, Any] | None) -> bool:
        return record is None or record.get(due_field(record)) is not None


def todo_state(
    title: str, notes: str, due: str | None, zone: str, recurrence: str | None, *, done: bool
) -> dict[str, Any]:
    """What a task says in one form; only what is due on a day can repeat."""
    timed = due is not None and "T" in due
    if due is not None and timed:
        due = datetime.fromisoformat(due).astimezone(UTC).replace(microsecond=0).isoformat()
    rule = recurrence if due else None
    clock = {"zone": zone if timed and rule else None, "recurrence": rule}
    return {**task_state(title, notes, due, done=done), **clock}
