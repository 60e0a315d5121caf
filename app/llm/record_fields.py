"""How the fields of tools stand in records."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from agents.contract import Op, Proposal
from agents.records import AnyRecord, Kind
from app.llm.call_context import CallContext, kind_of
from app.llm.times import read_instant, read_time

ASKED = "you asked for it"
Args = Mapping[str, Any]
NAMES: dict[Kind, dict[str, str]] = {
    "todo": {
        "title": "task",
        "due": "deadline",
        "remind_at": "remind_at",
        "snooze_until": "snooze_until",
        "repeat": "recurrence",
        "steps": "solutions",
        "priority": "priority",
        "minutes": "time_to_complete",
        "list": "list",
        "notes": "notes",
    },
    "event": {
        "title": "title",
        "start": "start",
        "end": "end",
        "repeat": "recurrence",
        "location": "location",
        "notes": "notes",
    },
    "note": {"title": "summary", "text": "content", "category": "category", "items": "items", "remind_at": "deadline"},
}
TIMES = frozenset({"due", "remind_at", "snooze_until", "start", "end"})
MOVED = frozenset({"due", "start", "end"})
"""Times that keep their week where a stored thing gets another one."""


def fields_of(kind: Kind, args: Args, context: CallContext, *, moves: bool) -> dict[str, Any]:
    """Return the values of a call as a record has them; an empty text clears a field. Raises CannotDo."""
    said = {name: field for name, field in NAMES[kind].items() if name in args}
    return {field: _value(kind, name, args, context, moves=moves) for name, field in said.items()}


def _value(kind: Kind, name: str, args: Args, context: CallContext, *, moves: bool) -> Any:
    value, words = args[name], args.get("when_words", "")
    if value == "":
        return None
    if (kind, name) == ("todo", "remind_at"):
        return read_instant(name, value, words, context.ask)
    if name in TIMES:
        said = "" if name == "end" else words
        return read_time(name, value, said, context.ask, moves=moves and name in MOVED)
    return value


def create(kind: Kind, fields: Args, **values: Any) -> Proposal:
    """Return something new."""
    return Proposal(op="create", kind=kind, fields=_written(fields), **{"reason": ASKED, **values})


def change(record: AnyRecord, fields: Args, op: Op = "update") -> Proposal:
    """Return what becomes of a record."""
    return Proposal(op=op, kind=kind_of(record), record_id=record.id, fields=_written(fields), reason=ASKED)


def _written(fields: Args) -> dict[str, Any]:
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in fields.items()}
