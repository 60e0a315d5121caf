"""Jobs that find out what users talk about, on a queue of their own: a look every minute, and a job a user."""

from __future__ import annotations

from typing import Protocol
from uuid import UUID

from procrastinate import Blueprint, JobContext, RetryStrategy
from procrastinate.exceptions import AlreadyEnqueued

from app.database.job_context import SERVICES, TOPICS
from app.principal import Principal, acting_as

FIND = "summit:find_topics"


class TopicFinding(Protocol):
    """What makes topics."""

    async def users(self) -> list[UUID]:
        """Users whose topics are to be made."""

    async def run(self, user_id: UUID) -> None:
        """Make one user's topics; may be cut short anywhere and run again."""


def add_topics(made: Blueprint) -> None:
    """The tasks of this module and their schedule."""
    again = RetryStrategy(max_attempts=3, exponential_wait=5)
    made.task(name="find_topics", queue=TOPICS, pass_context=True, retry=again)(find_topics)
    look = made.task(name="look_for_topics", queueing_lock="look_for_topics", pass_context=True, retry=again)(
        look_for_topics
    )
    made.periodic(cron="* * * * *")(look)


async def find_topics(context: JobContext, *, user_id: str) -> None:
    """Make one user's topics."""
    user = UUID(user_id)
    with acting_as(Principal(user)):
        await _topics(context).run(user)


async def look_for_topics(context: JobContext, timestamp: int) -> None:  # noqa: ARG001 - the schedule passes it
    """Put a job into the queue for each user with something new, one at a time for each."""
    for user_id in await _topics(context).users():
        name = f"topics:{user_id}"
        job = context.app.configure_task(FIND, lock=name, queueing_lock=name)
        try:
            await job.defer_async(user_id=str(user_id))
        except AlreadyEnqueued:
            continue


def _topics(context: JobContext) -> TopicFinding:
    topics: TopicFinding = context.additional_context[SERVICES].topics
    return topics
