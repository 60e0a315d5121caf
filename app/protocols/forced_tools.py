"""Which tool of a client has to be called, in the forms in which clients force one: no person speaks like that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

FREE = frozenset({"auto", "none"})
ANY_TOOL_CHOICES = frozenset({"any", "required", "function", "tool"})
"""Says that a tool has to be called, and not which."""
LONGEST_NAME = 200
NO_TOOL = "none"

ToolForm = tuple[str, Any]
"""The name of a tool and the JSON schema of its arguments."""


def forced_tool(choice: Any, tools: Iterable[Any]) -> ToolForm | None:
    """Return the tool that has to be called; None where the assistant may choose. An unknown one takes no arguments."""
    wanted = wanted_tool(choice)
    if wanted is None:
        return None
    known = [form for tool in tools if (form := tool_form(tool))]
    found = next((form for form in known if wanted in ("", form[0])), (wanted or NO_TOOL, None))
    return found[0][:LONGEST_NAME], found[1]


def wanted_tool(choice: Any) -> str | None:
    """Return the name of the tool that a choice forces, "" for any tool, None where it forces none."""
    if isinstance(choice, Mapping):
        allowed = choice.get("allowed_tools")
        if isinstance(allowed, Mapping) or choice.get("type") == "allowed_tools":
            rules = allowed if isinstance(allowed, Mapping) else choice
            return None if rules.get("mode", "auto") in FREE else _name_in(next(iter(rules.get("tools") or []), None))
        return None if choice.get("type") in FREE else _name_in(choice)
    if choice is True:
        return ""
    if not isinstance(choice, str) or choice in FREE or not choice:
        return None
    return "" if choice in ANY_TOOL_CHOICES else choice


def tool_form(tool: Any) -> ToolForm | None:
    """Return name and schema of a tool as OpenAI, Anthropic or AG-UI describe it; None for what is none."""
    given = tool.get("function", tool) if isinstance(tool, Mapping) else vars(tool) if hasattr(tool, "name") else {}
    if not isinstance(given, Mapping) or not isinstance(given.get("name"), str):
        return None
    return given["name"], given.get("parameters") or given.get("input_schema")


def _name_in(choice: Any) -> str:
    named = choice.get("function", choice) if isinstance(choice, Mapping) else {}
    name = named.get("name") if isinstance(named, Mapping) else None
    return name if isinstance(name, str) else ""
