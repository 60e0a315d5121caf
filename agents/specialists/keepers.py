"""The keepers of notes, of the profile and of standing instructions: each applies its part, and adds nothing to it."""

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


class ProfileKeeper(Agent):
    """Keeps what users say about themselves."""

    worker = "update_profile"

    async def update_profile(self, task: AgentInput, runtime: Runtime[Context]) -> Reports:
        """Apply this turn's changes to the profile."""
        return await self.run(task, runtime)


class InstructionKeeper(Agent):
    """Keeps standing instructions: how the assistant should work."""

    worker = "update_instructions"

    async def update_instructions(self, task: AgentInput, runtime: Runtime[Context]) -> Reports:
        """Apply this turn's changes to the standing instructions."""
        return await self.run(task, runtime)
