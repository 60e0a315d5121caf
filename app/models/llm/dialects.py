"""How a server of models is asked for calls: by tools, by a JSON schema, or in words; what works is remembered."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

Dialect = Literal["tools", "offered tools", "strict schema", "schema", "words"]
DIALECT_LADDER: tuple[Dialect, ...] = ("tools", "offered tools", "strict schema", "schema", "words")
"""Each for servers that do not know the one before: a call required or allowed, JSON as a format or as asked for."""
TALKING_DIALECT: Dialect = "offered tools"
"""How a conversation is begun: a model may talk instead of calling."""
BY_TOOLS: frozenset[Dialect] = frozenset(("tools", "offered tools"))
IN_JSON = "\n\nNo tool can be called here. Answer with one JSON object by this schema, and nothing else:\n"


def request_in(
    dialect: Dialect, messages: Sequence[BaseMessage], tools: Sequence[Mapping[str, Any]], *, talks: bool
) -> tuple[list[BaseMessage], dict[str, Any]]:
    """Return messages as a dialect has them, and what goes with them; a model that ``talks`` may say words as well.

    Without tools the schema is at the end of the prompt, too: a server may keep it from the model.
    """
    if dialect in BY_TOOLS:
        several = {"parallel_tool_calls": True} if talks else {}
        return [*messages], {"tools": [*tools], "tool_choice": "required" if dialect == "tools" else "auto", **several}
    schema = schema_of(tools, talks=talks)
    first, *rest = messages
    told = f"{first.text}{IN_JSON}{json.dumps(schema, separators=(',', ':'))}"
    prompt = [SystemMessage(told), *map(_in_words, rest)]
    if dialect == "words":
        return prompt, {}
    form = {"schema": _strict(schema), "strict": True} if dialect == "strict schema" else {"schema": schema}
    return prompt, {"response_format": {"type": "json_schema", "json_schema": {"name": "calls", **form}}}


def _in_words(message: BaseMessage) -> BaseMessage:
    """Return a message without calls of tools: they and what came of them are told as JSON."""
    if isinstance(message, ToolMessage):
        return HumanMessage(f"Result: {message.text}")
    if isinstance(message, AIMessage) and message.tool_calls:
        calls = [{"name": call["name"], "arguments": call["args"]} for call in message.tool_calls]
        return AIMessage(json.dumps({"reply": message.text, "calls": calls}, ensure_ascii=False))
    return message


def schema_of(tools: Sequence[Mapping[str, Any]], *, talks: bool) -> dict[str, Any]:
    """The schema of an answer: a lone tool's arguments, or any number of calls, with words where the model talks."""
    named = [tool["function"] for tool in tools]
    if len(named) == 1:
        return dict(named[0]["parameters"])
    calls = [
        _object({"name": {"type": "string", "enum": [tool["name"]]}, "arguments": tool["parameters"]}) for tool in named
    ]
    parts = {"calls": {"type": "array", "items": {"anyOf": calls}}}
    return _object({"reply": {"type": "string"}, **parts} if talks else parts)


def _object(parts: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": parts, "required": [*parts]}


def _strict(schema: Any) -> Any:
    """The schema as servers want it that keep to it strictly: nothing beside it, and what may be missing is null."""
    if isinstance(schema, list):
        return [_strict(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    told = {name: _strict(value) for name, value in schema.items()}
    if not isinstance(schema.get("properties"), dict):
        return told
    needed = schema.get("required", [])
    parts = {
        name: part if name in needed else {"anyOf": [part, {"type": "null"}]}
        for name, part in told["properties"].items()
    }
    return {**told, "properties": parts, "required": [*parts], "additionalProperties": False}
