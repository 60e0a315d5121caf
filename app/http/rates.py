"""How fast one user, and one key, may ask: 429 with Retry-After for requests, a slower pace for frames."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from app.errors import TooManyRequests
from app.http.auth import Caller
from app.settings import Settings

MINUTE = 60.0
MOST_REMEMBERED = 10_000


class Rates:
    """The generic cell rate algorithm: a minute's worth may come at once, then one after the other."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_user = settings.requests_per_minute_per_user
        self._per_key = settings.requests_per_minute_per_key
        self._clock = clock
        self._until: dict[str, float] = {}

    def seconds_to_wait(self, caller: Caller) -> float:
        """0 for a request that is counted and may be served now; else how long until the next one may."""
        limits = {f"user {caller.user_id}": self._per_user, caller.name: self._per_key}
        now = self._clock()
        waits = [self._until.get(name, now) - now - MINUTE + MINUTE / limit for name, limit in limits.items()]
        if (longest := max(waits)) > 0:
            return longest
        for name, limit in limits.items():
            self._until[name] = max(self._until.get(name, now), now) + MINUTE / limit
        if len(self._until) > MOST_REMEMBERED:
            self._until = {name: until for name, until in self._until.items() if until > now}
        return 0.0


class RateLimit:
    """Counts each request of a known caller; a websocket counts its own frames."""

    def __init__(self, app: ASGIApp, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self.app = app
        self._rates = Rates(settings, clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        scope.setdefault("state", {})["rates"] = self._rates
        caller: Caller | None = scope["state"].get("caller")
        if caller is not None and (wait := self._rates.seconds_to_wait(caller)):
            raise too_fast(wait)
        await self.app(scope, receive, send)


def too_fast(wait: float) -> TooManyRequests:
    """The refusal of who has to wait so many seconds."""
    seconds = math.ceil(wait)
    return TooManyRequests(
        f"More requests came within a minute than one user or key may send; wait {seconds} s.",
        hint="Send it again after Retry-After seconds, with the same Idempotency-Key.",
        retry_seconds=seconds,
    )
