"""Texts as vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

Vector = Sequence[float]


class Embedder(Protocol):
    """Turns texts into vectors of length 1."""

    @property
    def model(self) -> str:
        """The name that its vectors are stored under."""

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in their order; raises NoEmbeddings when there are none to be had now."""


class NoEmbeddings(Exception):  # noqa: N818 - an outcome to deal with, not a fault
    """No model turns words into vectors here; the search goes on by words alone."""
