"""A child that stays between requests: one at a time, and replaced when it dies."""

from __future__ import annotations

import asyncio

from app.boundary.confinement import frames, processes

REPLY_BYTES = 64 * 1024 * 1024


class WorkerDied(Exception):  # noqa: N818 - what happened to it
    """The child ended in the middle of a request; the message says how."""


class Worker:
    """Runs ``python -m module``, which reads messages of ``frames`` and answers each request with one."""

    def __init__(self, module: str, *arguments: str) -> None:
        self._command = (module, *arguments)
        self._child: processes.Child | None = None
        self._one_at_a_time = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """Process id of the living child, None when there is none."""
        return self._child.process.pid if self._child and self._child.alive else None

    @property
    def busy(self) -> bool:
        """Whether it has a request."""
        return self._one_at_a_time.locked()

    async def exchange(self, *messages: bytes, seconds: float | None = None) -> bytes:
        """The answer to one request, within ``seconds`` of its turn; raises WorkerDied and TimeoutError.

        When cancelled or too late the child is killed: its answer has no taker and would be the next request's.
        """
        async with self._one_at_a_time:
            child = await self._living()
            try:
                async with asyncio.timeout(seconds):
                    return await _exchange_frames(child, messages)
            except (ConnectionError, asyncio.IncompleteReadError) as error:
                await self.close()
                raise WorkerDied(processes.explain(child.process.returncode or 0)) from error
            except BaseException:
                await self.close()
                raise

    async def retire(self) -> None:
        """End the child once what it does is done."""
        async with self._one_at_a_time:
            await self.close()

    async def close(self) -> None:
        """End the child now."""
        child, self._child = self._child, None
        if child:
            await processes.stop(child)

    async def _living(self) -> processes.Child:
        if self._child and not self._child.alive:
            await self.close()
        if not self._child:
            self._child = await processes.start(*self._command)
        return self._child


async def _exchange_frames(child: processes.Child, messages: tuple[bytes, ...]) -> bytes:
    if child.requests is None:
        raise RuntimeError("a child was started without a pipe")
    for message in messages:
        await frames.send(child.requests, message)
    return await frames.receive(child.replies, max_bytes=REPLY_BYTES)
