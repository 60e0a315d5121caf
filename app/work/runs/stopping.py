"""What ends a run from outside: its user, a kill switch, its time; looked at each second and before each act."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

from app.principal import StaleLease
from app.work.runs.model.runs import Pulse, Run, RunWork, StopReason

T = TypeVar("T")
PULSE_SECONDS = 1.0


class Stopped(Exception):  # noqa: N818 - an outcome
    """The run was asked to stop while something was under way."""


class Stop:
    """Why a run is to end, once it is; and how long it has worked."""

    def __init__(self, run: Run, *, pulse_seconds: float = PULSE_SECONDS) -> None:
        self.reason: StopReason | None = None
        self.lost = False
        self._run = run
        self._pulse_seconds = pulse_seconds
        self._since = time.monotonic()
        self._before = float(run.usage.get("active_ms", 0)) / 1000
        self._ended = asyncio.Event()

    @property
    def active_seconds(self) -> float:
        """How long the run has worked, in this claim and those before."""
        return self._before + time.monotonic() - self._since

    def add(self, seconds: float) -> None:
        """Count what a child has worked."""
        self._before += seconds

    def usage(self) -> dict[str, Any]:
        """What is kept of it while it works."""
        return {**self._run.usage, "active_ms": round(self.active_seconds * 1000)}

    def end(self, reason: StopReason) -> None:
        """End the run; the first reason counts."""
        self.reason = self.reason or reason
        self._ended.set()

    def heed(self, pulse: Pulse) -> None:
        """What a look at the run's row and the switches comes to."""
        if pulse.switch.engaged:
            self.end("kill_switch")
        elif pulse.cancel_requested:
            self.end("cancelled")
        elif self.active_seconds >= self._run.limits.seconds:
            self.end("timeout")

    async def look(self, work: RunWork) -> None:
        """Look now; raises StaleLease when another worker has the run."""
        self.heed(await work.pulse(self._run, self.usage()))

    async def supervise(self, work: RunWork) -> None:
        """Look each second, for as long as the run works here."""
        while True:
            left = self._run.limits.seconds - self.active_seconds
            await asyncio.sleep(max(0.01, min(self._pulse_seconds, left)))
            try:
                await self.look(work)
            except StaleLease:
                self.lost = True
                self._ended.set()
                return

    async def unless(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something to its end, or cancel it and raise Stopped once the run is to end."""
        task, ended = asyncio.create_task(work), asyncio.create_task(self._ended.wait())
        try:
            await asyncio.wait({task, ended}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise Stopped
            return await task
        finally:
            for one in (task, ended):
                one.cancel()
            await asyncio.gather(task, ended, return_exceptions=True)
