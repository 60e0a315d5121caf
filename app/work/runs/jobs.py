"""Jobs of runs, on a queue of their own: one a run, so that turns and other jobs stay fast."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from procrastinate import Blueprint, JobContext, RetryStrategy

from app.database.job_context import RUNS, SERVICES
from app.database.job_retries import TakenUpAgain
from app.work.runs.model.runs import RunWork
from app.work.runs.store.runs import Runs
from app.work.runs.worker import RunWorker

RUN = "work_on_run"


@dataclass(frozen=True)
class RunJobs:
    """What the jobs of runs work with."""

    worker: RunWorker
    runs: Runs
    work: RunWork


def add_runs(made: Blueprint) -> None:
    """The tasks of this module and their schedule."""
    made.task(name=RUN, queue=RUNS, pass_context=True, retry=TakenUpAgain())(work_on_run)
    look = made.task(
        name="expire_approvals",
        queueing_lock="expire_approvals",
        pass_context=True,
        retry=RetryStrategy(max_attempts=3, wait=5),
    )(expire_approvals)
    made.periodic(cron="* * * * *")(look)


async def work_on_run(context: JobContext, *, user_id: str, run_id: str) -> None:
    """Work on a run until it ends or waits for its user."""
    await _jobs(context).worker.run(UUID(user_id), UUID(run_id))


async def expire_approvals(context: JobContext, timestamp: int) -> None:  # noqa: ARG001 - the schedule passes it
    """Let runs go on, to their end, whose question nobody answered in time, or which the server has stopped.

    Runs that were parked long enough go on; those that lost their job get another one.
    """
    jobs = _jobs(context)
    await jobs.runs.defer_lost()
    await jobs.runs.end_stopped()
    await jobs.runs.take_up_parked()
    for user_id, approval_id in await jobs.work.expired_approvals():
        await jobs.runs.decide(user_id, approval_id, "expired", None)


def _jobs(context: JobContext) -> RunJobs:
    jobs: RunJobs = context.additional_context[SERVICES].runs
    return jobs
