"""A run that forces a tool or JSON is a program's: it is answered in that form, and nothing acts."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from langgraph_sdk.client import SyncLangGraphClient

from tests.integration.app.protocols.test_langgraph import said, tasks
from tests.support.servers.api import problem

TOOL = {
    "type": "function",
    "function": {
        "name": "proposeReplies",
        "parameters": {"type": "object", "properties": {"replies": {"type": "array"}}, "required": ["replies"]},
    },
}
FORCED = {"tool_choice": {"type": "function", "function": {"name": "proposeReplies"}}, "tools": [TOOL]}
TITLED = {
    "type": "json_schema",
    "json_schema": {"schema": {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}},
}


@pytest.mark.parametrize("where", ["config", "input"])
def test_a_forced_tool_is_called_and_nothing_acts(
    sdk: SyncLangGraphClient, alice: httpx.Client, thread: str, where: str
) -> None:
    how: dict[str, Any] = {"input": said("buy twine")}
    how |= {"config": {"configurable": FORCED}} if where == "config" else {"input": {**said("buy twine"), **FORCED}}
    values: Any = sdk.runs.wait(thread, "summit", **how)
    call = values["messages"][-1]["tool_calls"][0]
    assert (call["name"], call["args"]) == ("proposeReplies", {"replies": []})
    modes: Any = ["values", "updates", "messages-tuple"]
    parts = list(sdk.runs.stream(thread, "summit", stream_mode=modes, **how))
    assert [part.event for part in parts] == ["metadata", "values", "messages", "updates", "values", "end"]
    assert parts[-2].data["messages"][-1]["tool_calls"][0]["args"] == {"replies": []}
    assert tasks(alice) == []
    assert sdk.threads.get_state(thread)["values"] == {"messages": []}


def test_demanded_json_is_given(sdk: SyncLangGraphClient, alice: httpx.Client) -> None:
    config: Any = {"configurable": {"response_format": TITLED}}
    values: Any = sdk.runs.wait(None, "summit", input=said("buy twine for the shed and the fence"), config=config)
    assert json.loads(values["messages"][-1]["content"]) == {"title": "Buy twine for the shed"}
    assert tasks(alice) == []


def test_a_free_choice_is_a_person(sdk: SyncLangGraphClient, alice: httpx.Client, thread: str) -> None:
    config: Any = {"configurable": {"tool_choice": "auto", "tools": [TOOL]}}
    sdk.runs.wait(thread, "summit", input=said("buy twine"), config=config)
    assert tasks(alice) == ["buy twine"]


def test_in_the_background_there_is_nothing_to_run(alice: httpx.Client, thread: str) -> None:
    body = {"assistant_id": "summit", "input": said("buy twine"), "config": {"configurable": FORCED}}
    assert "tool_choice" in problem(alice.post(f"/lg/threads/{thread}/runs", json=body), 422)["detail"]
    assert tasks(alice) == []
