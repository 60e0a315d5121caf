"""How the fields of tools stand in records."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from agents.contract import Op, Proposal
from agents.records import FIELD_TYPES, AnyRecord, Kind
from app.models.understanding.call_context import CallContext, kind_of
from app.models.understanding.times import read_instant, read_time

ASKED_REASON = "you asked for it"
Args = Mapping[str, Any]
RENAMED: dict[Kind, dict[str, str]] = {
    "todo": {
        "title": "task",
        "due": "deadline",
        "repeat": "recurrence",
        "steps": "solutions",
        "minutes": "time_to_complete",
    },
    "event": {"repeat": "recurrence"},
    "note": {"title": "summary", "text": "content", "remind_at": "deadline"},
}
"""What a tool calls a field that has another name in records."""
SPECIAL_FIELDS = frozenset({"status", "done_steps"})
"""What is more than a value."""
TIMES = frozenset({"due", "remind_at", "snooze_until", "start", "end"})
MOVABLE_TIMES = frozenset({"due", "start", "end"})
"""Times that keep their week where a stored thing gets another one."""


def fields_of(kind: Kind, args: Args, context: CallContext, *, moves: bool) -> dict[str, Any]:
    """Return the values of a call as a record has them; an empty text clears a field. Raises CannotDo."""
    named = {name: RENAMED[kind].get(name, name) for name in args if name not in SPECIAL_FIELDS}
    known = {name: field for name, field in named.items() if field in FIELD_TYPES[kind].model_fields}
    return {field: _value(kind, name, args, context, moves=moves) for name, field in known.items()}


def _value(kind: Kind, name: str, args: Args, context: CallContext, *, moves: bool) -> Any:
    value, words = args[name], args.get("when_words", "")
    if value == "":
        return None
    if (kind, name) == ("todo", "remind_at"):
        return read_instant(name, value, words, context.ask)
    if name in TIMES:
        said = "" if name == "end" else words
        return read_time(name, value, said, context.ask, moves=moves and name in MOVABLE_TIMES)
    return value


def create(kind: Kind, fields: Args, **values: Any) -> Proposal:
    """Return something new."""
    return Proposal(op="create", kind=kind, fields=_serialize_fields(fields), **{"reason": ASKED_REASON, **values})


def change(record: AnyRecord, fields: Args, op: Op = "update") -> Proposal:
    """Return what becomes of a record."""
    return Proposal(
        op=op, kind=kind_of(record), record_id=record.id, fields=_serialize_fields(fields), reason=ASKED_REASON
    )


def _serialize_fields(fields: Args) -> dict[str, Any]:
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in fields.items()}
