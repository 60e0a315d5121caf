"""The focus coach."""

from __future__ import annotations

from langgraph.runtime import Runtime

from agents.context import Context
from agents.cycle import Agent, Reports, Task


class FocusCoach(Agent):
    """Picks the one next action that fits the user's mood, energy and time."""

    worker = "focus_coach"

    async def focus_coach(self, task: Task, runtime: Runtime[Context]) -> Reports:
        """Suggest what to do next."""
        return await self.answer(task, runtime)
