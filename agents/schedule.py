"""The scheduler."""

from __future__ import annotations

from langgraph.runtime import Runtime
from pydantic import Field

from agents.context import Context
from agents.cycle import Agent, Reports, Task
from agents.words import Phrase, Worded, Words

PROMPT = """You keep the user's calendar.
Call Appointment once for each new one. Patch an existing appointment to move or change it, and remove it only when the
user cancels it. `when` holds all that was said about its time: day, clock time, length and repetition."""


class AppointmentWords(Worded):
    """A new appointment."""

    title: Words = Field(None, description="What it is, in the user's words, without its time and place.")
    when: Phrase = None
    location: Words = None
    notes: Words = None


class Scheduler(Agent):
    """Books, moves and cancels appointments."""

    worker = "update_events"

    async def update_events(self, task: Task, runtime: Runtime[Context]) -> Reports:
        """Apply this turn's changes to the calendar."""
        return await self.run(task, runtime)
