"""No body larger or slower than the settings allow, whether its length is declared or it comes in chunks."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import Malformed, TooLarge, TooSlow
from app.settings import Settings

FORM_OVERHEAD = 64 * 1024
LARGER_BODY = "larger_body"
Endpoint = TypeVar("Endpoint", bound=Callable[..., object])


@dataclass(frozen=True)
class LargerBody:
    """How large the body of an endpoint may be beyond the usual; ``form``: what is no form stays below that."""

    size: Callable[[Settings], int]
    form: bool

    def limit(self, settings: Settings) -> int:
        """In bytes."""
        return self.size(settings) + (FORM_OVERHEAD if self.form else 0)


def take_larger_body(size: Callable[[Settings], int], *, form: bool = False) -> Callable[[Endpoint], Endpoint]:
    """Declare that an endpoint takes larger bodies than others, as large as the settings say."""

    def declare(endpoint: Endpoint) -> Endpoint:
        setattr(endpoint, LARGER_BODY, LargerBody(size, form))
        return endpoint

    return declare


def larger_bodies(routers: Iterable[APIRouter]) -> Sequence[tuple[re.Pattern[str], LargerBody]]:
    """Return the paths of the endpoints that declare it."""
    routes = [route for router in routers for route in router.routes if isinstance(route, APIRoute)]
    declared = [(route.path_regex, getattr(route.endpoint, LARGER_BODY, None)) for route in routes]
    return [(path, larger) for path, larger in declared if larger]


class BodyLimit:
    """Answers 413 as soon as a body is known to be too large, and 408 when it has not arrived in time."""

    def __init__(self, app: ASGIApp, settings: Settings, routers: Iterable[APIRouter]) -> None:
        self.app = app
        self.settings = settings
        self.larger = larger_bodies(routers)

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
        fitting = (larger for pattern, larger in self.larger if pattern.match(path) and (form or not larger.form))
        larger = next(fitting, None)
        return larger.limit(self.settings) if larger else self.settings.max_body_bytes


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
