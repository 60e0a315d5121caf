"""Plans, and answers with several calls, as a scripted model gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.models.model.thinking import Thought, ToolCall

Plan = dict[str, Any]


def plan(title: str, intents: Sequence[str], *, priority: int = 3, tool: str = "") -> Plan:
    return {"title": title, "priority": priority, "steps": [{"intent": one, "tool": tool} for one in intents]}


def planned(*candidates: Plan) -> Thought:
    return Thought("", [ToolCall("make_plan", {"candidates": list(candidates)})])


def several(*calls: tuple[str, Mapping[str, Any]]) -> Thought:
    return Thought("", [ToolCall(name, arguments) for name, arguments in calls])
