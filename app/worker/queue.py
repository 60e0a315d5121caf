"""The job queue: procrastinate on a small pool of its own, deferring inside our transactions."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any
from uuid import UUID

from procrastinate import App, PsycopgConnector
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from app.calendars.jobs.calendars import REFRESH, queueing_lock
from app.records.jobs.deliveries import MAIL, WEBHOOK
from app.records.model.notices import Notification
from app.work.runs.jobs import RUN
from app.work.workflows.jobs import SEND_MAIL, WORKFLOW
from app.worker.tasks import blueprint

NAMESPACE = "summit"
PoolOf = type[AsyncConnectionPool[Any]]
Configure = Callable[[AsyncConnection[Any]], Awaitable[None]]


def build_queue(connector: PsycopgConnector) -> App:
    """The queue with every task of ours."""
    queue = App(connector=connector)
    queue.add_tasks_from(blueprint(), namespace=NAMESPACE)
    return queue


def without_schedule(queue: App) -> App:
    """The same queue for workers that put in nothing at set times: of a process, one that does is enough."""
    apart = App(connector=queue.connector)
    apart.tasks = queue.tasks
    return apart


class Deferrer:
    """Puts jobs into the queue in the transaction of the rows they serve."""

    def __init__(self, queue: App) -> None:
        self._queue = queue

    async def transcription(self, conn: AsyncConnection[Any], user_id: UUID, memo_id: UUID) -> None:
        """Transcribe a memo once ``conn`` commits."""
        job = self._queue.configure_task(f"{NAMESPACE}:transcribe_memo", connection=conn)
        await job.defer_async(user_id=str(user_id), memo_id=str(memo_id))

    async def webhook(
        self, conn: AsyncConnection[Any], user_id: UUID, delivery_id: UUID, at: datetime | None = None
    ) -> None:
        """Make an attempt at a delivery once ``conn`` commits, or at a later moment."""
        job = self._queue.configure_task(f"{NAMESPACE}:{WEBHOOK}", connection=conn, schedule_at=at)
        await job.defer_async(user_id=str(user_id), delivery_id=str(delivery_id))

    async def mail(self, conn: AsyncConnection[Any], user_id: UUID, notifications: Sequence[Notification]) -> None:
        """Mail notifications once ``conn`` commits."""
        job = self._queue.configure_task(f"{NAMESPACE}:{MAIL}", connection=conn)
        for one in notifications:
            await job.defer_async(user_id=str(user_id), notification_id=str(one.id))

    async def run(self, conn: AsyncConnection[Any], user_id: UUID, run_id: UUID) -> None:
        """Work on a run once ``conn`` commits; one job of a run works at a time."""
        job = self._queue.configure_task(f"{NAMESPACE}:{RUN}", connection=conn, lock=f"run:{run_id}")
        await job.defer_async(user_id=str(user_id), run_id=str(run_id))

    async def workflow(self, conn: AsyncConnection[Any], user_id: UUID, run_id: UUID) -> None:
        """Work on a workflow's run once ``conn`` commits; one job of a run works at a time."""
        job = self._queue.configure_task(f"{NAMESPACE}:{WORKFLOW}", connection=conn, lock=f"workflow:{run_id}")
        await job.defer_async(user_id=str(user_id), run_id=str(run_id))

    async def send_mail(self, conn: AsyncConnection[Any], user_id: UUID, mail_id: UUID) -> None:
        """Send a user's mail once ``conn`` commits; one job of a mail works at a time."""
        job = self._queue.configure_task(f"{NAMESPACE}:{SEND_MAIL}", connection=conn, lock=f"mail:{mail_id}")
        await job.defer_async(user_id=str(user_id), mail_id=str(mail_id))

    async def calendar(self, conn: AsyncConnection[Any], user_id: UUID, calendar_id: UUID) -> None:
        """Read a calendar once ``conn`` commits."""
        job = self._queue.configure_task(REFRESH, connection=conn, queueing_lock=queueing_lock(calendar_id))
        await job.defer_async(user_id=str(user_id), calendar_id=str(calendar_id))


@asynccontextmanager
async def open_queue(url: str, configure: Configure, pool: PoolOf = AsyncConnectionPool) -> AsyncIterator[App]:
    """The queue on a small ``pool`` of its own; ``configure`` makes each connection work as the app role."""

    async def alone(conn: AsyncConnection[Any]) -> None:
        await configure(conn)
        await conn.set_autocommit(True)  # each statement of the queue is whole: no trips to begin and to end it

    connector = PsycopgConnector(conninfo=url, min_size=1, max_size=4, configure=alone, pool_factory=pool)
    async with build_queue(connector).open_async() as queue:
        yield queue
