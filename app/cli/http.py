"""uvicorn's HTTP, with an end for clients that never finish asking."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class Http(HttpToolsProtocol):
    """Closes a connection whose next request has not all its headers in time: uvicorn alone waits for ever."""

    header_seconds: float
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """A client has connected: its first request is due."""
        super().connection_made(transport)
        self._begin()

    def data_received(self, data: bytes) -> None:
        """Something came: a whole head ends the wait, a part of the next one begins another."""
        super().data_received(data)
        if self._asked():
            self._end()
        elif self._deadline is None:
            self._begin()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone."""
        self._end()
        super().connection_lost(exc)

    def _asked(self) -> bool:
        upgraded = self.transport.get_protocol() is not self
        return upgraded or (self.cycle is not None and not self.cycle.response_complete)

    def _begin(self) -> None:
        self._deadline = self.loop.call_later(self.header_seconds, self._give_up)

    def _end(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        if not self._asked():
            self.transport.abort()


def http_within(seconds: float) -> type[Http]:
    """The protocol for connections whose headers must come within ``seconds``."""
    return type("Http", (Http,), {"header_seconds": seconds})
