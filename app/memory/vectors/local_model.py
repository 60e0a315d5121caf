"""The local models of meaning, in a process of its own that starts with the first text and is replaced when it dies.

Whoever has much to embed has it done in small pieces, between which others come: a question waits for one piece.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from app.boundary.confinement.worker import Worker, WorkerDied
from app.memory.vectors.weights import MODEL
from app.models.model.embeddings import NoEmbeddings, Vector
from app.principal import acting_user
from app.shares import Shares

DIMENSIONS = 384
MODULE = "app.memory.vectors.embed_child"
PIECE_TEXTS, PIECE_CHARS = 16, 1500
READ_CHARS = 1000
"""About as much of a text as the model reads."""


class Exchanging(Protocol):
    """The process of a model, as it is talked to."""

    @property
    def pid(self) -> int | None:
        """Its id; None while there is none."""

    async def exchange(self, *messages: bytes, seconds: float | None = None) -> bytes:
        """The answer to one request; raises WorkerDied and TimeoutError."""

    async def close(self) -> None:
        """End it."""


class LocalModel:
    """One piece at a time; ``weights`` is a file that may be missing, ``seconds`` the longest that a piece may take."""

    def __init__(self, weights: Path, seconds: float, worker: Exchanging | None = None) -> None:
        self._weights = weights
        self._seconds = seconds
        self._worker = worker or Worker(MODULE, str(weights))
        self._shares = Shares(places=1, each=1)

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
        if texts and not self.here:
            raise NoEmbeddings("its weights are not installed")
        vectors: list[Vector] = []
        for piece in pieces(texts):
            async with self._shares.place(acting_user()):
                vectors += await self._embed(piece)
        return vectors

    async def score(self, question: str, statements: Sequence[str]) -> list[float]:
        """The logarithm of the odds that each statement answers, in their order; raises NoEmbeddings."""
        async with self._shares.place(acting_user()):
            return list(await self._exchange({"question": question, "statements": list(statements)}, len(statements)))

    async def _embed(self, texts: Sequence[str]) -> list[Vector]:
        values = await self._exchange(list(texts), DIMENSIONS * len(texts))
        return [values[at : at + DIMENSIONS] for at in range(0, len(values), DIMENSIONS)]

    async def _exchange(self, request: object, size: int) -> array[float]:
        """The numbers of an answer, of which there have to be ``size``."""
        try:
            reply = await self._worker.exchange(json.dumps(request).encode(), seconds=self._seconds)
        except (WorkerDied, TimeoutError) as error:
            raise NoEmbeddings("its process died or took too long") from error
        values = array("f", reply)
        if len(values) != size:
            raise NoEmbeddings("it failed on this text")
        return values

    async def close(self) -> None:
        """End the process."""
        await self._worker.close()


def pieces(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """The same texts in their order, so many at once that a piece is done within some hundredths of a second."""
    piece: list[str] = []
    size = 0
    for text in texts:
        length = min(len(text), READ_CHARS)
        if piece and (len(piece) == PIECE_TEXTS or size + length > PIECE_CHARS):
            yield piece
            piece, size = [], 0
        piece.append(text)
        size += length
    if piece:
        yield piece
