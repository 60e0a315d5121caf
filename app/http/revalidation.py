"""Whether a caller may still do what was allowed when the connection opened: a stream can outlive its key."""

from __future__ import annotations

import time

from starlette.types import Scope

from app.http.auth import Caller, require_scope
from app.http.identity import identify


class Revalidation:
    """The caller of a long connection, looked up again now and then."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._seconds = scope["state"]["services"].settings.heartbeat_seconds
        self._confirmed = time.monotonic()

    async def confirm(self) -> None:
        """Look the key up again unless that was just done. Raises Unauthenticated, Forbidden."""
        if time.monotonic() - self._confirmed >= self._seconds:
            await self._look_up()

    async def may_write(self) -> None:
        """Look the key up now, whenever that was done before. Raises Unauthenticated, Forbidden."""
        require_scope(await self._look_up(), "write")

    async def _look_up(self) -> Caller:
        caller = await identify(self._scope)
        self._confirmed = time.monotonic()
        return caller
