"""Jobs that keep memory and topics up to date, each on a queue of its own: a look now and then, and a job a user."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from procrastinate import App, RetryStrategy

from app.database.jobs import Job, Queue, defer_once
from app.memory.indexing import Indexer
from app.memory.topics import TopicKeeper

INDEX, FIND_TOPICS = "index_memory", "find_topics"


def memory_jobs(queue: App, indexer: Indexer, topics: TopicKeeper) -> Sequence[Job]:
    """Return what brings the indexes and topics of users up to date, one job at a time for each user."""

    async def look_for(name: str, waiting: str, keeper: Indexer | TopicKeeper) -> None:
        for user_id in await keeper.users():
            key = f"{waiting}:{user_id}"
            await defer_once(queue, name, key, lock=key, user_id=user_id)

    look_for_memory = partial(look_for, INDEX, "memory", indexer)
    look_for_topics = partial(look_for, FIND_TOPICS, "topics", topics)
    # Half a minute at most: after a time without a database, what was said is still found soon.
    soon, again = RetryStrategy(max_attempts=10, linear_wait=3), RetryStrategy(max_attempts=3, exponential_wait=5)
    return [
        Job(INDEX, indexer.run, soon, Queue("memory", at_once=1)),
        Job("look_for_memory", look_for_memory, soon, every="* * * * * */3"),
        Job(FIND_TOPICS, topics.run, again, Queue("topics", at_once=1)),
        Job("look_for_topics", look_for_topics, again, every="* * * * *"),
    ]
