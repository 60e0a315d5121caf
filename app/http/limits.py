"""No body larger or slower than the settings allow, whether its length is declared or it comes in chunks."""

from __future__ import annotations

import asyncio

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import Malformed, TooLarge, TooSlow
from app.settings import Settings

FORM_OVERHEAD = 64 * 1024
AUDIO_PATHS = frozenset({"/v1/turns", "/v1/memos", "/v1/audio/transcriptions"})
UPLOADS = "/v1/memos/uploads/"
IMPORT_PATH = "/v1/import"
CALENDAR_PATHS = frozenset({"/v1/calendars"})


class BodyLimit:
    """Answers 413 as soon as a body is known to be too large, and 408 when it has not arrived in time."""

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
        _check(_declared_length(headers), limit)

        deadline = asyncio.get_running_loop().time() + self.settings.body_seconds
        rate, whole = self.settings.body_bytes_per_second, False

        async def count() -> Message:
            nonlocal received, whole
            message = await (receive() if whole else _in_time(receive, deadline + received / rate))
            whole = not message.get("more_body", False)
            received += len(message.get("body", b""))
            _check(received, limit)
            return message

        await self.app(scope, count, send)

    def _limit(self, path: str, headers: Headers) -> int:
        form = headers.get("content-type", "").lower().startswith("multipart/form-data")
        if form and path in AUDIO_PATHS:
            return self.settings.max_audio_bytes + FORM_OVERHEAD
        if form and path in CALENDAR_PATHS:
            return self.settings.max_calendar_bytes + FORM_OVERHEAD
        if path.startswith(UPLOADS):
            return self.settings.max_audio_bytes
        return self.settings.max_import_bytes if path == IMPORT_PATH else self.settings.max_body_bytes


async def _in_time(receive: Receive, deadline: float) -> Message:
    try:
        async with asyncio.timeout_at(deadline):
            return await receive()
    except TimeoutError:
        raise TooSlow("The body of this request did not arrive in time.") from None


def _declared_length(headers: Headers) -> int:
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()):
        raise Malformed("The Content-Length header is not a number.")
    return int(length)


def _check(size: int, limit: int) -> None:
    if size > limit:
        raise TooLarge(f"The body is larger than the limit of {limit} bytes.")
