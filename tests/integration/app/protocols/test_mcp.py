"""The official MCP client, over real HTTP and over standard input and output."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime, timedelta

import httpx
import pytest
from mcp import MCPError

from tests.support.servers.api import NewClient, problem
from tests.support.servers.live_server import ADMIN_KEY
from tests.support.servers.tools import call, done, live_through_a_task, over_http, refused, seen

READS = {"list_tasks", "free_time", "query_memory", "ask"}
ADDS = {"add_task", "schedule", "note", "index_memo"}
CHANGES = {"complete_task", "move_task", "say", "run_workflow", "undo"}


async def test_a_task_from_beginning_to_undo(alice: httpx.Client) -> None:
    async with over_http(alice) as client:
        await live_through_a_task(client, alice)


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


@pytest.mark.parametrize(("zone", "utc"), [("Europe/Lisbon", "10:00"), ("Asia/Kolkata", "04:30")])
async def test_a_time_without_an_offset_is_the_users_own(alice: httpx.Client, zone: str, utc: str) -> None:
    await asyncio.to_thread(alice.patch, "/v1/settings", json={"timezone": zone})
    async with over_http(alice) as client:
        made = await call(client, "schedule", title="fitting", start="2027-01-11T10:00", end="2027-01-11 10:45:00")
        event = (await asyncio.to_thread(alice.get, f"/v1/events/{made['changes'][0]['record_id']}")).json()
        assert datetime.fromisoformat(event["start"]) == datetime.fromisoformat(f"2027-01-11T{utc}+00:00")
        assert datetime.fromisoformat(event["end"]) - datetime.fromisoformat(event["start"]) == timedelta(minutes=45)
        busy = await call(client, "free_time", start="2027-01-11T09:00:00", end="2027-01-11T12:00:00")
        assert len(busy["busy"]) == 1
        task = await call(client, "add_task", task="hem the curtains", deadline="2027-01-12")
        kept = (await asyncio.to_thread(alice.get, f"/v1/todos/{task['changes'][0]['record_id']}")).json()
        assert kept["deadline"] == "2027-01-12"


async def test_what_has_to_be_asked_about_waits_for_a_yes_and_an_overlap_is_told(alice: httpx.Client) -> None:
    times = {"start": "2027-03-01T10:00:00Z", "end": "2027-03-01T11:00:00Z"}
    async with over_http(alice) as client:
        await call(client, "schedule", title="dentist", **times)
        both = await call(client, "schedule", title="hairdresser", **times)
        assert (both["status"], "That overlaps “dentist”" in both["reply"]) == ("done", True)
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
