"""Jobs that keep memory up to date, on a queue of their own: a look every few seconds, and a job a user."""

from __future__ import annotations

from typing import Protocol
from uuid import UUID

from procrastinate import Blueprint, JobContext, RetryStrategy
from procrastinate.exceptions import AlreadyEnqueued

from app.database.job_context import MEMORY, SERVICES
from app.principal import Principal, acting_as

INDEX = "summit:index_memory"


class Indexing(Protocol):
    """What brings indexes up to date."""

    async def users(self) -> list[UUID]:
        """Users for whom there is something to do."""

    async def run(self, user_id: UUID) -> None:
        """Bring one user's index up to date; may be cut short anywhere and run again."""


def add_memory(made: Blueprint) -> None:
    """The tasks of this module and their schedule."""
    # Half a minute at most: after a time without a database, what was said is still found soon.
    again = RetryStrategy(max_attempts=10, linear_wait=3)
    made.task(name="index_memory", queue=MEMORY, pass_context=True, retry=again)(index_memory)
    look = made.task(name="look_for_memory", queueing_lock="look_for_memory", pass_context=True, retry=again)(
        look_for_memory
    )
    made.periodic(cron="* * * * * */3")(look)  # the sixth field is the seconds


async def index_memory(context: JobContext, *, user_id: str) -> None:
    """Bring one user's index up to date."""
    user = UUID(user_id)
    with acting_as(Principal(user)):
        await _indexing(context).run(user)


async def look_for_memory(context: JobContext, timestamp: int) -> None:  # noqa: ARG001 - the schedule passes it
    """Put a job into the queue for each user with something to do, one at a time for each."""
    for user_id in await _indexing(context).users():
        name = f"memory:{user_id}"
        job = context.app.configure_task(INDEX, lock=name, queueing_lock=name)
        try:
            await job.defer_async(user_id=str(user_id))
        except AlreadyEnqueued:
            continue


def _indexing(context: JobContext) -> Indexing:
    indexing: Indexing = context.additional_context[SERVICES].indexing
    return indexing
