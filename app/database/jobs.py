"""Background jobs as slices bring them, and how rows put them into the queue."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from procrastinate import App, BaseRetryStrategy, RetryDecision
from procrastinate.exceptions import AlreadyEnqueued
from procrastinate.jobs import Job as QueuedJob
from psycopg import AsyncConnection

NAMESPACE = "summit"
MAX_TRIES = 200
MAX_PAUSE_SECONDS = 10


@dataclass(frozen=True)
class Queue:
    """Jobs that wait for one another; with ``at_once`` they have workers of their own, and hold up no other queue."""

    name: str
    at_once: int | None = None


SHARED = Queue("default")


@dataclass(frozen=True)
class Job:
    """Background work. Its arguments are ids only, by name; one with a ``user_id`` acts for that user.

    ``every`` is a cron expression, whose sixth field is the seconds; such a job has no arguments, and waits once.
    One that is ``alone`` never runs twice at a time; ``pass_context`` hands procrastinate's context in before the ids.
    """

    name: str
    work: Callable[..., Awaitable[object]]
    retry: BaseRetryStrategy
    queue: Queue = SHARED
    every: str = ""
    alone: bool = False
    pass_context: bool = False


@dataclass(frozen=True)
class TakenUpAgain(BaseRetryStrategy):
    """Work whose worker stopped or broke goes on within seconds; how often it may break is counted by the work."""

    max_tries: int = MAX_TRIES
    pause_seconds: int = 1

    def get_retry_decision(self, *, exception: BaseException, job: QueuedJob) -> RetryDecision | None:
        """Pauses grow to ten seconds; a worker that was stopped needs none."""
        if job.attempts > self.max_tries:
            return None
        stopped = isinstance(exception, asyncio.CancelledError)
        pause = min(self.pause_seconds << min(job.attempts, 4), MAX_PAUSE_SECONDS)
        return RetryDecision(retry_in={"seconds": 0 if stopped else pause})


async def defer(
    queue: App,
    name: str,
    conn: AsyncConnection[Any] | None = None,
    *,
    at: datetime | None = None,
    lock: str | None = None,
    queueing_lock: str | None = None,
    **ids: UUID,
) -> None:
    """Have a job done once ``conn`` commits, or at a later moment.

    Of those with one ``lock`` one works at a time, of those with one ``queueing_lock`` one waits: another one raises
    AlreadyEnqueued.
    """
    job = queue.configure_task(
        f"{NAMESPACE}:{name}", connection=conn, schedule_at=at, lock=lock, queueing_lock=queueing_lock
    )
    await job.defer_async(**{argument: str(value) for argument, value in ids.items()})


async def defer_once(queue: App, name: str, waiting: str, *, lock: str | None = None, **ids: UUID) -> None:
    """Have a job done unless one ``waiting`` under that name will do it."""
    try:
        await defer(queue, name, None, at=None, lock=lock, queueing_lock=waiting, **ids)
    except AlreadyEnqueued:
        return
