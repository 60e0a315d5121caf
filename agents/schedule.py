"""The scheduler."""

from __future__ import annotations

from langgraph.runtime import Runtime

from agents.context import Context
from agents.cycle import Agent, Reports, Task


class Scheduler(Agent):
    """Books, moves and cancels appointments."""

    worker = "update_events"

    async def update_events(self, task: Task, runtime: Runtime[Context]) -> Reports:
        """Apply this turn's changes to the calendar."""
        return await self.run(task, runtime)
