"""A pool of connections that loses no cancel, is back as soon as its database is, and serves users in turn."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar
from uuid import UUID

from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool, PoolTimeout, TooManyRequests

from app.principal import acting_user
from app.shares import Shares

C = TypeVar("C", bound=AsyncConnection[Any])
RETRY_SECONDS = 1.0
RESERVED = 4
"""One of so many connections is kept from whoever holds all others."""


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


class FairPool(Pool[C]):
    """The same, shared fairly: a connection that becomes free goes to the user who holds fewest.

    However much one user asks for at once, a fourth of the connections is never theirs. What no user asks for, such as
    whose a key is, counts as one more user.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._shares = Shares(self.max_size, self.max_size - self.max_size // RESERVED)
        self._holders: dict[int, UUID | None] = {}

    async def getconn(self, timeout: float | None = None) -> C:  # noqa: ASYNC109 - the library's signature
        """As the library does, in fair turn; raises PoolTimeout and TooManyRequests as it does."""
        user, longest = acting_user(), self.timeout if timeout is None else timeout
        if self.max_waiting and self._shares.waiting >= self.max_waiting:
            raise TooManyRequests(f"{self._shares.waiting} callers wait for a connection already")
        try:
            async with asyncio.timeout(longest):
                await self._shares.enter(user)
        except TimeoutError:
            raise PoolTimeout(f"couldn't get a connection after {longest:.2f} sec") from None
        try:
            conn = await super().getconn(timeout)
        except BaseException:
            self._shares.leave(user)
            raise
        self._holders[id(conn)] = user
        return conn

    async def putconn(self, conn: C) -> None:
        """As the library does."""
        known = id(conn) in self._holders
        user = self._holders.pop(id(conn), None)
        try:
            await super().putconn(conn)
        finally:
            if known:
                self._shares.leave(user)
