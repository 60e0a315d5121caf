"""A model's tool calls as acts: each is read alone, and one that cannot be read takes no other with it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from langchain_core.messages import AIMessage, ToolCall
from pydantic import BaseModel, Field

from app.llm.requests import Act, Extraction

PATCH = "PatchDoc"
REMOVE = "RemoveDoc"
LONGEST_ARGUMENTS = 40_000
"""Characters of one call: twice what a whole message may have."""
PATCH_OPS = ("add", "remove", "replace")


class RemoveDoc(BaseModel):
    """Use this tool to remove (delete) an existing instance by its id."""

    json_doc_id: str = Field(description="The id of the instance to remove.")


def acts_of(reply: AIMessage, patched: Mapping[str, dict[str, Any]], request: Extraction) -> list[Act]:
    """What each call of a reply wants; ``patched`` are records as Trustcall patched them, by the call's id."""
    acts = [_act(call, patched.get(str(call["id"])), request) for call in reply.tool_calls]
    return acts + [Act("garbled") for _ in reply.invalid_tool_calls]


def patchable(calls: Sequence[ToolCall], existing: Mapping[str, Mapping[str, Any]]) -> list[ToolCall]:
    """The calls that Trustcall can take: one patch without an id, or for no place in it, would lose it all the others.

    Only what adds, removes or replaces: a few copies of a record into itself would fill the memory.
    """
    return [fit for call in calls if (fit := _fitted(call, existing))]


def _fitted(call: ToolCall, existing: Mapping[str, Mapping[str, Any]]) -> ToolCall | None:
    if call["name"] != PATCH:
        return call
    patches = call["args"].get("patches")
    with suppress(ValueError):
        patches = json.loads(patches) if isinstance(patches, str) else patches
    if "json_doc_id" not in call["args"] or not isinstance(patches, list) or not all(map(_simple, patches)):
        return None
    known = existing.get(str(call["args"]["json_doc_id"]), {})
    return {**call, "args": {**call["args"], "patches": list(_placed(patches, known))}}


def _placed(patches: Sequence[dict[str, Any]], known: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Patches whose place is there: models replace what a record has not yet, or add to a list that it has not."""
    there = set(known)
    for patch in patches:
        name, _, entry = str(patch["path"])[1:].partition("/")
        value = patch.get("value")
        if name in there:
            yield patch
        elif patch["op"] != "remove":
            there.add(name)
            several = [value] if entry in ("-", "0") else {entry: value}
            yield {"op": "add", "path": f"/{name}", "value": several if entry else value}


def readable(arguments: Any) -> str:
    """The arguments of a call as a server sent them, as text; what is no object becomes what is no JSON.

    langchain would take a list or a number for arguments, and then refuse the whole reply for it.
    """
    if isinstance(arguments, dict):
        return json.dumps(arguments)
    text = str(arguments or "")
    if len(text) > LONGEST_ARGUMENTS:
        return "too long"
    return text if not text.strip() or text.lstrip().startswith("{") else "no object"


def _simple(patch: Any) -> bool:
    return isinstance(patch, dict) and patch.get("op") in PATCH_OPS and str(patch.get("path")).startswith("/")


def _act(call: ToolCall, patched: dict[str, Any] | None, request: Extraction) -> Act:
    name, named = call["name"], str(call["args"].get("json_doc_id", ""))
    if name == REMOVE and named and request.deletes:
        return Act("delete", named)
    if name == PATCH and named and named not in request.existing:
        return Act("update", named)
    if patched is not None:
        return _update(named, patched, request.existing[named])
    if name == request.tool.__name__:
        return Act("create", fields={name: value for name, value in call["args"].items() if value is not None})
    return Act("garbled")


def _update(known: str, said: dict[str, Any], before: Mapping[str, Any]) -> Act:
    fields = {name: said.get(name) for name in {*before, *said} if said.get(name) != before.get(name)}
    return Act("update", known, fields) if fields else Act("garbled")
