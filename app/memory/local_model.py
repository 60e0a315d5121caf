"""The local model of meaning, in a process of its own that starts with the first text and is replaced when it dies."""

from __future__ import annotations

import asyncio
import json
from array import array
from collections.abc import Sequence
from pathlib import Path

from app.confinement import frames, processes
from app.memory.weights import MODEL
from app.ports.memory import NoEmbeddings, Vector

DIMENSIONS = 384
REPLY_BYTES = 64 * 1024 * 1024
MODULE = "app.memory.embed_child"


class LocalModel:
    """One request at a time; ``weights`` is a file that may be missing, ``seconds`` the longest that one may take."""

    def __init__(self, weights: Path, seconds: float) -> None:
        self._weights = weights
        self._seconds = seconds
        self._child: processes.Child | None = None
        self._turn = asyncio.Lock()

    @property
    def model(self) -> str:
        """The name that its vectors are stored under."""
        return MODEL

    @property
    def here(self) -> bool:
        """Whether the weights are installed."""
        return self._weights.is_file()

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in their order; raises NoEmbeddings when the model cannot be had now."""
        if not texts:
            return []
        if not self.here:
            raise NoEmbeddings("its weights are not installed")
        async with self._turn:
            reply = await self._asked(json.dumps(list(texts)).encode())
        values = array("f", reply)
        if len(values) != DIMENSIONS * len(texts):
            raise NoEmbeddings("it failed on this text")
        return [values[at : at + DIMENSIONS] for at in range(0, len(values), DIMENSIONS)]

    async def close(self) -> None:
        """End the process."""
        child, self._child = self._child, None
        if child:
            await processes.stop(child)

    async def _asked(self, request: bytes) -> bytes:
        child = await self._living()
        try:
            async with asyncio.timeout(self._seconds):
                return await _exchanged(child, request)
        except (ConnectionError, asyncio.IncompleteReadError, TimeoutError) as error:
            await self.close()
            raise NoEmbeddings("its process died or took too long") from error
        except BaseException:
            await self.close()  # an answer without a taker would be the next request's
            raise

    async def _living(self) -> processes.Child:
        if self._child and not self._child.alive:
            await self.close()
        if not self._child:
            self._child = await processes.start(MODULE, str(self._weights))
        return self._child


async def _exchanged(child: processes.Child, request: bytes) -> bytes:
    if child.requests is None:
        raise ConnectionError
    await frames.send(child.requests, request)
    return await frames.receive(child.replies, max_bytes=REPLY_BYTES)
