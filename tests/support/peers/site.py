"""A web site for tests, raw enough to misbehave: each path answers with the bytes it is given."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from ssl import SSLContext

from tests.support.waiting import HANG_SECONDS

Answering = Callable[["Heard"], bytes]


@dataclass(frozen=True)
class Heard:
    """One request as it arrived; header names are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Site:
    """What was heard, and what is answered: the last answer of a path is repeated."""

    port: int = 0
    heard: list[Heard] = field(default_factory=list)
    answers: dict[str, list[bytes | float]] = field(default_factory=dict)
    _serving: list[asyncio.Task[None]] = field(default_factory=list)

    def script(self, path: str, *answers: bytes | float) -> None:
        """Bytes are sent, a number is a pause in seconds before the next ones; an empty answer hangs up."""
        self.answers[path] = list(answers)

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection in a task of its own, which ``close`` can end."""
        self._serving.append(asyncio.create_task(self._serve(reader, writer)))

    async def close(self) -> None:
        """Hang up on everybody."""
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if request := await _read(reader):
                self.heard.append(request)
                await self._answer(self.answers.get(request.path, [answer(404)]), writer)
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _answer(self, script: list[bytes | float], writer: asyncio.StreamWriter) -> None:
        while script:
            step = script[0]
            if len(script) > 1:
                script.pop(0)
            if isinstance(step, bytes):
                writer.write(step)
                await writer.drain()
                return
            await asyncio.sleep(step)


def answer(status: int = 200, body: bytes = b"", **headers: str) -> bytes:
    """An answer as it goes over the wire."""
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


@asynccontextmanager
async def site(host: str = "127.0.0.1", tls: SSLContext | None = None, port: int = 0) -> AsyncIterator[Site]:
    """A site on a free port, or on the one that is named, gone at the end."""
    running = Site()
    server = await asyncio.start_server(running.accept, host, port, ssl=tls)
    running.port = server.sockets[0].getsockname()[1]
    try:
        yield running
    finally:
        server.close()
        await running.close()


@contextmanager
def site_beside(host: str = "127.0.0.1") -> Iterator[Site]:
    """A site in a thread of its own, for tests that are no coroutines."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    stack = AsyncExitStack()
    try:
        yield asyncio.run_coroutine_threadsafe(stack.enter_async_context(site(host)), loop).result(HANG_SECONDS)
    finally:
        asyncio.run_coroutine_threadsafe(stack.aclose(), loop).result(HANG_SECONDS)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(HANG_SECONDS)
        loop.close()


async def _read(reader: asyncio.StreamReader) -> Heard | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.strip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        method, path, _ = first.split(" ")
        return Heard(method, path, headers, await reader.readexactly(int(headers.get("content-length", "0"))))
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
