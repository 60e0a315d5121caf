"""A process kept warm that reads each long message in a fork of its own."""

from __future__ import annotations

import asyncio
import os
import socket
from contextlib import suppress

from app.boundary.confinement import frames, processes

REPLY_BYTES = 64 * 1024 * 1024
DYING_SECONDS = 0.2
"""Time for a killed process to be noticed, so that its readers' silence is not taken for theirs."""


class ReadingTooSlow(Exception):  # noqa: N818 - the state it is in
    """The message was not read in time."""


class Forkserver:
    """Starts with the first message; ``seconds`` is the processor time of one message, ``longest`` its characters.

    ``patience`` is how many seconds on the clock a busy machine may take for that, and for the start, before the whole
    process is replaced.
    """

    def __init__(self, *, seconds: float, longest: int, patience: float) -> None:
        self._arguments = (str(seconds), str(longest))
        self._patience = patience
        self._room = asyncio.Semaphore(max(2, os.cpu_count() or 1))
        self._starting = asyncio.Lock()
        self._child: processes.Child | None = None
        self._arrivals: socket.socket | None = None

    @property
    def pid(self) -> int | None:
        """Process id of the living child, None when there is none."""
        return self._child.process.pid if self._child and self._child.alive else None

    async def read(self, request: bytes) -> bytes:
        """The reply to a request; raises TooSlow. Where the process was killed, another one tries once more."""
        async with self._room:
            with suppress(_Gone):
                return await self._try_read(request)
            with suppress(_Gone):
                return await self._try_read(request)
            raise ReadingTooSlow

    async def close(self) -> None:
        """End the child with its readers."""
        async with self._starting:
            await self._end()

    async def _try_read(self, request: bytes) -> bytes:
        child, arrivals = await self._living()
        try:
            async with asyncio.timeout(self._patience):
                return await _exchange(arrivals, request)
        except TimeoutError:
            await self._replace(child)
            raise ReadingTooSlow from None
        except (asyncio.IncompleteReadError, OSError):
            with suppress(TimeoutError):
                async with asyncio.timeout(DYING_SECONDS):
                    await asyncio.shield(child.process.wait())
            raise (ReadingTooSlow if child.alive else _Gone) from None

    async def _living(self) -> tuple[processes.Child, socket.socket]:
        async with self._starting:
            if self._child is None or not self._child.alive or self._arrivals is None:
                await self._end()
                self._arrivals, theirs = socket.socketpair()
                self._arrivals.settimeout(0)
                with theirs:
                    self._child = await processes.start(
                        "app.boundary.reading.child", *self._arguments, stdin=theirs.fileno()
                    )
            return self._child, self._arrivals

    async def _replace(self, child: processes.Child) -> None:
        async with self._starting:
            if self._child is child:
                await self._end()

    async def _end(self) -> None:
        child, self._child = self._child, None
        if self._arrivals:
            self._arrivals.close()
        if child:
            await processes.stop(child)


class _Gone(Exception):  # noqa: N818 - the state it is in
    """The process of all readers was killed."""


async def _exchange(arrivals: socket.socket, request: bytes) -> bytes:
    """Send a socket for this request, write it there and wait for the reply."""
    ours, theirs = socket.socketpair()
    with theirs:
        reader, writer = await asyncio.open_unix_connection(sock=ours)
        try:
            socket.send_fds(arrivals, [b"."], [theirs.fileno()])
            theirs.close()
            await frames.send(writer, request)
            return await frames.receive(reader, max_bytes=REPLY_BYTES)
        finally:
            writer.close()
