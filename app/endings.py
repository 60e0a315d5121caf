"""Waiting for the end of a turn: told at once when it runs here, by its events when it runs on another server."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from uuid import UUID

from app.errors import NotFound
from app.ports import EventLog, Inbox, Turn, TurnState

OPEN_STATES: frozenset[TurnState] = frozenset({"queued", "running"})
POLL_SECONDS = 1.0


class Endings:
    """Who waits for which turn; ``runs_here`` says whether this process works through the turn's thread."""

    def __init__(self, inbox: Inbox, events: EventLog, runs_here: Callable[[Turn], bool]) -> None:
        self._inbox = inbox
        self._events = events
        self._runs_here = runs_here
        self._ended: dict[UUID, asyncio.Event] = {}

    def tell(self, turn_id: UUID) -> None:
        """Let those who wait for a turn look at it again."""
        if turn_id in self._ended:
            self._ended[turn_id].set()

    async def wait(self, user_id: UUID, turn_id: UUID, seconds: float) -> Turn:
        """The turn once it is finished, or as it is after ``seconds``. Raises NotFound."""
        deadline = time.monotonic() + seconds
        # This must exist before the first look: the turn may end between the look and the wait.
        ended = self._ended.setdefault(turn_id, asyncio.Event())
        try:
            turn = await self.known(user_id, turn_id)
            while turn.state in OPEN_STATES and (left := deadline - time.monotonic()) > 0:
                await self._end(turn, ended, min(left, POLL_SECONDS))
                ended.clear()
                turn = await self.known(user_id, turn_id)
        finally:
            self._ended.pop(turn_id, None)
        return turn

    async def known(self, user_id: UUID, turn_id: UUID) -> Turn:
        """The turn as it is now. Raises NotFound."""
        turn = await self._inbox.get(user_id, turn_id)
        if turn is None:
            raise NotFound(f"There is no turn {turn_id}.")
        return turn

    async def _end(self, turn: Turn, ended: asyncio.Event, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                if self._runs_here(turn):
                    await ended.wait()
                else:
                    async for _ in self._events.follow(turn.user_id, turn_id=turn.id):
                        pass
