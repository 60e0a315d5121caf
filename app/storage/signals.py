"""Wakes those who wait for a user's news, in this process and in every other one on the same database."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self
from uuid import UUID, uuid4

import psycopg

from app.storage.database import Database

log = logging.getLogger(__name__)

CHANNEL = "summit_news"
RECONNECT_SECONDS = 1.0
GATHER_SECONDS = 0.02  # a turn has news several times on its way: other processes are told together
# A signal is not worth a log flush: what it tells about is committed already.
TELL = "select set_config('synchronous_commit', 'off', true), pg_notify(%s, p) from unnest(%s::text[]) p"


class Listener:
    """One waiter; a signal that comes while nobody waits is remembered."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def set(self) -> None:
        """Wake the waiter."""
        self._event.set()

    async def wait(self, seconds: float) -> bool:
        """True when woken within ``seconds``."""
        try:
            async with asyncio.timeout(seconds):
                await self._event.wait()
        except TimeoutError:
            return False
        self._event.clear()
        return True


class Signals:
    """Local listeners at once; other processes by NOTIFY, gathered so that a burst costs one statement."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._listeners: defaultdict[UUID, set[Listener]] = defaultdict(set)
        self._name = uuid4().hex
        self._news: set[UUID] = set()
        self._wanted = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._hearing = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._tasks = [asyncio.create_task(self._hear()), asyncio.create_task(self._tell())]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def ready(self) -> None:
        """Return once the listener receives notifications of other processes."""
        await self._hearing.wait()

    @contextmanager
    def listen(self, about: UUID) -> Iterator[Listener]:
        """A listener for the news of a user, or of a turn."""
        listener = Listener()
        self._listeners[about].add(listener)
        try:
            yield listener
        finally:
            self._listeners[about].discard(listener)
            if not self._listeners[about]:
                del self._listeners[about]

    def wake(self, about: UUID) -> None:
        """Tell everybody that there is news of a user, or of a turn; never blocks."""
        self._wake_here(about)
        self._news.add(about)
        self._wanted.set()

    def _wake_here(self, about: UUID) -> None:
        for listener in self._listeners.get(about, ()):
            listener.set()

    def _wake_everyone(self) -> None:
        for about in list(self._listeners):
            self._wake_here(about)

    async def _tell(self) -> None:
        while True:
            await self._wanted.wait()
            await asyncio.sleep(GATHER_SECONDS)
            self._wanted.clear()
            news, self._news = self._news, set()
            payloads = [f"{self._name}:{about}" for about in news]
            with contextlib.suppress(psycopg.Error):  # waiters also look by themselves every few seconds
                async with self._database.pool.connection() as conn:
                    await conn.execute(TELL, (CHANNEL, payloads))

    async def _hear(self) -> None:
        while True:
            try:
                async with self._database.connect() as conn:
                    await conn.execute(f"listen {CHANNEL}")
                    self._hearing.set()
                    self._wake_everyone()  # what was told while nobody heard is told by looking
                    async for notice in conn.notifies():
                        self._heard(notice.payload)
            except (psycopg.Error, OSError) as error:
                log.warning("lost the news channel (%s), connecting again", type(error).__name__)
            await asyncio.sleep(RECONNECT_SECONDS)

    def _heard(self, payload: str) -> None:
        name, _, about = payload.partition(":")
        if name != self._name:
            self._wake_here(UUID(about))
