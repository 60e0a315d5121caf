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


def options_of(dialect: Dialect, tools: Sequence[Mapping[str, Any]], *, talks: bool = False) -> dict[str, Any]:
    """What a request has beside its messages; an answer by schema has a reply where the model ``talks`` as well."""
    if dialect == "words":
        return {}
    if dialect in BY_TOOLS:
        several = {"parallel_tool_calls": True} if talks else {}
        return {"tools": [*tools], "tool_choice": "required" if dialect == "tools" else "auto", **several}
    strict = dialect == "strict schema"
    schema = schema_of(tools, talks=talks)
    schema = _strict(schema) if strict else schema
    return {
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "calls", "schema": schema, **({"strict": True} if strict else {})},
        }
    }


def prompt_in(
    dialect: Dialect, messages: Sequence[BaseMessage], tools: Sequence[Mapping[str, Any]], *, talks: bool = False
) -> list[BaseMessage]:
    """The messages; without tools with the schema at the end of the prompt: a server may keep it from the model."""
    if dialect in BY_TOOLS:
        return [*messages]
    first, *rest = messages
    schema = json.dumps(schema_of(tools, talks=talks), separators=(",", ":"))
    return [SystemMessage(f"{first.text}{IN_JSON}{schema}"), *map(_in_words, rest)]


def _in_words(message: BaseMessage) -> BaseMessage:
    """Return a message without calls of tools: they and what came of them are told as JSON."""
    if isinstance(message, ToolMessage):
        return HumanMessage(f"Result: {message.text}")
    if isinstance(message, AIMessage) and message.tool_calls:
        calls = [{"name": call["name"], "arguments": call["args"]} for call in message.tool_calls]
        return AIMessage(json.dumps({"reply": message.text, "calls": calls}, ensure_ascii=False))
    return message


def schema_of(tools: Sequence[Mapping[str, Any]], *, talks: bool = False) -> dict[str, Any]:
    """The schema of an answer: a lone tool's arguments, or any number of calls, with words where the model talks."""
    named = [tool["function"] for tool in tools]
    if len(named) == 1:
        return dict(named[0]["parameters"])
    calls = {"type": "array", "items": {"anyOf": [_call(tool) for tool in named]}}
    if talks:
        parts = {"reply": {"type": "string"}, "calls": calls}
        return {"type": "object", "properties": parts, "required": ["reply", "calls"]}
    return {"type": "object", "properties": {"calls": calls}, "required": ["calls"]}


def _call(tool: Mapping[str, Any]) -> dict[str, Any]:
    name = {"type": "string", "enum": [tool["name"]]}
    properties = {"name": name, "arguments": tool["parameters"]}
    return {"type": "object", "properties": properties, "required": ["name", "arguments"]}


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
