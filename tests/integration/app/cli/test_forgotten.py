"""A turn whose events are forgotten while its client is away, or does not read, is answered all the same."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.server import ServerConnection, serve

from app.cli.client.ws_client import WsClient
from tests.support.servers.live_server import live_server, settings_for
from tests.support.waiting import HANG_SECONDS

Silent = Callable[[ServerConnection], Awaitable[None]]
WORDS = "buy milk"


@pytest.fixture
def url(database_url: str, tmp_path: Path) -> Iterator[str]:
    with live_server(settings_for(database_url, tmp_path, admin_key=None)) as found:
        yield found


def between(url: str, *, tells: dict[str, object] | None) -> Silent:
    """A server that takes the message and never says how it ended; what it ``tells`` is an error, or nothing."""

    async def forget(socket: ServerConnection) -> None:
        async for text in socket:
            frame = json.loads(text)
            if frame["type"] == "ping":
                await socket.send(json.dumps({"type": "pong", "seq": 7, "turn_id": None, "data": {}}))
                continue
            async with httpx.AsyncClient(base_url=url, timeout=HANG_SECONDS) as client:
                key = {"Idempotency-Key": frame["idempotency_key"]}
                await client.post("/v1/turns", json={"text": frame["text"]}, headers=key)
            if tells:
                await socket.send(json.dumps({"type": "error", "seq": 99, "turn_id": None, "data": tells}))

    return forget


@pytest.mark.parametrize("tells", [None, {"status": 410, "goes_on_after": 99}])
async def test_how_it_ended_is_asked_for(url: str, tells: dict[str, object] | None) -> None:
    async with serve(between(url, tells=tells), "127.0.0.1", 0) as stage:
        port = stage.sockets[0].getsockname()[1]
        quiet = 0.2 if tells is None else HANG_SECONDS
        async with WsClient(f"http://127.0.0.1:{port}", None, quiet_seconds=quiet, server=url) as link:
            async with asyncio.timeout(HANG_SECONDS):
                told = [sent async for sent in link.say(WORDS, "1")]
    assert [sent["type"] for sent in told] == ["reply.completed", "turn.done"]
    assert told[0]["data"]["reply"] == "Added “buy milk” to your tasks."
    tasks = (await asyncio.to_thread(httpx.get, f"{url}/v1/todos")).json()["items"]
    assert [task["task"] for task in tasks] == ["buy milk"]
