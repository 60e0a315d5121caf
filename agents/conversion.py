"""What an item keeps that becomes one of another kind: all that both kinds can say."""

from __future__ import annotations

from typing import Any

from agents.fields import FIELDS
from agents.records import FIELD_TYPES, AnyRecord, Event, Kind

CARRIED = frozenset(name for name, field in FIELDS.items() if field.is_carried)


def carried_over(record: AnyRecord, kind: Kind) -> dict[str, Any]:
    """The fields, in JSON form, that the new item takes over.

    An event's start is when its task is due. A task that is due at a clock time begins then as an event; one that is
    due on a day is no whole day's event, so that its time has to be asked for.
    """
    said = record.model_dump(mode="json")
    if isinstance(record, Event):
        said["deadline"] = said["start"]
    due = said.get("deadline") or ""
    begins = {"start": due} if kind == "event" and "T" in due else {}
    return begins | {name: said[name] for name in CARRIED if name in FIELD_TYPES[kind].model_fields and said.get(name)}
