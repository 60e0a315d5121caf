"""The note keeper."""

from __future__ import annotations

from langgraph.runtime import Runtime
from pydantic import Field

from agents.agent import Agent, Reports, Task
from agents.context import Context
from agents.tool_schemas import Lines, Time, Worded, Words, one_of

PROMPT = """You keep the user's notes, ideas, questions, thoughts and lists.
Call Note once for each new one; PatchDoc to change one; RemoveDoc only where the user wants it gone.
To put lines on a list, add them to items, each as a string. To tick off, reword or take away lines,
set items to all lines as they are to be, each as {"text", "done"}. Keep the user's own words; where they ask you to
write the note, write it."""


class NoteWords(Worded):
    """A new note or list."""

    category: one_of("note", "idea", "list", "question", "thought") = None  # type: ignore[valid-type]
    summary: Words = Field(None, description="At most ten words; the name of a list.")
    content: Words = None
    items: Lines = None
    status: one_of("active", "completed", "archived") = None  # type: ignore[valid-type]
    priority: one_of("low", "medium", "high") = None  # type: ignore[valid-type]
    deadline: Time = Field(None, description="When the user wants to be told of it.")
    recurrence: Time = None
    snooze_until: Time = None
    tags: Lines = None


class NoteKeeper(Agent):
    """Keeps notes, ideas, questions, thoughts and lists."""

    worker = "update_notes"

    async def update_notes(self, task: Task, runtime: Runtime[Context]) -> Reports:
        """Apply this turn's changes to the notes."""
        return await self.run(task, runtime)
