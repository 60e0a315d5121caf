"""``summit mcp``: the Model Context Protocol over standard input and output, for programs that start their servers."""

from __future__ import annotations

import argparse
import asyncio
import os

import httpx

from app.cli.client.api_client import CALL_SECONDS, usual_url
from app.protocols.mcp.calls import Calls


def speak(options: argparse.Namespace) -> int:
    """Serve one client until it leaves; the tools call a running Summit."""
    asyncio.run(_speak(options.url or usual_url(), options.key or os.environ.get("SUMMIT_API_KEY")))
    return 0


async def _speak(url: str, key: str | None) -> None:
    from mcp.server.stdio import stdio_server

    from app.protocols.mcp.server import build_server

    headers = {"Authorization": f"Bearer {key}"} if key else {}
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=CALL_SECONDS) as client:
        server = build_server(Calls(client))
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())
