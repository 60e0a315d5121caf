"""The task manager."""

from __future__ import annotations

from langgraph.runtime import Runtime
from pydantic import Field

from agents.agent import Agent, Reports, Task, store_of
from agents.context import Context, clock_of, user_of
from agents.contract import Change
from agents.store import note_taken
from agents.tool_schemas import Lines, Minutes, Phrase, Worded, Words, one_of

PROMPT = """You keep the user's tasks, reminders and habits.
Call Task once for each new one. Patch an existing task to change, finish (status done) or archive (status archived) it,
and remove it only when the user says so. Prefer patching a task that is there to adding a second one.
A reminder has kind reminder and remind_at; anything else with a time has a deadline.
For a new task that takes more than one action, give 3 to 6 concrete solutions that name its object."""


class TaskWords(Worded):
    """A new task, reminder or habit."""

    task: Words = Field(None, description="What is to be done, in the user's words, without its time.")
    kind: one_of("todo", "reminder", "habit") = None  # type: ignore[valid-type]
    status: one_of("not started", "in progress", "done", "archived") = None  # type: ignore[valid-type]
    deadline: Phrase = None
    remind_at: Phrase = None
    snooze_until: Phrase = None
    recurrence: Phrase = None
    priority: one_of("low", "medium", "high") = None  # type: ignore[valid-type]
    difficulty: one_of("easy", "medium", "hard") = None  # type: ignore[valid-type]
    time_to_complete: Minutes = None
    solutions: Lines = None
    notes: Words = None
    list: Words = None
    tags: Lines = None


class TaskManager(Agent):
    """Creates, changes, completes and deletes tasks, reminders and habits."""

    worker = "update_todos"

    async def update_todos(self, task: Task, runtime: Runtime[Context]) -> Reports:
        """Apply this turn's changes to the to-dos."""
        done, context = await self.run(task, runtime), runtime.context
        changes = [change for report in done["reports"] for change in report.changes if _takes_up(change)]
        taken = [change.record_id for change in changes if change.record_id]
        await note_taken(store_of(runtime), user_of(context), taken, clock_of(context))
        return done


def _takes_up(change: Change) -> bool:
    """Whether a change shows that a task was begun or done."""
    begun = change.op == "update" and change.fields.get("status") in ("in progress", "done")
    return change.status == "applied" and (begun or change.op == "complete")
