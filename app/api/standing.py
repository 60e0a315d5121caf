"""Whether a caller may still do what was allowed when the connection opened: a stream can outlive its key."""

from __future__ import annotations

import time

from starlette.types import Scope

from app.api.identity import identify

CONFIRM_SECONDS = 5.0


class Standing:
    """The caller of a long connection, looked up again now and then."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._confirmed = time.monotonic()

    async def confirm(self) -> None:
        """Look the key up again unless that was just done. Raises Unauthenticated, Forbidden."""
        if time.monotonic() - self._confirmed >= CONFIRM_SECONDS:
            await identify(self._scope)
            self._confirmed = time.monotonic()
