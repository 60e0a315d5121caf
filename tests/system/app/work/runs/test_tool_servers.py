"""Servers of the Model Context Protocol: real ones, over their standard input and over HTTP."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from app.errors import InvalidInput
from app.work.runs.model.tool_servers import ServedTool, ServerFailed
from app.work.runs.tool_servers import NamedServers
from tests.support.waiting import HANG_SECONDS, wait_until

ROOT = Path(__file__).parents[5]
SHOP = "tests.support.peers.shop"
ANNA = uuid4()


def shop(**more: Any) -> dict[str, Any]:
    program = {"command": sys.executable, "args": ["-m", SHOP], "cwd": str(ROOT), "env": {"BUYER": "Anna"}}
    return {**program, "tools": ["*"], "reads": ["get_*"], **more}


def named(folder: Path, seconds: float = HANG_SECONDS, **servers: Any) -> NamedServers:
    file = folder / "servers.json"
    file.write_text(json.dumps({"mcpServers": servers}))
    return NamedServers(file, seconds=seconds)


@pytest.fixture
def address() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen([sys.executable, "-m", SHOP, str(port)], cwd=ROOT, stderr=subprocess.DEVNULL) as program:
        wait_until(lambda: listens(port))
        yield f"http://127.0.0.1:{port}/mcp"
        program.terminate()


def listens(port: int) -> bool:
    """Whether somebody takes connections at a port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def tool(tools: Sequence[ServedTool], name: str) -> ServedTool:
    return next(one for one in tools if one.name == name)


async def test_a_program_keeps_its_state_for_as_long_as_it_is_open(tmp_path: Path) -> None:
    servers = named(tmp_path, shop=shop())
    async with servers.open(ANNA, "Anna") as opened:
        buy = tool(opened.tools, "buy")
        assert buy.schema["required"] == ["item"]
        assert (buy.reads, tool(opened.tools, "get_price").reads) == (False, True)
        assert await opened.call(buy, {"item": "lamp", "count": 2}) == (True, "2 sold to Anna")
        assert await opened.call(buy, {"item": "lamp"}) == (True, "3 sold to Anna")
        ok, why = await opened.call(tool(opened.tools, "refuse"), {})
        assert (ok, "sold out" in why) == (False, True)


async def test_a_server_over_http(tmp_path: Path, address: str) -> None:
    async with named(tmp_path, shop={"url": address, "tools": ["buy"]}).open(ANNA, "Anna") as opened:
        [buy] = opened.tools
        assert await opened.call(buy, {"item": "lamp"}) == (True, "1 sold to nobody")


async def test_what_is_not_named_is_not_offered(tmp_path: Path) -> None:
    servers = named(tmp_path, shop=shop(tools=["get_*"]), bare=shop(tools=[]), other=shop(users=["Bert"]))
    async with servers.open(ANNA, "Anna") as opened:
        assert [(one.server, one.name) for one in opened.tools] == [("shop", "get_price")]
    async with named(tmp_path, other=shop(users=[str(ANNA)])).open(ANNA, "Anna") as opened:
        assert len(opened.tools) == 5


async def test_servers_that_are_not_there_are_missing_and_nothing_else(tmp_path: Path) -> None:
    gone, closed = {"command": "/no/such/program", "tools": ["*"]}, {"url": "http://127.0.0.1:9/mcp", "tools": ["*"]}
    servers = named(tmp_path, shop=shop(tools=["buy"]), gone=gone, closed=closed)
    async with servers.open(ANNA, "Anna") as opened:
        assert [one.name for one in opened.tools] == ["buy"]
        assert sorted(opened.missing) == ["closed", "gone"]


async def test_a_server_that_says_nothing_is_missing(tmp_path: Path) -> None:
    mute = {"command": "sleep", "args": ["600"], "tools": ["*"]}
    async with named(tmp_path, seconds=0.3, mute=mute).open(ANNA, "Anna") as opened:
        assert opened.missing == {"mute": "it gave no answer within 0.3 s"}


async def test_what_each_server_has_is_told(tmp_path: Path) -> None:
    servers = named(tmp_path, shop=shop(tools=["buy"]), gone={"command": "/no/such/program"})
    states = {one.name: one for one in await servers.states()}
    assert states["gone"].error == "its program is not there"
    assert (states["shop"].error, len(states["shop"].tools), states["shop"].transport) == ("", 5, "stdio")


async def test_a_server_that_hangs_or_leaves_fails_its_call(tmp_path: Path) -> None:
    async with named(tmp_path, shop=shop()).open(ANNA, "Anna") as opened:
        connection = opened._connections["shop"]
        connection._seconds = 0.3
        with pytest.raises(ServerFailed):
            await opened.call(tool(opened.tools, "slow"), {})
        connection._seconds = HANG_SECONDS
        assert (await opened.call(tool(opened.tools, "buy"), {"item": "lamp"}))[0]
        with pytest.raises(ServerFailed):
            await opened.call(tool(opened.tools, "leave"), {})
        with pytest.raises(ServerFailed):
            await opened.call(tool(opened.tools, "buy"), {"item": "lamp"})


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("{", "Invalid JSON"),
        ("{}", "mcpServers"),
        ('{"mcpServers": {"a": {}}}', "mcpServers.a"),
        ('{"mcpServers": {"a": {"command": "x", "url": "http://x"}}}', "mcpServers.a"),
        ('{"mcpServers": {"a": {"command": "x", "toolz": []}}}', "mcpServers.a.toolz"),
        ('{"mcpServers": {"a": {"url": "file:///etc/passwd"}}}', "mcpServers.a.url"),
    ],
)
async def test_a_bad_file_is_told_and_offers_nothing(tmp_path: Path, content: str, names: str) -> None:
    file = tmp_path / "servers.json"
    file.write_text(content)
    servers = NamedServers(file, seconds=5)
    with pytest.raises(InvalidInput, match="SUMMIT_MCP_SERVERS") as refused:
        await servers.states()
    assert names in refused.value.detail
    async with servers.open(ANNA, "Anna") as opened:
        assert not opened.tools


async def test_without_a_file_there_are_none(tmp_path: Path) -> None:
    assert await NamedServers(None, seconds=5).states() == []
    with pytest.raises(InvalidInput, match="cannot be read"):
        await NamedServers(tmp_path / "no", seconds=5).states()
