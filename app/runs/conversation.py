"""Runs that a message begins: as agents.ports.LongWork, over the same storage as every other door."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID, uuid5

from agents.ports import LongRun, NotBegun
from app.ports.runs import NewRun, Run, RunLimits, Runs, Thinker

OPEN = ("queued", "running", "waiting")
MOST_LOOKED_AT = 50
LONGEST_TOLD = 600


class RunsOfConversation:
    """See agents.ports.LongWork; ``limits`` are those of every run that is begun by words."""

    def __init__(self, runs: Runs, thinker: Thinker, limits: RunLimits) -> None:
        self._runs = runs
        self._thinker = thinker
        self._limits = limits

    async def begin(self, user_id: str, turn_id: str, goal: str) -> NotBegun | None:
        """See LongWork: the run's id is made of the turn's, so a turn that is run again begins nothing new."""
        user = UUID(user_id)
        if (await self._runs.switch(user)).engaged:
            return "stopped"
        if not await self._thinker.available():
            return "no model"
        run = await self._runs.start(NewRun(user, uuid5(UUID(turn_id), "run"), goal, self._limits))
        return None if run.goal == goal else "one already"

    async def latest(self, user_id: str, most: int) -> Sequence[LongRun]:
        """See LongWork."""
        found = await self._runs.list(UUID(user_id), MOST_LOOKED_AT, None)
        runs: Sequence[Run] = found.items
        shown = [run for run in runs if run.status in OPEN] or runs[:1]
        return [await self._told(run) for run in shown[:most]]

    async def stop(self, user_id: str) -> int:
        """See LongWork."""
        user = UUID(user_id)
        found = await self._runs.list(user, MOST_LOOKED_AT, None)
        open_ = [run for run in found.items if run.status in OPEN]
        for run in open_:
            await self._runs.cancel(user, run.id)
        return len(open_)

    async def _told(self, run: Run) -> LongRun:
        told = str((run.result or {}).get("answer", ""))
        if run.status == "waiting":
            asked = [one for one in await self._runs.approvals(run.user_id, run.id) if one.status == "pending"]
            told = asked[0].reason if asked else ""
        return LongRun(goal=run.goal, status=run.status, told=told[:LONGEST_TOLD])
