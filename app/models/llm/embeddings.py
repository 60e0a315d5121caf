"""Vectors by a provider's model over the OpenAI-compatible ``/embeddings``, and which model embeds whose memory."""

from __future__ import annotations

import asyncio
import json
import math
from array import array
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx

from app.database.model import KeyUnreadable
from app.models.llm.probe import body_of, open_client
from app.models.model.embeddings import Embedder, NoEmbeddings, Vector
from app.models.model.providers import ActiveModel, Provider
from app.models.store.providers import Providers

MOST_BYTES = 32_000_000
MOST_DIMENSIONS = 4000
"""What one page of the database holds at two bytes a number."""


@dataclass(frozen=True, eq=False)
class RemoteModel:
    """A model of a provider; without one (no key, an unreadable key) nothing is sent and there are no vectors."""

    chosen: ActiveModel
    provider: Provider | None
    seconds: float

    @property
    def model(self) -> str:
        """The name that its vectors are stored under, "openai/text-embedding-3-small"."""
        return f"{self.chosen.provider}/{self.chosen.model}"

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector of length 1 a text, in their order; raises NoEmbeddings."""
        if not texts:
            return []
        if self.provider is None or not self.provider.usable:
            raise NoEmbeddings("its provider has no key")
        try:
            async with asyncio.timeout(self.seconds):
                body = await _answer(self.provider, self.chosen.model, texts)
        except (TimeoutError, httpx.HTTPError, httpx.InvalidURL) as error:
            raise NoEmbeddings("its server does not answer") from error
        return await asyncio.to_thread(vectors_in, body, len(texts))


@dataclass(frozen=True, eq=False)
class ChosenModels:
    """The model that a user chose for embeddings, else everybody's, and the local one for who has chosen none."""

    providers: Providers
    local: Embedder
    seconds: float

    @property
    def usual(self) -> str:
        """The model of who has chosen none."""
        return self.local.model

    async def of(self, user_id: UUID) -> list[Embedder]:
        """The model wanted now, then the local one, whose vectors serve until those of the other are whole."""
        models = await self.providers.models(user_id)
        chosen = next((one for one in models if one.capability == "embeddings"), None)
        if chosen is None:
            return [self.local]
        provider = None
        with suppress(KeyUnreadable):
            provider = await self.providers.get(user_id, chosen.provider, with_key=True)
        return [RemoteModel(chosen, provider, self.seconds), self.local]


def vectors_in(body: bytes, count: int) -> list[Vector]:
    """The vectors of an answer, brought to length 1 and into the order of the texts; raises NoEmbeddings."""
    try:
        rows = {int(row["index"]): _of_length_one(row["embedding"]) for row in json.loads(body)["data"]}
        found = [rows[place] for place in range(count)]
    except (ValueError, TypeError, KeyError, RecursionError, OverflowError) as error:
        raise NoEmbeddings("its server answers, but not with vectors") from error
    if len({len(vector) for vector in found}) != 1 or len(found[0]) > MOST_DIMENSIONS:
        raise NoEmbeddings("its vectors are of several lengths or too long")
    return list(found)


async def _answer(provider: Provider, model: str, texts: Sequence[str]) -> bytes:
    wanted: dict[str, Any] = {"model": model, "input": list(texts), "encoding_format": "float"}
    async with open_client(provider) as client, client.stream("POST", "/embeddings", json=wanted) as answer:
        if not answer.is_success:
            raise NoEmbeddings(f"its server answers {answer.status_code}")
        body = await body_of(answer, MOST_BYTES)
        if not body:
            raise NoEmbeddings("its server answers too much, packed, or nothing")
    return body


def _of_length_one(numbers: Sequence[float]) -> array[float]:
    values = array("f", numbers)
    length = math.sqrt(math.fsum(value * value for value in values))
    if not math.isfinite(length) or length == 0:
        raise ValueError("no direction")
    return array("f", (value / length for value in values))
