"""Summit's tools for language models (MCP), as tests call them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.support.servers.live import key_of
from tests.support.waiting import HANG_SECONDS


@asynccontextmanager
async def over_http(user: httpx.Client) -> AsyncIterator[Client]:
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {key_of(user)}"}, timeout=HANG_SECONDS) as http:
        address = str(user.base_url.copy_with(path="/mcp"))
        async with Client(streamable_http_client(address, http_client=http)) as client:
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


async def live_through_a_task(client: Client, user: httpx.Client) -> None:
    """Add, move, finish and undo a task, and check each step from the other side."""
    made = await call(client, "add_task", task="buy milk", deadline="2027-03-01", request_id="one")
    again = await call(client, "add_task", task="buy milk", deadline="2027-03-01", request_id="one")
    assert again == made
    [change] = made["changes"]
    [listed] = (await call(client, "list_tasks"))["items"]
    assert (listed["id"], listed["task"], listed["deadline"]) == (change["record_id"], "buy milk", "2027-03-01")
    moved = await call(client, "move_task", id=listed["id"], deadline="2027-03-05")
    assert moved["changes"][0]["op"] == "update"
    closed = await call(client, "complete_task", id=listed["id"])
    assert seen(user, f"/v1/todos/{listed['id']}")["status"] == "done"
    await call(client, "undo", turn_id=closed["turn_id"])
    await call(client, "undo", change_id=moved["changes"][0]["id"])
    task = seen(user, f"/v1/todos/{listed['id']}")
    assert (task["status"], task["deadline"]) == ("not started", "2027-03-01")
    done(user, made["undo"])
    assert seen(user, "/v1/todos")["items"] == []
