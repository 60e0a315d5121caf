"""The queue and its workers, whatever the jobs are: who keeps the schedule, and what becomes of jobs left behind."""

from __future__ import annotations

from collections.abc import AsyncIterator
from inspect import signature
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from procrastinate import PsycopgConnector, RetryStrategy
from procrastinate.jobs import Job as QueuedJob

from app.database.jobs import SHARED, Job, Queue
from app.lifespan import open_summit
from app.worker.cleanup import rescue_stalled_jobs
from app.worker.queue import without_schedule
from app.worker.worker import workers_of
from tests.support.servers.live_server import settings_for
from tests.support.speech.studio import ScriptedTranscriber, Studio, heard, open_studio

AGED = "update procrastinate_events set at = now() - make_interval(days => %s) where job_id = %s"
MOST_TRIES = 1000


async def nothing(**_ids: Any) -> None:
    """There is nothing to do."""


@pytest.fixture
async def room(database_url: str, tmp_path: Path) -> AsyncIterator[Studio]:
    async with open_studio(database_url, tmp_path, ScriptedTranscriber(heard("call mom"))) as opened:
        yield opened


async def test_a_stalled_job_that_cannot_be_put_back_keeps_no_other_from_it(room: Studio) -> None:
    """Its queueing lock is taken by a later one, as a schedule's usually is."""
    for _ in range(2):
        await room.queue.configure_task("summit:forget_old").defer_async(timestamp=0)
        async with room.server.database.system() as conn:
            await conn.execute("update procrastinate_jobs set status = 'doing'")
    await room.queue.configure_task("summit:forget_old").defer_async(timestamp=0)
    await room.record()
    async with room.server.database.system() as conn:
        await conn.execute("update procrastinate_jobs set status = 'doing' where task_name like '%transcribe_memo'")
    await rescue_stalled_jobs(room.queue)
    assert await room.states() == ["todo"]
    async with room.server.database.system() as conn:
        rows = await conn.execute("select status::text from procrastinate_jobs where task_name like '%forget_old'")
        assert [row["status"] for row in await rows.fetchall()] == ["todo"]


async def test_of_a_process_one_worker_keeps_the_schedule(room: Studio) -> None:
    others = without_schedule(room.queue)
    assert room.queue.periodic_registry.periodic_tasks
    assert not others.periodic_registry.periodic_tasks
    assert others.tasks == room.queue.tasks


async def test_a_statement_of_the_queue_is_a_transaction(room: Studio) -> None:
    connector = room.queue.connector
    assert isinstance(connector, PsycopgConnector)
    async with connector.pool.connection() as conn:
        assert conn.autocommit


async def test_stalled_jobs_are_looked_for_every_two_seconds(room: Studio) -> None:
    rescue = room.queue.periodic_registry.periodic_tasks["summit:rescue_stalled_jobs", ""]
    rescue.croniter.set_current(start_time=1_800_000_061)  # in a minute that four does not divide
    times = [rescue.croniter.get_next(ret_type=float) for _ in range(60)]
    assert {later - earlier for earlier, later in pairwise(times)} == {2.0}


async def test_what_is_old_is_forgotten_and_so_are_jobs_that_failed_long_ago(room: Studio) -> None:
    ids = [await room.queue.configure_task("summit:transcribe_memo").defer_async() for _ in range(2)]
    async with room.server.database.system() as conn:
        await conn.execute("update procrastinate_jobs set status = 'failed'")
        for job, days in zip(ids, (29, 31), strict=True):
            await conn.execute(AGED, (days, job))
    await room.queue.configure_task("summit:forget_old").defer_async(timestamp=0)
    await room.work()
    assert room.pruned
    async with room.server.database.system() as conn:
        rows = await conn.execute("select id from procrastinate_jobs where status = 'failed'")
        assert [row["id"] for row in await rows.fetchall()] == ids[:1]


async def test_jobs_of_all_slices_have_names_of_their_own_take_ids_and_are_given_up_at_last(
    database_url: str, tmp_path: Path
) -> None:
    async with open_summit(settings_for(database_url, tmp_path), lambda _line: None) as summit:
        jobs = summit.jobs
    assert len({job.name for job in jobs}) == len(jobs)
    for job in jobs:
        queued = QueuedJob(id=1, queue="any", lock=None, queueing_lock=None, task_name=job.name, attempts=MOST_TRIES)
        assert job.retry.get_retry_decision(exception=RuntimeError("broken"), job=queued) is None, job.name
        arguments = {*signature(job.work).parameters} - {"context"}
        assert arguments == set() if job.every else "user_id" in arguments, job.name
        assert all(name.endswith("_id") for name in arguments), job.name


def test_queues_share_a_worker_unless_they_bring_their_own() -> None:
    again = RetryStrategy(max_attempts=1)
    own, beside = Queue("runs", at_once=3), Queue("calendars")
    jobs = [Job(str(number), nothing, again, queue) for number, queue in enumerate([own, beside, own, SHARED])]
    assert workers_of(jobs, 8) == [(["calendars", "default"], 8), (["runs"], 3)]
