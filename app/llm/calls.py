"""A model's tool calls as acts: each is read alone, and one that cannot be read takes no other with it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any
from uuid import uuid4

from langchain_core.messages import ToolCall
from pydantic import ValidationError

from agents.ledger.batch import storable_json
from app.llm.requests import Act, ActOp, Extraction

PATCH, REMOVE, SAY, PLAN = "PatchDoc", "RemoveDoc", "Say", "Plan"
LONGEST_ARGUMENTS = 40_000
"""Characters of one call: twice what a whole message may have."""
PATCH_OPS = ("add", "remove", "replace")
BESIDE: dict[str, ActOp] = {SAY: "say", PLAN: "plan"}
_ID = {"type": "string"}
PATCH_TOOL = {
    "type": "function",
    "function": {
        "name": PATCH,
        "description": "Change one.",
        "parameters": {
            "type": "object",
            "properties": {"json_doc_id": _ID, "set": {"type": "object"}, "add": {"type": "object"}},
            "required": ["json_doc_id"],
        },
    },
}
"""Trustcall's tool in 60 tokens: its own, with JSON patches and how to plan them, takes 1,100."""
REMOVE_TOOL = {
    "type": "function",
    "function": {
        "name": REMOVE,
        "description": "Delete one.",
        "parameters": {"type": "object", "properties": {"json_doc_id": _ID}, "required": ["json_doc_id"]},
    },
}


def acts_of(calls: Sequence[ToolCall], patched: Mapping[str, dict[str, Any]], request: Extraction) -> list[Act]:
    """What each call wants; ``patched`` are records as Trustcall patched them, by the call's id."""
    return [_act(call, patched.get(str(call["id"])), request) for call in calls]


def identified(calls: Sequence[Mapping[str, Any]]) -> list[ToolCall]:
    """Calls with ids of their own, and nothing in them that cannot be stored: some servers give all the same id."""
    return [
        ToolCall(name=call["name"], args=storable_json(call["args"]), id=uuid4().hex, type="tool_call")
        for call in calls
    ]


def violations(calls: Sequence[ToolCall], request: Extraction) -> list[ToolCall]:
    """The calls whose arguments do not fit the form that they fill in."""
    return [call for call in calls if call["name"] in request.forms and not fits(call, request)]


def fits(call: ToolCall, request: Extraction) -> bool:
    """Whether a call's arguments fit its form."""
    try:
        request.forms[call["name"]].model_validate(call["args"])
    except ValidationError:
        return False
    return True


def patchable(calls: Sequence[ToolCall], existing: Mapping[str, Mapping[str, Any]]) -> list[ToolCall]:
    """The patches that Trustcall can take, as JSON patches: one that it cannot take would lose it all the others.

    Only what adds, removes or replaces: a few copies of a record into itself would fill the memory.
    """
    return [fit for call in calls if call["name"] == PATCH and (fit := _fitted(call, existing))]


def _fitted(call: ToolCall, existing: Mapping[str, Mapping[str, Any]]) -> ToolCall | None:
    args = call["args"]
    known = existing.get(str(args.get("json_doc_id")), {})
    patches = args.get("patches") or []
    with suppress(ValueError):
        patches = json.loads(patches) if isinstance(patches, str) else patches
    if "json_doc_id" not in args or not isinstance(patches, list) or not all(map(_simple, patches)):
        return None
    lean = [*_setting(args.get("set"), known), *_adding(args.get("add"), known)]
    told = [*lean, *_placed(patches, known)]
    return {**call, "args": {"json_doc_id": args["json_doc_id"], "planned_edits": "", "patches": told}}


def _setting(fields: Any, known: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Fields with their new values; one that is cleared goes."""
    for name, value in fields.items() if isinstance(fields, dict) else ():
        if value is not None:
            yield {"op": "add", "path": _pointer(name), "value": value}
        elif name in known:
            yield {"op": "remove", "path": _pointer(name)}


def _adding(fields: Any, known: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Entries at the end of a list, or a list of them where there is none yet."""
    for name, value in fields.items() if isinstance(fields, dict) else ():
        entries = value if isinstance(value, list) else [value]
        if isinstance(known.get(name), list):
            yield from ({"op": "add", "path": f"{_pointer(name)}/-", "value": entry} for entry in entries)
        else:
            yield {"op": "add", "path": _pointer(name), "value": entries}


def _pointer(name: str) -> str:
    return "/" + name.replace("~", "~0").replace("/", "~1")


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
    given = {name: value for name, value in call["args"].items() if value is not None}
    if name == request.tool.__name__:
        return Act("create", fields=given)
    if name in BESIDE and name in request.forms and given:
        return Act(BESIDE[name], fields=given)
    return Act("garbled")


def _update(known: str, said: dict[str, Any], before: Mapping[str, Any]) -> Act:
    fields = {name: said.get(name) for name in {*before, *said} if said.get(name) != before.get(name)}
    return Act("update", known, fields) if fields else Act("garbled")
