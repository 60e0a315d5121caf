"""The profile keeper."""

from __future__ import annotations

from langgraph.runtime import Runtime

from agents.agent import Agent, Reports, Task
from agents.context import Context
from agents.tool_schemas import Lines, Worded, Words

PROMPT = """You keep what the user says about themselves, and nothing that they did not say.
Fill in Profile, or call PatchDoc for the one that is there, whose id is profile. What has no field of its own goes
into facts, as name and value. If the user says since when something is so, copy these words into since, under the
name of the field or fact."""


class ProfileWords(Worded):
    """What the user says about themselves."""

    name: Words = None
    location: Words = None
    job: Words = None
    college: Words = None
    course: Words = None
    interests: Lines = None
    facts: dict[str, str] | None = None
    since: dict[str, str] | None = None


class ProfileKeeper(Agent):
    """Keeps what users say about themselves."""

    worker = "update_profile"

    async def update_profile(self, task: Task, runtime: Runtime[Context]) -> Reports:
        """Apply this turn's changes to the profile."""
        return await self.run(task, runtime)
