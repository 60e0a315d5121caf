"""The instruction keeper."""

from __future__ import annotations

from langgraph.runtime import Runtime

from agents.context import Context
from agents.specialists.agent import Agent, AgentInput, Reports


class InstructionKeeper(Agent):
    """Keeps standing instructions: how the assistant should work."""

    worker = "update_instructions"

    async def update_instructions(self, task: AgentInput, runtime: Runtime[Context]) -> Reports:
        """Apply this turn's changes to the standing instructions."""
        return await self.run(task, runtime)
