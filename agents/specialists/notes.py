"""The note keeper."""

from __future__ import annotations

from langgraph.runtime import Runtime

from agents.context import Context
from agents.specialists.agent import Agent, Reports, Task


class NoteKeeper(Agent):
    """Keeps notes, ideas, questions, thoughts and lists."""

    worker = "update_notes"

    async def update_notes(self, task: Task, runtime: Runtime[Context]) -> Reports:
        """Apply this turn's changes to the notes."""
        return await self.run(task, runtime)
