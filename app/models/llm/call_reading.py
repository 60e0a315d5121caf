"""A model's calls as calls of the tools that there are: names and fields mended where it is plain what is meant."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError

from agents.ledger.batch import storable_json
from app.models.llm.requests import Call
from app.models.llm.tools import FORMS, Form
from app.models.llm.written_calls import Called, arguments_of, unique_calls

MIN_NAME_SIMILARITY = 0.8
PREFIX = re.compile(r"^(?:.*[.:/])?")
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
FIELD_ALIASES: Mapping[str, tuple[str, ...]] = {
    "title": ("task", "name", "summary", "subject", "event", "text"),
    "due": ("deadline", "due_date", "date", "when"),
    "start": ("when", "start_time", "date", "begin"),
    "end": ("end_time",),
    "remind_at": ("reminder", "remind", "time", "when"),
    "id": ("task_id", "event_id", "note_id", "list_id", "record_id", "wish_id", "json_doc_id"),
    "ids": ("id", "record_ids", "task_ids"),
    "change_ids": ("ids", "id", "changes", "change_id"),
    "add": ("items", "lines"),
    "items": ("lines",),
    "steps": ("subtasks", "solutions"),
    "text": ("content", "wish", "instruction"),
    "question": ("query", "q"),
    "goal": ("task", "query"),
    "repeat": ("recurrence", "rrule"),
    "answer": ("value", "response", "reply"),
    "minutes": ("duration", "time_to_complete"),
}
"""Names that models give to fields of ours, where a form has no field of that name itself."""


def tool_of(said: str) -> str | None:
    """Return the tool that a name stands for; None where it stands for none."""
    bare = HUMP.sub("_", PREFIX.sub("", said.strip())).replace("-", "_").replace(" ", "_").lower()
    if bare in FORMS:
        return bare
    return next(iter(get_close_matches(bare, FORMS, n=1, cutoff=MIN_NAME_SIMILARITY)), None)


def is_tool(said: str) -> bool:
    """Return whether a name stands for a tool."""
    return tool_of(said) is not None


def calls_of(said: Sequence[Called]) -> list[Call]:
    """Return the calls that can be told, each once; one that does not fit its form says why."""
    named = [(tool_of(str(one["name"])), arguments_of(one["args"])) for one in said]
    known = [{"name": name, "args": storable_json(args)} for name, args in named if name and isinstance(args, dict)]
    return [validate_call(one["name"], _normalize_arguments(one["name"], one["args"])) for one in unique_calls(known)]


def validate_call(name: str, args: dict[str, Any]) -> Call:
    """Return a call with its faults; what is null is not said."""
    said = {field: value for field, value in args.items() if value is not None}
    try:
        read = FORMS[name].model_validate(said)
    except ValidationError as error:
        return Call(name, said, _describe_errors(error))
    return Call(name, read.model_dump(include={*FORMS[name].model_fields}, exclude_none=True))


def _describe_errors(error: ValidationError) -> str:
    """Return what is wrong with arguments, without their values."""
    parts = [f"{'.'.join(map(str, one['loc']))}: {one['msg'].removeprefix('Value error, ')}" for one in error.errors()]
    return "; ".join(parts[:5])


def _normalize_arguments(name: str, args: dict[str, Any]) -> dict[str, Any]:
    form: type[Form] = FORMS[name]
    lower = {HUMP.sub("_", key).lower(): value for key, value in args.items()}
    for field in form.model_fields:
        if lower.get(field) is None:
            other = next(
                (one for one in FIELD_ALIASES.get(field, ()) if one in lower and one not in form.model_fields), None
            )
            if other:
                lower[field] = lower.pop(other)
    return lower
