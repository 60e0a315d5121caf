"""uvicorn's HTTP, with an end for clients that never finish asking, or ask with endless headers."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LINGER_SECONDS = 1.0
PROBLEM = json.dumps(
    {
        "type": "urn:summit:problem:headers-too-large",
        "title": "The headers are too large",
        "status": 431,
        "detail": "The head of this request has more bytes or lines than are read.",
        "hint": "Send fewer or shorter headers; cookies of other programs on this host count, too.",
        "instance": "/",
    }
)
REFUSAL = (
    "HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: application/problem+json\r\n"
    f"content-length: {len(PROBLEM)}\r\nconnection: close\r\n\r\n{PROBLEM}"
).encode()


class Http(HttpToolsProtocol):
    """Closes a connection whose next request has not all its headers in time: uvicorn alone waits for ever.

    A head of more bytes or headers than are allowed is refused with 431: its parts are joined as they come, which takes
    the longer the more there are.
    """

    header_seconds: float
    max_header_bytes: int
    max_headers: int
    _deadline: asyncio.TimerHandle | None = None
    _head_bytes = 0
    _is_refused = False

    def connection_made(self, transport: Any) -> None:
        """A client has connected: its first request is due."""
        super().connection_made(transport)
        self._begin()

    def data_received(self, data: bytes) -> None:
        """Something came: a whole head ends the wait, a part of the next one begins another."""
        while data and not (self._is_refused or self.transport.is_closing()):
            data = self._read_some(data)
        if self._has_request():
            self._end()
        elif self._deadline is None and not self._is_refused:
            self._begin()

    def _read_some(self, data: bytes) -> bytes:
        """Read a body, or as much of a head as is allowed; return what is left."""
        if self._has_request():
            super().data_received(data)
            return b""
        room = self.max_header_bytes - self._head_bytes
        if room <= 0:
            self._refuse_head()
            return b""
        self._head_bytes += len(data[:room])
        super().data_received(data[:room])
        if self._has_request():
            self._head_bytes = 0
        return b"" if self._is_upgraded() else data[room:]

    def on_headers_complete(self) -> None:
        """The head is whole: it is answered unless it has too many headers."""
        if len(self.headers) > self.max_headers:
            self._refuse_head()
        else:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """More of a body; one after a refused head is nobody's."""
        if not self._is_refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is whole; after a refused head nothing is."""
        if not self._is_refused:
            super().on_message_complete()

    def _refuse_head(self) -> None:
        if self._is_refused:
            return
        self._is_refused = True
        self.transport.write(REFUSAL)
        if self.transport.can_write_eof():
            self.transport.write_eof()
        # What is still on its way is thrown away for a moment: a reset at once could take the answer with it.
        self.loop.call_later(LINGER_SECONDS, self.transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone."""
        self._end()
        super().connection_lost(exc)

    def _has_request(self) -> bool:
        return self._is_upgraded() or (self.cycle is not None and not self.cycle.response_complete)

    def _is_upgraded(self) -> bool:
        return self.transport.get_protocol() is not self

    def _begin(self) -> None:
        self._deadline = self.loop.call_later(self.header_seconds, self._give_up)

    def _end(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        if not self._has_request():
            self.transport.abort()


def http_within(seconds: float, max_header_bytes: int, max_headers: int) -> type[Http]:
    """Return the protocol for connections whose headers must come within ``seconds``, and have no more than that."""
    limits = {"header_seconds": seconds, "max_header_bytes": max_header_bytes, "max_headers": max_headers}
    return type("Http", (Http,), limits)
