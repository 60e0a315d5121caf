"""Connections to servers of models: what they answer is bounded, and a prompt goes nowhere but where it was sent."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import cast

from httpx2 import AsyncByteStream, Response
from openai import DefaultAsyncHttpxClient

from app.llm.faults import ModelFailed

PLAIN = "identity"


class Bounded(AsyncByteStream):
    """The bytes of an answer, up to a number of them."""

    def __init__(self, stream: AsyncByteStream, most: int) -> None:
        self._stream = stream
        self._most = most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Piece by piece; raises ModelFailed where it becomes too long."""
        left = self._most
        async for piece in self._stream:
            left -= len(piece)
            if left < 0:
                raise ModelFailed("nonsense")
            yield piece

    async def aclose(self) -> None:
        """Close the connection, or give it back."""
        await self._stream.aclose()


def open_client(most_bytes: int) -> DefaultAsyncHttpxClient:
    """A pool of connections; an answer has ``most_bytes`` at most, and is not packed: few packed bytes may be many."""

    async def bound(response: Response) -> None:
        if response.headers.get("content-encoding", PLAIN) != PLAIN:
            raise ModelFailed("nonsense")
        response.stream = Bounded(cast("AsyncByteStream", response.stream), most_bytes)

    # A redirect would take the user's words to somebody whom nobody chose.
    return DefaultAsyncHttpxClient(
        follow_redirects=False, headers={"Accept-Encoding": PLAIN}, event_hooks={"response": [bound]}
    )
