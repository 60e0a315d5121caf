"""Runs the background jobs: beside the API by default, or apart by ``summit worker``."""

from __future__ import annotations

from procrastinate import App

from app.jobs.tasks import SERVICES, JobServices
from app.settings import Settings

HEARTBEAT_SECONDS = 1.0
STALLED_SECONDS = 4.0
STOP_SECONDS = 2.0


async def run_jobs(queue: App, services: JobServices, settings: Settings) -> None:
    """Work until cancelled; jobs in progress get a few seconds, then go back to the queue."""
    await queue.run_worker_async(
        concurrency=settings.job_concurrency,
        additional_context={SERVICES: services},
        install_signal_handlers=False,
        shutdown_graceful_timeout=STOP_SECONDS,
        update_heartbeat_interval=HEARTBEAT_SECONDS,
        stalled_worker_timeout=STALLED_SECONDS,
        delete_jobs="successful",
    )
