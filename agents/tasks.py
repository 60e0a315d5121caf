"""The task manager."""

from __future__ import annotations

from langgraph.runtime import Runtime

from agents.context import Context
from agents.cycle import Agent, Reports, Task


class TaskManager(Agent):
    """Creates, changes, completes and deletes tasks, reminders and habits."""

    worker = "update_todos"

    async def update_todos(self, task: Task, runtime: Runtime[Context]) -> Reports:
        """Apply this turn's changes to the to-dos."""
        return await self.run(task, runtime)
