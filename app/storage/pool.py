"""A pool of connections that loses no cancel, and is back as soon as its database is."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

C = TypeVar("C", bound=AsyncConnection[Any])
RETRY_SECONDS = 1.0


class Pool(AsyncConnectionPool[C]):
    """The library's pool with two differences.

    A task that is cancelled while it gets a connection is cancelled. The library waits with asyncio.wait_for, which on
    Python 3.11 drops a cancel that arrives together with the result (CPython gh-86296). A task without an end of its
    own then ran on, and whoever waited for it waited for ever.

    It looks for a database that is gone every second. The library doubles its pauses, so that one that was gone for
    minutes would be back for minutes before anybody noticed; here it gives up at once, and begins anew.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **{"reconnect_timeout": RETRY_SECONDS, **options})

    async def reconnect_failed(self) -> None:
        """Try again."""
        await super().reconnect_failed()
        if not self.closed:
            await self.check()

    async def getconn(self, timeout: float | None = None) -> C:  # noqa: ASYNC109 - the library's signature
        """As the library does; raises CancelledError where the task was asked to end meanwhile."""
        task = asyncio.current_task()
        asked = task.cancelling() if task else 0
        conn = await super().getconn(timeout)
        if task and task.cancelling() > asked:
            await self.putconn(conn)
            raise asyncio.CancelledError
        return conn
