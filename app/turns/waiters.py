"""Wait for a turn to finish: notified in-process, or by following its events if another server runs it."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import UUID

from app.errors import NotFound
from app.records.store.event_log import EventLog
from app.turns.model.turns import Turn, TurnState
from app.turns.store.inbox import Inbox

OPEN_STATES: frozenset[TurnState] = frozenset({"queued", "running"})
POLL_SECONDS = 1.0


@dataclass
class Ending:
    """What those who wait for one turn share; ``turn`` is set once it has finished here."""

    event: asyncio.Event = field(default_factory=asyncio.Event)
    turn: Turn | None = None
    waiting: int = 0


class TurnWaiters:
    """Who waits for which turn; ``runs_here`` says whether this process works through the turn's thread."""

    def __init__(self, inbox: Inbox, events: EventLog, runs_here: Callable[[Turn], bool]) -> None:
        self._inbox = inbox
        self._events = events
        self._runs_here = runs_here
        self._endings: dict[tuple[UUID, UUID], Ending] = {}
        self._begun: dict[tuple[UUID, UUID], Turn] = {}

    def expect(self, turn: Turn) -> None:
        """Register a turn that starts in this process: waiters need not read its row."""
        self._begun[turn.user_id, turn.id] = turn

    def tell(self, turn: Turn, finished: Turn | None) -> None:
        """Let those who wait for a turn go on: with its finished row, or else by looking at it again."""
        key = (turn.user_id, turn.id)
        self._begun.pop(key, None)
        if ending := self._endings.get(key):
            ending.turn = finished
            ending.event.set()

    async def wait(self, user_id: UUID, turn_id: UUID, seconds: float) -> Turn:
        """The turn once it is finished, or as it is after ``seconds``. Raises NotFound."""
        deadline = time.monotonic() + seconds
        # This must exist before the first look: the turn may end between the look and the wait.
        ending = self._endings.setdefault((user_id, turn_id), Ending())
        ending.waiting += 1
        try:
            turn = self._begun.get((user_id, turn_id)) or await self.require_turn(user_id, turn_id)
            while turn.state in OPEN_STATES and (left := deadline - time.monotonic()) > 0:
                await self._end(turn, ending, min(left, POLL_SECONDS))
                turn = ending.turn or await self.require_turn(user_id, turn_id)
        finally:
            ending.waiting -= 1
            if not ending.waiting:
                self._endings.pop((user_id, turn_id), None)
        return turn

    async def require_turn(self, user_id: UUID, turn_id: UUID) -> Turn:
        """The turn as it is now. Raises NotFound."""
        turn = await self._inbox.get(user_id, turn_id)
        if turn is None:
            raise NotFound(f"There is no turn {turn_id}.")
        return turn

    async def _end(self, turn: Turn, ending: Ending, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                if self._runs_here(turn):
                    await ending.event.wait()
                else:
                    async for _ in self._events.follow(turn.user_id, turn_id=turn.id):
                        pass
        ending.event.clear()
