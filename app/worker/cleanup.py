"""Periodic cleanup: what is older than its retention and failed jobs go, abandoned uploads become memos."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from procrastinate import Blueprint, JobContext, RetryStrategy

from app.database.job_context import SERVICES

log = logging.getLogger(__name__)
HOURS = 24


@dataclass(frozen=True)
class Cleanup:
    """``prune`` forgets rows and counts them by table; jobs that ended otherwise than well are kept for ``days``.

    ``abandoned`` keeps what came of uploads that nobody goes on with, ``unfinished`` ends imports and erasures that
    servers left which died.
    """

    prune: Callable[[], Awaitable[Mapping[str, int]]]
    abandoned: Callable[[], Awaitable[int]]
    unfinished: Callable[[], Awaitable[int]]
    days: int


def add_cleanup(made: Blueprint) -> None:
    """The task and its schedule."""
    task = made.task(
        name="forget_old",
        queueing_lock="forget_old",
        pass_context=True,
        retry=RetryStrategy(max_attempts=3, wait=60),
    )(delete_expired)
    made.periodic(cron="43 * * * *")(task)
    abandoned = made.task(
        name="finish_abandoned_uploads",
        queueing_lock="finish_abandoned_uploads",
        pass_context=True,
        retry=RetryStrategy(max_attempts=3, wait=60),
    )(finish_abandoned_uploads)
    made.periodic(cron="*/5 * * * *")(abandoned)
    unfinished = made.task(
        name="finish_imports_and_erasures",
        lock="finish_imports_and_erasures",
        queueing_lock="finish_imports_and_erasures",
        pass_context=True,
        retry=RetryStrategy(max_attempts=3, wait=10),
    )(finish_imports_and_erasures)
    made.periodic(cron="* * * * *")(unfinished)


async def delete_expired(context: JobContext, timestamp: int) -> None:  # noqa: ARG001 - the schedule passes it
    """Every hour, as a machine may be up for a few of them only."""
    tidying: Cleanup = context.additional_context[SERVICES].tidying
    gone = await tidying.prune()
    manager = context.app.job_manager
    await manager.delete_old_jobs(
        nb_hours=tidying.days * HOURS, include_failed=True, include_cancelled=True, include_aborted=True
    )
    log.info("forgot %s", ", ".join(f"{count} {table}" for table, count in gone.items()))


async def finish_abandoned_uploads(context: JobContext, timestamp: int) -> None:  # noqa: ARG001 - the schedule passes it
    """What nothing more comes for is kept as a memo."""
    tidying: Cleanup = context.additional_context[SERVICES].tidying
    if count := await tidying.abandoned():
        log.info("finished %d abandoned uploads", count)


async def finish_imports_and_erasures(context: JobContext, timestamp: int) -> None:  # noqa: ARG001 - the schedule passes it
    """Rows and files of a user come and go together, whoever was killed between the two."""
    tidying: Cleanup = context.additional_context[SERVICES].tidying
    await tidying.unfinished()
