"""Jobs of runs, on a queue of their own: one a run, so that turns and other jobs stay fast."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from procrastinate import App, RetryStrategy
from psycopg import AsyncConnection

from app.database.jobs import Job, Queue, TakenUpAgain, defer
from app.work.runs.model.runs import RunWork
from app.work.runs.store.runs import Runs
from app.work.runs.worker import RunWorker

RUN = "work_on_run"


def run_jobs(worker: RunWorker, runs: Runs, work: RunWork, at_once: int) -> Sequence[Job]:
    """Return what works on runs, ``at_once`` of them, and what goes on with those that wait for nobody any more."""

    async def tend_idle_runs() -> None:
        await runs.defer_lost()
        await runs.end_stopped()
        await runs.take_up_parked()
        for user_id, approval_id in await work.expired_approvals():
            await runs.decide(user_id, approval_id, "expired", None)

    return [
        Job(RUN, worker.run, TakenUpAgain(), Queue("runs", at_once)),
        Job("expire_approvals", tend_idle_runs, RetryStrategy(max_attempts=3, wait=5), every="* * * * *"),
    ]


async def defer_run(queue: App, conn: AsyncConnection[Any], user_id: UUID, run_id: UUID) -> None:
    """Work on a run once ``conn`` commits; one job of a run works at a time."""
    await defer(queue, RUN, conn, lock=f"run:{run_id}", user_id=user_id, run_id=run_id)
