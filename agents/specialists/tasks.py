"""The task manager."""

from __future__ import annotations

from langgraph.runtime import Runtime

from agents.context import Context, clock_of, user_of
from agents.contract import Change
from agents.specialists.agent import Agent, AgentInput, Reports, store_of
from agents.store import mark_suggestions_taken


class TaskManager(Agent):
    """Creates, changes, completes and deletes tasks, reminders and habits."""

    worker = "update_todos"

    async def update_todos(self, task: AgentInput, runtime: Runtime[Context]) -> Reports:
        """Apply this turn's changes to the to-dos."""
        done, context = await self.run(task, runtime), runtime.context
        changes = [change for report in done["reports"] for change in report.changes if _takes_up(change)]
        taken = [change.record_id for change in changes if change.record_id]
        await mark_suggestions_taken(store_of(runtime), user_of(context), taken, clock_of(context))
        return done


def _takes_up(change: Change) -> bool:
    """Whether a change shows that a task was begun or done."""
    begun = change.op == "update" and change.fields.get("status") in ("in progress", "done")
    return change.status == "applied" and (begun or change.op == "complete")
