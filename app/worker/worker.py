"""Runs the background jobs: beside the API by default, or apart by ``summit worker``."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from procrastinate import App

from app.database.job_context import CALENDARS_IN_STEP, MEMORY, RUNS, SERVICES, SHARED_QUEUES, SPEECH, TOPICS, WORKFLOWS
from app.records.jobs.reminders import ReminderLoop
from app.settings import Settings
from app.worker.queue import without_schedule
from app.worker.tasks import JobServices

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 1.0
STALLED_SECONDS = 4.0
STOP_SECONDS = 2.0
CALENDARS_AT_ONCE = 2
RESTART_SECONDS = 1.0
LOOK_SECONDS = 1.0  # new jobs are told at once; rescued ones are only found by looking


async def run_background(queue: App, services: JobServices, reminding: ReminderLoop, settings: Settings) -> None:
    """Run the jobs, and tell what comes due, until cancelled."""
    telling = asyncio.create_task(reminding.run())
    try:
        await run_jobs(queue, services, settings)
    finally:
        telling.cancel()
        await asyncio.wait([telling])


async def run_jobs(queue: App, services: JobServices, settings: Settings) -> None:
    """Work until cancelled; long jobs, such as clips and runs, have workers of their own and hold up no other."""
    first, *others = workers_of(settings)
    unscheduled = without_schedule(queue)
    async with asyncio.TaskGroup() as workers:
        workers.create_task(_keep_working(queue, services, *first))
        for one in others:
            workers.create_task(_keep_working(unscheduled, services, *one))


def workers_of(settings: Settings) -> list[tuple[Sequence[str], int]]:
    """The queues that each worker serves, and how many jobs it works on at once."""
    return [
        (SHARED_QUEUES, settings.job_concurrency),
        ([SPEECH], settings.speech_concurrency),
        ([MEMORY], 1),
        ([TOPICS], 1),
        ([RUNS], settings.run_concurrency),
        ([WORKFLOWS], settings.workflow_concurrency),
        ([CALENDARS_IN_STEP], CALENDARS_AT_ONCE),
    ]


async def _keep_working(queue: App, services: JobServices, queues: Sequence[str], concurrency: int) -> None:
    """Also beyond a restart of the database, which ends procrastinate's own worker."""
    while not _is_cancelled():
        try:
            await _run_worker(queue, services, queues, concurrency)
        except Exception as error:  # noqa: BLE001 - whatever it was, jobs must go on
            log.warning("the jobs stopped (%s), starting them again", type(error).__name__)
        if not _is_cancelled():
            await asyncio.sleep(RESTART_SECONDS)


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _run_worker(queue: App, services: JobServices, queues: Sequence[str], concurrency: int) -> None:
    """Jobs in progress get a few seconds at the end, then go back to the queue."""
    await queue.run_worker_async(
        queues=list(queues),
        concurrency=concurrency,
        additional_context={SERVICES: services},
        install_signal_handlers=False,
        shutdown_graceful_timeout=STOP_SECONDS,
        update_heartbeat_interval=HEARTBEAT_SECONDS,
        stalled_worker_timeout=STALLED_SECONDS,
        fetch_job_polling_interval=LOOK_SECONDS,
        delete_jobs="successful",
    )
