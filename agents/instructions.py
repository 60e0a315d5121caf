"""The instruction keeper."""

from __future__ import annotations

from langgraph.runtime import Runtime
from pydantic import Field

from agents.agent import Agent, Reports, Task
from agents.context import Context
from agents.tool_schemas import Worded, Words

PROMPT = """You keep the user's standing wishes on how the assistant should work from now on.
Call Instruction once for each new wish; PatchDoc to change one; RemoveDoc only where the user drops it."""


class InstructionWords(Worded):
    """A new standing instruction."""

    text: Words = Field(None, description="The wish in the user's own words.")


class InstructionKeeper(Agent):
    """Keeps standing instructions: how the assistant should work."""

    worker = "update_instructions"

    async def update_instructions(self, task: Task, runtime: Runtime[Context]) -> Reports:
        """Apply this turn's changes to the standing instructions."""
        return await self.run(task, runtime)
