"""No body larger than the settings allow, whether its length is declared or it comes in chunks."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import Malformed, TooLarge
from app.settings import Settings

FORM_OVERHEAD = 64 * 1024
AUDIO_PATHS = frozenset({"/v1/turns"})


class BodyLimit:
    """Answers 413 as soon as a body is known to be too large."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        limit, received = self._limit(scope["path"], headers), 0
        _check(_declared(headers), limit)

        async def count() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            _check(received, limit)
            return message

        await self.app(scope, count, send)

    def _limit(self, path: str, headers: Headers) -> int:
        if path in AUDIO_PATHS and headers.get("content-type", "").lower().startswith("multipart/form-data"):
            return self.settings.max_audio_bytes + FORM_OVERHEAD
        return self.settings.max_body_bytes


def _declared(headers: Headers) -> int:
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()):
        raise Malformed("The Content-Length header is not a number.")
    return int(length)


def _check(size: int, limit: int) -> None:
    if size > limit:
        raise TooLarge(f"The body is larger than the limit of {limit} bytes.")
