"""The profile keeper."""

from __future__ import annotations

from langgraph.runtime import Runtime

from agents.context import Context
from agents.specialists.agent import Agent, AgentInput, Reports


class ProfileKeeper(Agent):
    """Keeps what users say about themselves."""

    worker = "update_profile"

    async def update_profile(self, task: AgentInput, runtime: Runtime[Context]) -> Reports:
        """Apply this turn's changes to the profile."""
        return await self.run(task, runtime)
