"""A run of a program: it forces a tool or demands JSON. It is answered in that form, is no turn, and never acts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from app.protocols.forced_tools import forced_tool
from app.protocols.json_forms import demanded_schema
from app.protocols.langgraph.shapes import METADATA, NODE, RunRequest, ai, ai_id, human, last_human
from app.protocols.langgraph.streaming import frame
from app.protocols.openai.program_prompts import ProgramAnswer, demanded_answer, title_of


def forced_answer(asked: RunRequest) -> ProgramAnswer | None:
    """Return what a program is answered; None for a person."""
    given = {**asked.config_values, **(asked.input or {})}
    tools = given.get("tools")
    tool = forced_tool(given.get("tool_choice") or given.get("toolChoice"), tools if isinstance(tools, list) else [])
    schema = demanded_schema(given.get("response_format"))
    if tool is None and schema is None:
        return None
    words, _ = last_human(asked.input or {})
    return demanded_answer(tool, schema, words, title_of(words))


def forced_values(asked: RunRequest, answer: ProgramAnswer, run_id: UUID) -> dict[str, Any]:
    """Return the values that such a run ends with: what was asked, and the answer."""
    words, named = last_human(asked.input or {})
    return {"messages": [human(run_id, words, named), _reply(answer, run_id)]}


def forced_frames(asked: RunRequest, answer: ProgramAnswer, run_id: UUID) -> Iterator[bytes]:
    """Yield such a run as a stream."""
    values = forced_values(asked, answer, run_id)
    question, reply = values["messages"]
    told = [
        ("values", "values", {"messages": [question]}),
        ("messages-tuple", "messages", [{**reply, "type": "AIMessageChunk"}, {**METADATA, "langgraph_node": NODE}]),
        ("updates", "updates", {NODE: {"messages": [reply]}}),
        ("values", "values", values),
    ]
    yield frame("metadata", {"run_id": str(run_id), "attempt": 1})
    yield from (frame(name, data) for mode, name, data in told if mode in asked.stream_mode)
    yield frame("end", None)


def _reply(answer: ProgramAnswer, run_id: UUID) -> dict[str, Any]:
    if not answer.tool:
        return ai(run_id, answer.text)
    args = json.loads(answer.text) or {}
    call = {"name": answer.tool, "args": args, "id": ai_id(run_id), "type": "tool_call"}
    return {**ai(run_id, ""), "tool_calls": [call]}
