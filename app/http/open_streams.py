"""How many long connections one user may hold open here: each costs memory and a look at the database now and then."""

from __future__ import annotations

from collections import Counter
from uuid import UUID

from starlette.types import ASGIApp, Receive, Scope, Send

from app.errors import TooManyRequests
from app.http.auth import Caller
from app.settings import Settings

LONG_PATHS = frozenset({"/v1/ws", "/v1/stream"})


class OpenStreams:
    """Answers 429 to a user who has as many websockets and whole streams open as the settings allow."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self._most = settings.max_streams_per_user
        self._open: Counter[UUID] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        caller: Caller | None = scope.get("state", {}).get("caller") if scope.get("path") in LONG_PATHS else None
        if caller is None or caller.user_id is None:
            await self.app(scope, receive, send)
            return
        user_id = caller.user_id
        self._check(user_id)
        self._open[user_id] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self._open[user_id] -= 1
            if not self._open[user_id]:
                del self._open[user_id]

    def _check(self, user_id: UUID) -> None:
        if self._open[user_id] >= self._most:
            raise TooManyRequests(
                f"{self._most} websockets and streams are open already.", hint="Close one; one stream tells everything."
            )
