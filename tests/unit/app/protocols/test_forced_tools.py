"""Which tool a client forces, whatever form its library gives the wish."""

from __future__ import annotations

from typing import Any

import pytest

from app.protocols.forced_tools import forced_tool

SCHEMA = {"type": "object", "properties": {"x": {"type": "array"}}, "required": ["x"]}
TOOLS: list[Any] = [
    {"type": "function", "function": {"name": "first", "parameters": SCHEMA}},
    {"name": "second", "input_schema": SCHEMA},
    {"type": "function", "name": "third", "parameters": SCHEMA},
    "no tool",
]


@pytest.mark.parametrize(
    "choice",
    [None, "auto", "none", "", False, {"type": "auto"}, {"type": "none"}, {"type": "allowed_tools", "mode": "auto"}, 7],
)
def test_where_the_assistant_may_choose_nothing_is_forced(choice: object) -> None:
    assert forced_tool(choice, TOOLS) is None


@pytest.mark.parametrize(
    ("choice", "name"),
    [
        ("required", "first"),
        ("any", "first"),
        (True, "first"),
        ({"type": "any"}, "first"),
        ({"type": "function", "function": {"name": "second"}}, "second"),
        ({"type": "tool", "name": "third"}, "third"),
        ({"type": "function", "name": "second"}, "second"),
        ("third", "third"),
        ({"function": {"name": "second"}}, "second"),
        ({"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "third"}]}, "third"),
        ({"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": [{"name": "second"}]}}, "second"),
    ],
)
def test_a_forced_tool_is_found_with_its_form(choice: object, name: str) -> None:
    assert forced_tool(choice, TOOLS) == (name, SCHEMA)


def test_one_that_nobody_described_is_called_without_arguments() -> None:
    assert forced_tool("unheard", TOOLS) == ("unheard", None)
    assert forced_tool("required", []) == ("none", None)
    assert forced_tool("t" * 500, TOOLS) == ("t" * 200, None)
