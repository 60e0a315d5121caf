"""uvicorn's websockets, with an end for readers that have stopped reading."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

LAST_WORDS_SECONDS = 5.0


class Websocket(WebSocketsSansIOProtocol):
    """A close is sent even while the buffer is full; who does not take it in is cut off."""

    async def send(self, message: Any) -> None:
        """Send one ASGI message."""
        kind = message["type"]
        closing = kind == "websocket.close"
        if closing:
            self.writable.set()  # uvicorn would wait for room first, for as long as the reader likes
        await super().send(message)
        if kind == "websocket.http.response.body":
            self.handshake_complete = True  # refused is an answer, too: uvicorn would log it as an error
        if closing and self.close_timer is not None:
            self.close_timer.cancel()
            self.close_timer = self.loop.call_later(LAST_WORDS_SECONDS, self._cut)

    def keepalive_timeout(self) -> None:
        """Nobody answers pings: closing in order would wait for a reader who is gone."""
        super().keepalive_timeout()
        self.loop.call_later(LAST_WORDS_SECONDS, self._cut)

    def _cut(self) -> None:
        self.transport.abort()
