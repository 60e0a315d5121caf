"""The note keeper."""

from __future__ import annotations

from langgraph.runtime import Runtime

from agents.context import Context
from agents.specialists.agent import Agent, AgentInput, Reports


class NoteKeeper(Agent):
    """Keeps notes, ideas, questions, thoughts and lists."""

    worker = "update_notes"

    async def update_notes(self, task: AgentInput, runtime: Runtime[Context]) -> Reports:
        """Apply this turn's changes to the notes."""
        return await self.run(task, runtime)
