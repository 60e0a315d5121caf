"""Wakes those who wait for a user's news, in this process and in every other one on the same database."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self
from uuid import UUID, uuid4

import psycopg

from app.database.database import Database

log = logging.getLogger(__name__)

CHANNEL = "summit_news"
RECONNECT_SECONDS = 1.0
GATHER_SECONDS = 0.02  # a turn has news several times on its way: other processes are told together
# A signal is not worth a log flush: what it tells about is committed already.
HERE_SECONDS = 5.0
"""How often a process says that it listens."""
PEER_SECONDS = 4 * HERE_SECONDS
"""How long a process counts as listening after it was heard last; one that stood still says so when it goes on."""
HELLO, HERE = "hello", "here"
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


class Peers:
    """Who else listens on the channel. Until that is known, somebody does."""

    def __init__(self, here_seconds: float, peer_seconds: float) -> None:
        self._here_seconds = here_seconds
        self._peer_seconds = peer_seconds
        self._heard: dict[str, float] = {}
        self._unsure_until = math.inf

    def mark_lost(self) -> None:
        """The channel is gone: whoever comes now is not heard."""
        self._unsure_until = math.inf

    def listening(self) -> None:
        """The channel is open: whoever else listens answers within seconds."""
        self._unsure_until = time.monotonic() + self._here_seconds

    def register(self, name: str) -> bool:
        """Another process has said something; whether it was not known."""
        fresh = name not in self._heard
        self._heard[name] = time.monotonic()
        return fresh

    def any(self) -> bool:
        """Whether what is told now may be heard by another process."""
        now = time.monotonic()
        self._heard = {name: last for name, last in self._heard.items() if now - last < self._peer_seconds}
        return bool(self._heard) or now < self._unsure_until


class Signals:
    """Local listeners at once; other processes by NOTIFY, gathered so that a burst costs one statement.

    Where no other process listens, nothing is notified. A process that begins to listen says hello, and each that hears
    it answers; what was told before is found by looking, as after any break of the channel.
    """

    def __init__(
        self, database: Database, *, here_seconds: float = HERE_SECONDS, peer_seconds: float = PEER_SECONDS
    ) -> None:
        self._database = database
        self._here_seconds = here_seconds
        self._listeners: defaultdict[UUID, set[Listener]] = defaultdict(set)
        self._name = uuid4().hex
        self._news: set[str] = set()
        self._wanted = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._hearing = asyncio.Event()
        self._peers = Peers(here_seconds, peer_seconds)

    async def __aenter__(self) -> Self:
        loops = self._hear(), self._tell(), self._say_here()
        self._tasks = [asyncio.create_task(loop) for loop in loops]
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
        if self._peers.any():
            self._say(str(about))

    def _say(self, word: str) -> None:
        self._news.add(word)
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
            payloads = [f"{self._name}:{word}" for word in news]
            with contextlib.suppress(psycopg.Error):  # waiters also look by themselves every few seconds
                async with self._database.pool.connection() as conn:
                    await conn.execute(TELL, (CHANNEL, payloads))

    async def _say_here(self) -> None:
        while True:
            await asyncio.sleep(self._here_seconds)
            self._say(HERE)

    async def _hear(self) -> None:
        while True:
            try:
                async with self._database.connect() as conn:
                    await conn.execute(f"listen {CHANNEL}")
                    self._hearing.set()
                    self._peers.listening()
                    self._say(HELLO)
                    self._wake_everyone()  # what was told while nobody heard is told by looking
                    async for notice in conn.notifies():
                        self._handle_notification(notice.payload)
            except (psycopg.Error, OSError) as error:
                log.warning("lost the news channel (%s), connecting again", type(error).__name__)
            self._peers.mark_lost()
            await asyncio.sleep(RECONNECT_SECONDS)

    def _handle_notification(self, payload: str) -> None:
        name, _, word = payload.partition(":")
        if name == self._name:
            return
        fresh = self._peers.register(name)
        if fresh or word == HELLO:
            self._say(HERE)  # it may not know of us
        if fresh:
            self._wake_everyone()  # what it told before it knew of us
        elif word not in (HELLO, HERE):
            self._wake_here(UUID(word))
