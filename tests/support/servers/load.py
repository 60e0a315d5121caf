"""A client that costs little next to the server it measures: one kept-alive connection, JSON in, JSON out."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

ADMIN_KEY = "benchmark-administrator-key-0123456789"
END_OF_HEAD = b"\r\n\r\n"

Send = Callable[[int, int], Awaitable[None]]
"""Sends one message: the number of the client, the number of its message."""


class Connection:
    """One HTTP/1.1 connection to a server whose answers have a Content-Length."""

    def __init__(self, url: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._host = urlsplit(url).netloc
        self._reader = reader
        self._writer = writer

    async def post(self, path: str, body: dict[str, Any], key: str | None = None) -> dict[str, Any]:
        """The answer's document; stops the benchmark at any status but 2xx."""
        content = json.dumps(body).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: {self._host}\r\nContent-Type: application/json\r\n"
        head += f"Authorization: Bearer {key}\r\n" if key else ""
        self._writer.write(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
        status, *headers = (await self._reader.readuntil(END_OF_HEAD)).decode("latin-1").split("\r\n")
        length = next(int(line.split(":")[1]) for line in headers if line.lower().startswith("content-length:"))
        answer = await self._reader.readexactly(length)
        assert status.split()[1].startswith("2"), answer
        return dict(json.loads(answer))


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[Connection]:
    """A connection that is closed at the end."""
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    try:
        yield Connection(url, reader, writer)
    finally:
        writer.close()


async def new_user(line: Connection) -> str:
    """The API key of a new user."""
    return str((await line.post("/v1/users", {"name": "bench"}, ADMIN_KEY))["api_key"])


async def one_by_one(send: Send, count: int) -> list[float]:
    """Milliseconds of each of ``count`` messages, sent one after the other, in the order they were sent."""
    spent = []
    for number in range(count):
        began = time.perf_counter()
        await send(0, number)
        spent.append((time.perf_counter() - began) * 1000)
    return spent


async def side_by_side(send: Send, clients: int, count: int) -> float:
    """Messages per second when each of ``clients`` sends ``count``, one after the other."""

    async def client(index: int) -> None:
        for number in range(count):
            await send(index, number)

    began = time.perf_counter()
    await asyncio.gather(*(client(index) for index in range(clients)))
    return clients * count / (time.perf_counter() - began)
