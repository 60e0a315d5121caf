"""Periodic jobs of the queue itself: those whose worker died begin again, and what is older than its retention goes."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from procrastinate import App, RetryStrategy
from procrastinate.exceptions import UniqueViolation
from procrastinate.jobs import Status

from app.database.jobs import Job

log = logging.getLogger(__name__)
HOURS = 24
STALLED_SECONDS = 4.0


def cleanup_jobs(queue: App, prune: Callable[[], Awaitable[Mapping[str, int]]], days: int) -> Sequence[Job]:
    """Return what tends the queue; ``prune`` forgets rows and counts them by table.

    Jobs that ended otherwise than well are kept for ``days``.
    """

    async def delete_expired() -> None:
        gone = await prune()
        await queue.job_manager.delete_old_jobs(
            nb_hours=days * HOURS, include_failed=True, include_cancelled=True, include_aborted=True
        )
        log.info("forgot %s", ", ".join(f"{count} {table}" for table, count in gone.items()))

    return [
        # Every hour, as a machine may be up for a few of them only.
        Job("forget_old", delete_expired, RetryStrategy(max_attempts=3, wait=60), every="43 * * * *"),
        Job(
            "rescue_stalled_jobs",
            partial(rescue_stalled_jobs, queue),
            RetryStrategy(max_attempts=3, wait=1),
            every="* * * * * */2",
        ),
    ]


async def rescue_stalled_jobs(queue: App) -> None:
    """Begin jobs again whose worker died; without this a kill -9 would leave them running for ever."""
    manager = queue.job_manager
    stalled: Iterable[Any] = await manager.get_stalled_jobs(seconds_since_heartbeat=STALLED_SECONDS)
    for job in stalled:
        log.warning("job %s (%s) lost its worker, starting it again", job.id, job.task_name)
        try:
            await manager.retry_job(job)
        except UniqueViolation:  # a later one of its kind waits already, and does the same
            await manager.finish_job(job, Status.FAILED, delete_job=True)
