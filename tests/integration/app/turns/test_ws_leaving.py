"""A websocket whose client is gone before the handshake is over: nothing went wrong here, so nothing is an error."""

from __future__ import annotations

import logging
import socket
import struct
from urllib.parse import urlsplit

import httpx
import pytest
from starlette.requests import ClientDisconnect
from starlette.websockets import WebSocketDisconnect, WebSocketDisconnected

from app.http.problems import Problems
from tests.support.servers.live import key_of

HANDSHAKE = (
    "GET /v1/ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nAuthorization: Bearer {key}\r\n\r\n"
)
AT_ONCE = struct.pack("ii", 1, 0)


def leave(base_url: str, key: str) -> None:
    """Begin a handshake and reset the connection."""
    place = urlsplit(base_url)
    with socket.create_connection((place.hostname or "", place.port or 0)) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
        line.sendall(HANDSHAKE.format(host=place.netloc, key=key).encode())


def test_a_client_that_leaves_in_the_handshake_is_no_error(
    base_url: str, alice: httpx.Client, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        for _ in range(20):
            leave(base_url, key_of(alice))
        assert alice.get("/v1/todos").status_code == 200
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.mark.parametrize("gone", [WebSocketDisconnect(1006), WebSocketDisconnected(), ClientDisconnect()])
async def test_it_is_told_at_debug_and_nothing_is_sent_to_nobody(
    gone: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    async def leaves(scope: object, receive: object, send: object) -> None:
        raise gone

    async def send(message: object) -> None:
        pytest.fail("nobody is there to be sent anything")

    async def receive() -> dict[str, str]:
        return {"type": "websocket.disconnect"}

    with caplog.at_level(logging.DEBUG, "summit.errors"):
        await Problems(leaves)({"type": "websocket", "path": "/v1/ws"}, receive, send)
    assert [record.levelname for record in caplog.records] == ["DEBUG"]
