"""The smallest JSON that has the form which a program demands."""

from __future__ import annotations

from typing import Any

MAX_SCHEMA_DEPTH = 20
"""Levels of a schema that are followed."""
SMALLEST_VALUES: dict[str, Any] = {"array": [], "string": "", "boolean": False, "integer": 0, "number": 0}


def smallest_value(schema: Any, depth: int = 0) -> Any:
    """Return the smallest value that a JSON schema asks for."""
    if not isinstance(schema, dict) or depth > MAX_SCHEMA_DEPTH:
        return None
    if choices := schema.get("enum"):
        return choices[0] if isinstance(choices, list) else None
    kind = schema.get("type")
    if kind == "object" or "properties" in schema:
        parts, needed = schema.get("properties") or {}, schema.get("required") or []
        return {name: smallest_value(parts.get(name), depth + 1) for name in needed if isinstance(name, str)}
    return SMALLEST_VALUES.get(str(kind))


def demanded_schema(response_format: Any) -> dict[str, Any] | None:
    """Return the JSON schema that a response format demands, empty for any JSON; None where it is text."""
    if not isinstance(response_format, dict) or response_format.get("type", "text") == "text":
        return None
    named = response_format.get("json_schema")
    schema = named.get("schema") if isinstance(named, dict) else None
    return schema if isinstance(schema, dict) else {}
