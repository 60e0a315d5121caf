"""Turns go first: the steps of runs in the same process begin one after another, with room for turns between them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

QUIET_GAP_SECONDS = 0.02
TALK_GAP_SECONDS = 0.06
"""Between the beginnings of two nodes of runs, while nobody talks and while somebody does.

A step of a run has four nodes, so that all runs together make some four steps a second at least; a model of today
takes seconds for one.
"""
TALK_SECONDS = 1.0
"""How long after a turn its user may still be about to say the next thing."""


class RunThrottle:
    """One for a process; it holds no run for good, so that runs end on a busy server, too."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._under_way = 0
        self._talk_until = 0.0
        self._begun = 0.0
        self._one = asyncio.Lock()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """A turn is under way inside."""
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1
            self._talk_until = self._clock() + TALK_SECONDS

    async def step(self) -> None:
        """Wait until a node of a run may begin."""
        async with self._one:
            left = self._begun + self._gap() - self._clock()
            if left > 0:
                await self._sleep(left)
            self._begun = self._clock()

    def _gap(self) -> float:
        talking = self._under_way > 0 or self._clock() < self._talk_until
        return TALK_GAP_SECONDS if talking else QUIET_GAP_SECONDS
