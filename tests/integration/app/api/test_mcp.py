"""The official MCP client, over real HTTP and over standard input and output."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tests.support.servers.api import NewClient, problem
from tests.support.servers.live_server import ADMIN_KEY

READS = {"list_tasks", "free_time", "query_memory", "ask"}
ADDS = {"add_task", "schedule", "note", "index_memo"}
CHANGES = {"complete_task", "move_task", "say", "run_workflow", "undo"}
SUMMIT = "import sys; from app.cli import main; sys.exit(main(sys.argv[1:]))"


def key_of(user: httpx.Client) -> str:
    return user.headers["Authorization"].removeprefix("Bearer ")


@asynccontextmanager
async def over_http(user: httpx.Client) -> AsyncIterator[Client]:
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {key_of(user)}"}, timeout=30) as http:
        address = str(user.base_url.copy_with(path="/mcp"))
        async with Client(streamable_http_client(address, http_client=http)) as client:
            yield client


@asynccontextmanager
async def over_stdio(user: httpx.Client) -> AsyncIterator[Client]:
    environment = {"PATH": os.environ["PATH"], "SUMMIT_API_KEY": key_of(user)}
    arguments = ["-c", SUMMIT, "mcp", "--url", str(user.base_url)]
    program = StdioServerParameters(command=sys.executable, args=arguments, env=environment)
    async with Client(program) as client:
        yield client


def seen(user: httpx.Client, path: str) -> Any:
    return user.get(path).json()


def done(user: httpx.Client, path: str, **body: Any) -> Any:
    answer = user.post(path, json=body)
    assert answer.is_success, answer.text
    return answer.json()


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return dict(result.structured_content)


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return str(getattr(result.content[0], "text", ""))


@pytest.mark.parametrize("door", [over_http, over_stdio])
async def test_a_task_from_beginning_to_undo(alice: httpx.Client, door: Any) -> None:
    async with door(alice) as client:
        made = await call(client, "add_task", task="buy milk", deadline="2027-03-01", request_id="one")
        again = await call(client, "add_task", task="buy milk", deadline="2027-03-01", request_id="one")
        assert again == made
        [change] = made["changes"]
        [listed] = (await call(client, "list_tasks"))["items"]
        assert (listed["id"], listed["task"], listed["deadline"]) == (change["record_id"], "buy milk", "2027-03-01")
        moved = await call(client, "move_task", id=listed["id"], deadline="2027-03-05")
        assert moved["changes"][0]["op"] == "update"
        closed = await call(client, "complete_task", id=listed["id"])
        assert seen(alice, f"/v1/todos/{listed['id']}")["status"] == "done"
        await call(client, "undo", turn_id=closed["turn_id"])
        await call(client, "undo", change_id=moved["changes"][0]["id"])
        task = seen(alice, f"/v1/todos/{listed['id']}")
        assert (task["status"], task["deadline"]) == ("not started", "2027-03-01")
        done(alice, made["undo"])
        assert seen(alice, "/v1/todos")["items"] == []


async def test_what_is_offered_says_what_it_does(alice: httpx.Client) -> None:
    async with over_http(alice) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == READS | ADDS | CHANGES
        hints = {name: tool.annotations for name, tool in tools.items()}
        assert {name for name, hint in hints.items() if hint and hint.read_only_hint} == READS
        assert {name for name, hint in hints.items() if hint and hint.destructive_hint} == CHANGES
        assert {one.name for one in (await client.list_prompts()).prompts} == {
            "plan_my_day",
            "weekly_review",
            "ask_my_memory",
        }
        assert "summit://today" in str((await client.get_prompt("plan_my_day")).messages[0].content)
        assert {one.name for one in (await client.list_resource_templates()).resource_templates} == {"memo", "list"}


async def test_the_rest_of_the_tools(alice: httpx.Client) -> None:
    async with over_http(alice) as client:
        made = await call(client, "schedule", title="dentist", start="2027-03-01T10:00:00Z", end="2027-03-01T11:00:00Z")
        assert made["changes"][0]["kind"] == "event"
        free = await call(client, "free_time", start="2027-03-01T09:00:00Z", end="2027-03-01T12:00:00Z", minutes=60)
        assert [one["start"] for one in free["busy"]] == ["2027-03-01T10:00:00Z"]
        await call(client, "note", content="the wifi password of the cabin is tree house")
        assert (await call(client, "say", text="remind me to call mom tomorrow at 5"))["changes"][0]["kind"] == "todo"
        assert (await call(client, "ask", question="Who won the war of 1812?"))["found"] is False
        assert (await call(client, "query_memory", query="zebra"))["items"] == []
        listed = await client.read_resource("summit://list/groceries")
        assert json.loads(getattr(listed.contents[0], "text", ""))["items"] == []
        [today] = (await client.read_resource("summit://today")).contents
        assert json.loads(getattr(today, "text", ""))["events"] == []


async def test_what_has_to_be_asked_about_waits_for_a_yes_and_an_overlap_is_told(alice: httpx.Client) -> None:
    times = {"start": "2027-03-01T10:00:00Z", "end": "2027-03-01T11:00:00Z"}
    async with over_http(alice) as client:
        await call(client, "schedule", title="dentist", **times)
        both = await call(client, "schedule", title="hairdresser", **times)
        assert (both["status"], "It overlaps with “dentist”" in both["reply"]) == ("done", True)
        done(alice, "/v1/instructions", text="always ask me before adding tasks")
        held = await call(client, "add_task", task="buy milk")
        assert (held["status"], seen(alice, "/v1/todos")["items"]) == ("waiting", [])
        await call(client, "say", text="yes")
        assert [one["task"] for one in seen(alice, "/v1/todos")["items"]] == ["buy milk"]


async def test_a_memo_is_kept_once_and_taken_back(alice: httpx.Client) -> None:
    async with over_http(alice) as client:
        words = {"transcript": "The roofer wants 4,200 euros.", "request_id": "one"}
        made = await call(client, "index_memo", **words)
        assert (await call(client, "index_memo", **words))["memo_id"] == made["memo_id"]
        [memo] = seen(alice, "/v1/memos")["items"]
        assert (memo["id"], memo["title"]) == (made["memo_id"], made["title"])
        done(alice, made["undo"])
        assert seen(alice, "/v1/memos")["items"] == []
        assert "transcript" in await refused(client, "index_memo", transcript=" ")


async def test_what_is_wrong_is_said_and_nothing_happens(alice: httpx.Client) -> None:
    async with over_http(alice) as client:
        assert "task" in await refused(client, "add_task")
        assert "colour" in await refused(client, "add_task", task="x", colour="red")
        told = await refused(client, "add_task", task="x", deadline="soon")
        assert told.startswith("deadline: must be a day such as 2026-11-18, or an instant")
        assert told.endswith("+01:00")  # and no advice for another door
        assert await refused(client, "note", content=" ") == "a note needs a summary, content or items"
        assert "no id" in await refused(client, "complete_task", id="../users")
        assert "There is no such todo" in await refused(client, "complete_task", id="0" * 8)
        assert "either" in await refused(client, "undo")
        with pytest.raises(MCPError, match="no tool"):
            await client.call_tool("fly", {})
        with pytest.raises(MCPError, match="no resource"):
            await client.read_resource("summit://secrets")
    assert seen(alice, "/v1/changes")["items"] == []


async def test_each_key_sees_its_own_user_and_does_what_its_scopes_allow(
    alice: httpx.Client, bob: httpx.Client, client: NewClient
) -> None:
    task = done(alice, "/v1/todos", task="alice's secret")
    async with over_http(bob) as his:
        assert (await call(his, "list_tasks"))["items"] == []
        assert "no such todo" in await refused(his, "complete_task", id=task["id"])
    reader = client(done(alice, "/v1/keys", name="reader", scopes=["read"])["api_key"])
    async with over_http(reader) as reading:
        assert len((await call(reading, "list_tasks"))["items"]) == 1
        assert "scope write" in await refused(reading, "add_task", task="buy milk")


def test_nobody_speaks_without_a_key(alice: httpx.Client, client: NewClient) -> None:
    hello = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    problem(client().post("/mcp", json=hello), 401)
    problem(client("sk_summit_" + "x" * 43).post("/mcp", json=hello), 401)
    problem(client(ADMIN_KEY).post("/mcp", json=hello), 403)
    problem(alice.post("/mcp", json=hello, headers={"Origin": "https://evil.example"}), 403)
    problem(alice.get("/mcp"), 405)
