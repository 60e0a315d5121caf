"""Runs the background jobs: beside the API by default, or apart by ``summit worker``."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from procrastinate import App

from app.database.jobs import SHARED, Job
from app.records.reminding import ReminderLoop
from app.worker.queue import without_schedule

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 1.0
STALLED_SECONDS = 4.0
STOP_SECONDS = 2.0
RESTART_SECONDS = 1.0
LOOK_SECONDS = 1.0  # new jobs are told at once; rescued ones are only found by looking


async def run_background(queue: App, jobs: Sequence[Job], reminding: ReminderLoop, at_once: int) -> None:
    """Run the jobs, and tell what comes due, until cancelled."""
    telling = asyncio.create_task(reminding.run())
    try:
        await run_jobs(queue, jobs, at_once)
    finally:
        telling.cancel()
        await asyncio.wait([telling])


async def run_jobs(queue: App, jobs: Sequence[Job], at_once: int) -> None:
    """Work until cancelled, on ``at_once`` jobs of the queues that share a worker, and on the others beside them."""
    first, *others = workers_of(jobs, at_once)
    unscheduled = without_schedule(queue)
    async with asyncio.TaskGroup() as workers:
        workers.create_task(_keep_working(queue, *first))
        for one in others:
            workers.create_task(_keep_working(unscheduled, *one))


def workers_of(jobs: Sequence[Job], at_once: int) -> list[tuple[Sequence[str], int]]:
    """Return the queues that each worker serves, and how many jobs it works on at once; the shared ones first."""
    queues = dict.fromkeys([SHARED, *(job.queue for job in jobs)])
    shared = sorted(queue.name for queue in queues if queue.at_once is None)
    return [(shared, at_once), *(([queue.name], queue.at_once) for queue in queues if queue.at_once is not None)]


async def _keep_working(queue: App, queues: Sequence[str], concurrency: int) -> None:
    """Also beyond a restart of the database, which ends procrastinate's own worker."""
    while not _is_cancelled():
        try:
            await _run_worker(queue, queues, concurrency)
        except Exception as error:  # noqa: BLE001 - whatever it was, jobs must go on
            log.warning("the jobs stopped (%s), starting them again", type(error).__name__)
        if not _is_cancelled():
            await asyncio.sleep(RESTART_SECONDS)


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _run_worker(queue: App, queues: Sequence[str], concurrency: int) -> None:
    """Jobs in progress get a few seconds at the end, then go back to the queue."""
    await queue.run_worker_async(
        queues=list(queues),
        concurrency=concurrency,
        install_signal_handlers=False,
        shutdown_graceful_timeout=STOP_SECONDS,
        update_heartbeat_interval=HEARTBEAT_SECONDS,
        stalled_worker_timeout=STALLED_SECONDS,
        fetch_job_polling_interval=LOOK_SECONDS,
        delete_jobs="successful",
    )
