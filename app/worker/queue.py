"""The job queue: procrastinate on a small pool of its own, with the jobs that it is handed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

from procrastinate import App, Blueprint, JobContext, PsycopgConnector
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from app.database.jobs import NAMESPACE, Job
from app.principal import Principal, acting_as

PoolOf = type[AsyncConnectionPool[Any]]
Configure = Callable[[AsyncConnection[Any]], Awaitable[None]]


def add_jobs(queue: App, jobs: Sequence[Job]) -> None:
    """Let the queue know how jobs are done; a job that is put in before waits where nobody looks."""
    tasks = Blueprint()
    for job in jobs:
        task = tasks.task(
            name=job.name,
            queue=job.queue.name,
            lock=job.name if job.alone else None,
            queueing_lock=job.name if job.every else None,
            pass_context=True,
            retry=job.retry,
        )(_act_for_user(job))
        if job.every:
            tasks.periodic(cron=job.every)(task)
    queue.add_tasks_from(tasks, namespace=NAMESPACE)


def _act_for_user(job: Job) -> Callable[..., Awaitable[None]]:
    async def work(context: JobContext, *, user_id: str = "", timestamp: int = 0, **ids: str) -> None:  # noqa: ARG001 - the schedule passes a timestamp
        given = [context] if job.pass_context else []
        if not user_id:
            await job.work(*given)
            return
        user = UUID(user_id)
        with acting_as(Principal(user)):
            await job.work(*given, user_id=user, **{name: UUID(value) for name, value in ids.items()})

    return work


def without_schedule(queue: App) -> App:
    """The same queue for workers that put in nothing at set times: of a process, one that does is enough."""
    apart = App(connector=queue.connector)
    apart.tasks = queue.tasks
    return apart


@asynccontextmanager
async def open_queue(url: str, configure: Configure, pool: PoolOf = AsyncConnectionPool) -> AsyncIterator[App]:
    """The queue on a small ``pool`` of its own; ``configure`` makes each connection work as the app role."""

    async def alone(conn: AsyncConnection[Any]) -> None:
        await configure(conn)
        await conn.set_autocommit(True)  # each statement of the queue is whole: no trips to begin and to end it

    connector = PsycopgConnector(conninfo=url, min_size=1, max_size=4, configure=alone, pool_factory=pool)
    async with App(connector=connector).open_async() as queue:
        yield queue
