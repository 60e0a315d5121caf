"""A model's calls as calls of the tools that there are: names and fields mended where it is plain what is meant.

In a stream they come in pieces: servers number them, name them by ids, or send each whole under one number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from langchain_core.messages import AIMessageChunk
from pydantic import ValidationError

from agents.ledger.batch import storable_json
from app.models.llm.requests import Call
from app.models.llm.tools import FORMS
from app.models.llm.written_calls import LONGEST_ARGUMENTS, Called, arguments_of, unique

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


@dataclass
class _Piece:
    """One call as far as it came."""

    index: Any
    known: str
    name: str
    text: str

    def goes_on_in(self, piece: _Piece) -> bool:
        """Whether a piece belongs to this call and begins no other."""
        other = piece.known and self.known and piece.known != self.known
        return not (other or (piece.name and isinstance(arguments_of(self.text), dict)))

    def add(self, piece: _Piece) -> None:
        """Put a piece behind this one; some servers say the name with each."""
        self.known, self.text = self.known or piece.known, self.text + piece.text
        self.name += "" if piece.name == self.name else piece.name


def calls_in(chunks: Iterable[AIMessageChunk]) -> tuple[list[Called], list[str]]:
    """Return the calls of a stream, and the names of those that cannot be read, as one that was cut off."""
    pieces: list[_Piece] = []
    for part in (part for chunk in chunks for part in chunk.tool_call_chunks):
        new = _Piece(part.get("index"), part.get("id") or "", part.get("name") or "", str(part.get("args") or ""))
        last = next((one for one in reversed(pieces) if new.index is None or one.index == new.index), None)
        if last and last.goes_on_in(new):
            last.add(new)
        else:
            pieces.append(new)
    calls, unreadable = list[Called](), list[str]()
    for piece in pieces:
        args = arguments_of(piece.text or "{}") if len(piece.text) <= LONGEST_ARGUMENTS else None
        if piece.name and isinstance(args, dict):
            calls.append({"name": piece.name, "args": args})
        else:
            unreadable.append(piece.name)
    return calls, unreadable


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
    return [validate_call(one["name"], _normalize_arguments(one["name"], one["args"])) for one in unique(known)]


def validate_call(name: str, args: dict[str, Any]) -> Call:
    """Return a call with its faults; what is null is not said."""
    said = {field: value for field, value in args.items() if value is not None}
    try:
        read = FORMS[name].model_validate(said)
    except ValidationError as error:
        told = [
            (".".join(map(str, one["loc"])), one["msg"].removeprefix("Value error, ")) for one in error.errors()[:5]
        ]
        return Call(name, said, "; ".join(f"{place}: {what}" for place, what in told))  # without the values
    return Call(name, read.model_dump(include={*FORMS[name].model_fields}, exclude_none=True))


def _normalize_arguments(name: str, args: dict[str, Any]) -> dict[str, Any]:
    fields = FORMS[name].model_fields
    lower = {HUMP.sub("_", key).lower(): value for key, value in args.items()}
    for field in fields:
        others = [one for one in FIELD_ALIASES.get(field, ()) if one in lower and one not in fields]
        if others and lower.get(field) is None:
            lower[field] = lower.pop(others[0])
    return lower
