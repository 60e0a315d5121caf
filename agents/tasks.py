"""The task manager."""

from __future__ import annotations

from typing import Annotated, Any

from langgraph.runtime import Runtime
from pydantic import AfterValidator, Field, WithJsonSchema

from agents.agent import Agent, Reports, Task, store_of
from agents.context import Context, clock_of, user_of
from agents.contract import Change
from agents.store import note_taken
from agents.tool_schemas import Lines, Minutes, Time, Worded, Words, one_of

PROMPT = """You keep the user's tasks, reminders and habits.
Call Task once for each new one; PatchDoc to change one, to finish it (status done) or to archive it (status archived);
RemoveDoc only where the user wants it gone. Change a stored task rather than adding it again.
A reminder has kind reminder and remind_at; anything else with a time has a deadline. A new task of more than one
action gets 3 to 6 short solutions that name its object; one action has none.
For help with planning, or a thing to break into tasks, call Plan instead: nothing is stored before the user agrees.
Where they list what to add, call Task."""


def only_tasks(value: Any) -> Any:
    """A list of tasks, each with its name; raises ValueError for anything else."""
    named = isinstance(value, list) and all(isinstance(one, dict) and isinstance(one.get("task"), str) for one in value)
    if not (named and value):
        raise ValueError("must be an array of objects with a task")
    return value


class TaskWords(Worded):
    """A new one."""

    task: Words = Field(None, description="Without its time.")
    kind: one_of("todo", "reminder", "habit") = None  # type: ignore[valid-type]
    status: one_of("not started", "in progress", "done", "archived") = None  # type: ignore[valid-type]
    deadline: Time = None
    remind_at: Time = None
    snooze_until: Time = None
    recurrence: Time = None
    priority: one_of("low", "medium", "high") = None  # type: ignore[valid-type]
    difficulty: one_of("easy", "medium", "hard") = None  # type: ignore[valid-type]
    time_to_complete: Minutes = Field(None, description="Minutes.")
    solutions: Lines = None
    notes: Words = None
    list: Words = None
    tags: Lines = None


class PlanWords(Worded):
    """Tasks to offer."""

    about: Words = Field(None, description="Copied from the message.")
    tasks: Annotated[
        Any,
        AfterValidator(only_tasks),
        WithJsonSchema(
            {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "task": {"type": "string"},
                        "solutions": {"type": "array", "items": {"type": "string"}},
                    },
                },
            }
        ),
    ] = None


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
