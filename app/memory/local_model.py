"""The local model of meaning, in a process of its own that starts with the first text and is replaced when it dies."""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from pathlib import Path

from app.confinement.worker import Worker, WorkerDied
from app.memory.weights import MODEL
from app.ports.memory import NoEmbeddings, Vector

DIMENSIONS = 384
MODULE = "app.memory.embed_child"


class LocalModel:
    """One request at a time; ``weights`` is a file that may be missing, ``seconds`` the longest that one may take."""

    def __init__(self, weights: Path, seconds: float) -> None:
        self._weights = weights
        self._seconds = seconds
        self._worker = Worker(MODULE, str(weights))

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
        try:
            reply = await self._worker.exchange(json.dumps(list(texts)).encode(), seconds=self._seconds)
        except (WorkerDied, TimeoutError) as error:
            raise NoEmbeddings("its process died or took too long") from error
        values = array("f", reply)
        if len(values) != DIMENSIONS * len(texts):
            raise NoEmbeddings("it failed on this text")
        return [values[at : at + DIMENSIONS] for at in range(0, len(values), DIMENSIONS)]

    async def close(self) -> None:
        """End the process."""
        await self._worker.close()
