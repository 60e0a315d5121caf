"""Recall."""

from __future__ import annotations

from langgraph.runtime import Runtime

from agents.context import Context
from agents.cycle import Agent, Reports, Task


class Recall(Agent):
    """Answers questions about what is stored; it never changes anything."""

    worker = "recall"

    async def recall(self, task: Task, runtime: Runtime[Context]) -> Reports:
        """Answer from the stored records."""
        return await self.answer(task, runtime)
