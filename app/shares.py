"""Fair shares of what everybody needs: of those who wait for a place, whoever holds fewest goes first."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager

MOST_REMEMBERED = 10_000


class Shares:
    """So many ``places``, of which one party may hold ``each``.

    Between parties that hold as many, the one goes first that got a place longest ago; within one, who came first. So
    whoever asks for little waits for one place to become free, however much another one asks for.
    """

    def __init__(self, places: int, each: int) -> None:
        self._free = places
        self._each = each
        self._held: Counter[Hashable] = Counter()
        self._waiting: dict[Hashable, deque[asyncio.Future[None]]] = {}
        self._got: dict[Hashable, int] = {}
        self._given = 0

    @property
    def waiting(self) -> int:
        """How many wait, of all parties."""
        return sum(map(len, self._waiting.values()))

    @asynccontextmanager
    async def place(self, party: Hashable) -> AsyncIterator[None]:
        """Hold a place inside, as soon as it is this party's turn."""
        await self.enter(party)
        try:
            yield
        finally:
            self.leave(party)

    async def enter(self, party: Hashable) -> None:
        """Wait for a place; ``leave`` gives it back."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(party, deque()).append(turn)
        self._give()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._give_up(party, turn)
            else:
                self.leave(party)
            raise

    def leave(self, party: Hashable) -> None:
        """Give a place back."""
        self._free += 1
        self._held[party] -= 1
        if not self._held[party]:
            del self._held[party]
        self._give()

    def _give(self) -> None:
        while self._free and (party := self._next()) is not None:
            queue = self._waiting[party[0]]
            turn = queue.popleft()
            if not queue:
                del self._waiting[party[0]]
            if not turn.cancelled():
                self._hand(party[0], turn)

    def _give_up(self, party: Hashable, turn: asyncio.Future[None]) -> None:
        queue = self._waiting.get(party, deque())
        if turn in queue:
            queue.remove(turn)
            if not queue:
                del self._waiting[party]

    def _next(self) -> tuple[Hashable] | None:
        """Whose turn it is; a party may be called anything, None too."""
        able = [one for one in self._waiting if self._held[one] < self._each]
        return (min(able, key=lambda one: (self._held[one], self._got.get(one, 0))),) if able else None

    def _hand(self, party: Hashable, turn: asyncio.Future[None]) -> None:
        self._free -= 1
        self._held[party] += 1
        self._given += 1
        self._got[party] = self._given
        if len(self._got) > MOST_REMEMBERED:
            self._got = {one: number for one, number in self._got.items() if one in self._held or one in self._waiting}
        turn.set_result(None)
