"""Two sides of one task: what both can say of it, and what a change there means for the task here."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from agents.contract import Op
from app.calendars.merge import Rules
from app.calendars.model.synced import Fields, Merged, State
from app.calendars.plain import plain_text

CLOSED = ("done", "archived")


class TaskRules(Rules):
    """See app.calendars.model.synced.MergeRules; a task elsewhere has a title, notes, a day, and is done or not."""

    groups: Mapping[str, tuple[str, ...]] = {name: (name,) for name in ("title", "notes", "due", "done")}

    def state(self, record: Mapping[str, Any] | None) -> State:
        if record is None:
            return None
        due = record.get(due_field(record))
        return task_state(
            record["task"], record.get("notes") or "", due and _day(due, record), done=record["status"] in CLOSED
        )

    def to_ledger_change(
        self,
        op: Op,
        fields: Fields,
        record: Mapping[str, Any] | None,
        zone: str,  # noqa: ARG002 - see Rules
    ) -> tuple[Op, Fields]:
        """Completing is an operation of its own: a task that repeats goes on with its next day."""
        said = {{"title": "task"}.get(name, name): fields[name] for name in ("title", "notes") if name in fields}
        if "due" in fields:
            said |= self._due(fields["due"], record or {})
        if record is None:
            return op, {**said, "status": "done"} if fields.get("done") else said
        if fields.get("done"):
            return "complete", said
        return op, {**said, "status": "not started"} if "done" in fields else said

    def is_news(self, state: Fields) -> bool:
        return not state["done"]

    def _due(self, due: str | None, record: Mapping[str, Any]) -> Fields:
        return move_due_day(due, record)

    def agreed_state(self, merged: Merged, after: State) -> State:  # noqa: ARG002 - see Rules
        """What was said there, also where the task went on to its next day: that is still to be said there."""
        return self._with(merged.local, merged.remote, merged.carried)


def task_state(title: str, notes: str, due: str | None, *, done: bool) -> dict[str, Any]:
    """What a task says in one form; ``due`` is a day (YYYY-MM-DD)."""
    return {
        "title": " ".join(plain_text(title).split()),
        "notes": plain_text(notes).strip(),
        "due": due,
        "done": done,
    }


def due_field(record: Mapping[str, Any]) -> str:
    """The field of when a task is due: a reminder without a deadline is due when it rings."""
    return "remind_at" if record.get("remind_at") and not record.get("deadline") else "deadline"


def _day(moment: str, record: Mapping[str, Any]) -> str:
    return _local(moment, record).date().isoformat() if "T" in moment else moment


def _local(moment: str, record: Mapping[str, Any]) -> datetime:
    return datetime.fromisoformat(moment).astimezone(ZoneInfo(record.get("zone") or "UTC"))


def move_due_day(day: str | None, record: Mapping[str, Any]) -> Fields:
    """Another day; a time of the day, of which nothing is known there, stays."""
    name = due_field(record)
    was = record.get(name)
    if day is None or was is None or "T" not in was:
        return {name: day}
    local = _local(was, record)
    return {name: datetime.combine(date.fromisoformat(day), local.time(), local.tzinfo).isoformat()}
