"""HTTP to addresses that people give: checked, pinned between check and connect, limited in size and time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import replace
from ssl import SSLContext
from typing import TypeVar

import httpx

from app.boundary.model import Fetched, OutboundCall, TargetFailed, TargetRefused
from app.boundary.outbound.addresses import Network
from app.boundary.outbound.exchange import OutboundRequest, exchange
from app.boundary.outbound.target import Resolve, find_target, resolve

T = TypeVar("T")
REQUEST_SECONDS = 10.0
MAX_BYTES = 1024 * 1024
MOST_REDIRECTS = 5
REDIRECTS = frozenset({301, 302, 303, 307, 308})
READABLE = "Over plain http the password could be read on its way. Give an address that begins with https://."


class SafeHttp:
    """See app.boundary.model.Outbound. ``seconds`` is for a whole call, redirects and slow answers included.

    ``allowed`` are networks that may be called although they are private; ``trusted`` replaces the usual authorities.
    """

    def __init__(
        self,
        allowed: Sequence[Network] = (),
        *,
        seconds: float = REQUEST_SECONDS,
        max_bytes: int = MAX_BYTES,
        resolving: Resolve = resolve,
        trusted: SSLContext | None = None,
    ) -> None:
        self._allowed = allowed
        self._seconds = seconds
        self._max_bytes = max_bytes
        self._resolving = resolving
        self._trusted = trusted

    async def check(self, url: str) -> None:
        """Raises TargetRefused or TargetFailed when the address could not be called now; calls nothing."""
        await self._within_time(find_target(url, self._allowed, self._resolving))

    async def fetch(
        self, url: str, *, headers: Mapping[str, str] | None = None, max_bytes: int | None = None
    ) -> Fetched:
        """GET with redirects, each one checked anew; raises TargetRefused or TargetFailed, never for a status."""
        asked = OutboundRequest("GET", max_bytes or self._max_bytes, headers or {})
        return await self._within_time(self._follow(url, asked))

    async def post(self, url: str, body: bytes, *, headers: Mapping[str, str] | None = None) -> Fetched:
        """POST without following redirects; raises TargetRefused or TargetFailed, never for a status."""
        asked = OutboundRequest("POST", self._max_bytes, headers or {}, body)
        return await self._within_time(self._call(url, asked))

    async def request(self, wanted: OutboundCall) -> Fetched:
        """Any other method; raises TargetRefused or TargetFailed, never for a status."""
        asked = OutboundRequest(
            wanted.method,
            wanted.max_bytes or self._max_bytes,
            wanted.headers,
            wanted.body,
            protected=wanted.protected,
        )
        work = self._follow(wanted.url, asked) if wanted.follow else self._call(wanted.url, asked)
        return await self._within_time(work)

    async def _within_time(self, work: Awaitable[T]) -> T:
        try:
            async with asyncio.timeout(self._seconds):
                return await work
        except TimeoutError as error:
            raise TargetFailed(f"It did not answer within {self._seconds:g} seconds.") from error

    async def _follow(self, url: str, asked: OutboundRequest) -> Fetched:
        for _ in range(MOST_REDIRECTS + 1):
            answer = await self._call(url, asked)
            onward = answer.headers.get("location")
            if answer.status not in REDIRECTS or not onward:
                return answer
            url, asked = _onward(url, onward, asked)
        raise TargetRefused(f"The address leads from one redirect to the next, more than {MOST_REDIRECTS} times.")

    async def _call(self, url: str, asked: OutboundRequest) -> Fetched:
        target = await find_target(url, self._allowed, self._resolving)
        if asked.protected and target.readable_on_the_way:
            raise TargetRefused(READABLE)
        trusted = await self._authorities() if target.url.scheme == "https" else False
        # No environment: a proxy would resolve the name again and connect in our place.
        async with httpx.AsyncClient(verify=trusted, trust_env=False, timeout=self._seconds) as client:
            return await exchange(client, target, asked)

    async def _authorities(self) -> SSLContext:
        if self._trusted is None:
            self._trusted = await asyncio.to_thread(httpx.create_ssl_context, trust_env=False)
        return self._trusted


def _onward(url: str, onward: str, asked: OutboundRequest) -> tuple[str, OutboundRequest]:
    """The request that follows a redirect; credentials go neither to another server nor over plain HTTP."""
    try:
        old, new = httpx.URL(url), httpx.URL(url).join(onward)
    except (httpx.InvalidURL, ValueError) as error:
        raise TargetRefused("The address redirects to what is no web address.") from error
    if (old.scheme, new.scheme) == ("https", "http"):
        raise TargetRefused("The address redirects from https to http.")
    same = (old.scheme, old.netloc) == (new.scheme, new.netloc)
    return str(new), asked if same else replace(asked, headers={})
