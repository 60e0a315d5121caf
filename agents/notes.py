"""The note keeper."""

from __future__ import annotations

from langgraph.runtime import Runtime
from pydantic import Field

from agents.agent import Agent, Reports, Task
from agents.context import Context
from agents.tool_schemas import Lines, Phrase, Worded, Words, one_of

PROMPT = """You keep the user's notes, ideas, questions, thoughts and lists.
Call Note once for each new one. Patch an existing note to change it, its priority or when it is due; to add to a list
or tick a line off, patch its items. Remove a note only when the user says so. Keep the user's own words."""


class NoteWords(Worded):
    """A new note or list."""

    category: one_of("note", "idea", "list", "question", "thought") = None  # type: ignore[valid-type]
    summary: Words = Field(None, description="At most ten words; the name of a list.")
    content: Words = None
    items: Lines = Field(None, description="The lines of a list.")
    status: one_of("active", "completed", "archived") = None  # type: ignore[valid-type]
    priority: one_of("low", "medium", "high") = None  # type: ignore[valid-type]
    deadline: Phrase = Field(None, description="When it is due and the user wants to be told of it.")
    recurrence: Phrase = None
    snooze_until: Phrase = None
    tags: Lines = None


class NoteKeeper(Agent):
    """Keeps notes, ideas, questions, thoughts and lists."""

    worker = "update_notes"

    async def update_notes(self, task: Task, runtime: Runtime[Context]) -> Reports:
        """Apply this turn's changes to the notes."""
        return await self.run(task, runtime)
