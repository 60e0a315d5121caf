"""How parallel branches and successive turns come together."""

from __future__ import annotations

from typing import Any, cast

from langchain_core.messages import AnyMessage, HumanMessage
from langgraph.graph.message import Messages, add_messages

from agents.contract import WORKERS, AgentReport

WINDOW_TURNS = 6
"""Turns whose messages stay in the state, this one and the five before it, as far as "it" may point back; each is read
and written in every turn. The full history has a table of its own."""


def merge_reports(left: list[AgentReport], right: list[AgentReport]) -> list[AgentReport]:
    """One report per worker, in the workers' fixed order: the reply does not depend on who finished first."""
    newest = {report.worker: report for report in [*(left or []), *(right or [])]}
    return sorted(newest.values(), key=lambda report: WORKERS.index(report.worker))


def window(left: list[AnyMessage], right: Any) -> list[AnyMessage]:
    """Add messages by id and keep the last turns whole, so that a thread's cost stays flat."""
    messages = cast("list[AnyMessage]", add_messages(cast("Messages", left or []), right))
    starts = [index for index, message in enumerate(messages) if isinstance(message, HumanMessage)]
    return messages[starts[-WINDOW_TURNS] :] if len(starts) > WINDOW_TURNS else messages
