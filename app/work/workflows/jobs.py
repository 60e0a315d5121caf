"""Jobs of workflows, on a queue of their own: one a run, and a look every few seconds for what is to be started."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from procrastinate import App, RetryStrategy
from psycopg import AsyncConnection

from app.database.jobs import Job, Queue, TakenUpAgain, defer
from app.http.accounts.store.users import Users
from app.work.mail.store.outgoing import Outbox
from app.work.workflows.definition import Definition
from app.work.workflows.schedule import next_moment
from app.work.workflows.store import Workflows
from app.work.workflows.worker import WorkflowWorker

WORKFLOW = "work_on_workflow"
DUE_AT_ONCE = 100


@dataclass(frozen=True)
class WorkflowStarter:
    """Starts what is due; ``timezone`` is that of users who have not set one."""

    starts: Workflows
    users: Users
    mail: Outbox
    timezone: str

    async def look(self) -> None:
        """Start what is due, and put what memos started into the queue. After a pause one run makes up for all."""
        for user_id, slug, at in await self.starts.due(DUE_AT_ONCE):
            workflow = await self.starts.get(user_id, slug)
            if workflow:
                user = await self.users.get(user_id)
                zone = (user.settings.get("timezone") if user else None) or self.timezone
                next_at = next_moment(Definition.model_validate(workflow.definition), datetime.now(UTC), zone)
                await self.starts.come(user_id, slug, at, next_at)
        while await self.starts.defer(DUE_AT_ONCE) == DUE_AT_ONCE:
            continue
        await self.mail.defer_lost(DUE_AT_ONCE)


def workflow_jobs(worker: WorkflowWorker, starter: WorkflowStarter, at_once: int) -> Sequence[Job]:
    """Return what works on runs of workflows, ``at_once`` of them, and what starts them."""
    again = RetryStrategy(max_attempts=3, wait=1)
    return [
        Job(WORKFLOW, worker.run, TakenUpAgain(), Queue("workflows", at_once)),
        Job("look_for_workflows", starter.look, again, every="* * * * * */5"),
    ]


async def defer_workflow(queue: App, conn: AsyncConnection[Any], user_id: UUID, run_id: UUID) -> None:
    """Work on a workflow's run once ``conn`` commits; one job of a run works at a time."""
    await defer(queue, WORKFLOW, conn, lock=f"workflow:{run_id}", user_id=user_id, run_id=run_id)
