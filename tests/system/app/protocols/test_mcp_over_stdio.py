"""The same tools (MCP) as over HTTP, of a process that the client starts."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
from mcp import Client, StdioServerParameters

from tests.support.servers.live import key_of
from tests.support.servers.tools import live_through_a_task

SUMMIT = "import sys; from app.cli import main; sys.exit(main(sys.argv[1:]))"


@asynccontextmanager
async def over_stdio(user: httpx.Client) -> AsyncIterator[Client]:
    environment = {"PATH": os.environ["PATH"], "SUMMIT_API_KEY": key_of(user)}
    arguments = ["-c", SUMMIT, "mcp", "--url", str(user.base_url)]
    program = StdioServerParameters(command=sys.executable, args=arguments, env=environment)
    async with Client(program) as client:
        yield client


async def test_a_task_from_beginning_to_undo(alice: httpx.Client) -> None:
    async with over_stdio(alice) as client:
        await live_through_a_task(client, alice)
