"""How parallel branches and successive turns come together."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import AnyMessage, HumanMessage
from langgraph.graph.message import add_messages

from agents.contract import WORKERS, AgentReport

WINDOW_TURNS = 20
"""Turns whose messages stay in the state; the full history has a table of its own."""


def merge_reports(left: list[AgentReport], right: list[AgentReport]) -> list[AgentReport]:
    """One report per worker, in the workers' fixed order: the reply does not depend on who finished first."""
    newest = {report.worker: report for report in [*(left or []), *(right or [])]}
    return sorted(newest.values(), key=lambda report: WORKERS.index(report.worker))


def window(left: list[AnyMessage], right: Any) -> list[AnyMessage]:
    """Add messages by id and keep the last turns whole, so that a thread's cost stays flat."""
    merged = add_messages(left or [], right)
    messages: list[AnyMessage] = list(merged) if isinstance(merged, list) else [merged]  # type: ignore[list-item]
    starts = [index for index, message in enumerate(messages) if isinstance(message, HumanMessage)]
    return messages[starts[-WINDOW_TURNS] :] if len(starts) > WINDOW_TURNS else messages
