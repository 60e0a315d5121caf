"""Moments at which a server can be told to die, stop or wait: those of files, jobs and answers, and how all are named.

Boundaries are named after the code that passes them: ``_flush fsync before``, ``summit:transcribe_memo claimed``,
``create_turn answer after``.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from fastapi import FastAPI
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager
from starlette.types import Message, Receive, Scope, Send

TRAP, TRACE = "SUMMIT_TEST_TRAP", "SUMMIT_TEST_TRACE"
SIGNALS = {"kill": signal.SIGKILL, "stop": signal.SIGSTOP}
COMMIT, READS = " commit", " only reads"
BETWEEN = ("contextlib.py", "crashing_server.py", "database/database.py")


async def pass_boundary(name: str) -> None:
    """Spring the trap that is set at a boundary, the given time it is passed."""
    if seconds := _struck(name):
        await asyncio.sleep(seconds)


def pass_in_thread(name: str) -> None:
    """The same where nothing can be awaited."""
    time.sleep(_struck(name))


def note(name: str) -> None:
    """Write a line of the trace."""
    if path := os.environ.get(TRACE):
        with Path(path).open("a") as trace:
            trace.write(f"{name}\n")


def _struck(name: str) -> float:
    """Send the signal that is due at a boundary; the seconds to wait there, if that is what is due."""
    note(name)
    deed = _deed_at(name)
    if deed in SIGNALS:
        os.kill(os.getpid(), SIGNALS[deed])
        return 0.0
    return float(deed or 0)


def _deed_at(name: str) -> str:
    """What is to be done at a boundary now: a signal, a delay in seconds, or nothing."""
    trap_file = Path(os.environ.get(TRAP, ""))
    trap: dict[str, Any] = json.loads(trap_file.read_text()) if trap_file.is_file() else {"at": ""}
    if trap["at"] != name:
        return ""
    if trap["nth"] > 1:
        trap_file.write_text(json.dumps({**trap, "nth": trap["nth"] - 1}))
        return ""
    trap_file.unlink()
    return str(trap["do"])


def opener(frame: FrameType | None) -> str:
    """The code that opens a transaction, past context managers and private steps."""
    while frame and (frame.f_code.co_filename.endswith(BETWEEN) or frame.f_code.co_name.startswith("_")):
        frame = frame.f_back
    return frame.f_code.co_qualname if frame else ""


def numbered(names: Sequence[str]) -> list[str]:
    """A boundary's name, with a number from the second time on."""
    counts: Counter[str] = Counter()
    found = []
    for name in names:
        counts[name] += 1
        found.append(name if counts[name] == 1 else f"{name} {counts[name]}")
    return found


def that_count(trace: Sequence[str]) -> list[str]:
    """The numbered boundaries of a trace at which a death may change something.

    A transaction that only reads has nothing to lose, and one that writes begins where the last thing ended.
    """
    times = Counter(trace)
    begun = {name.removesuffix(COMMIT) for name in times if name.endswith(COMMIT)}
    reading = {name for name in begun if times[f"{name}{READS}"] == times[f"{name}{COMMIT}"]}
    left_out = {f"{name}{side}" for name in reading for side in (COMMIT, " after")}
    left_out |= {f"{name}{side}" for name in begun for side in (" before", READS)}
    return numbered([name for name in trace if name not in left_out])


def watch_all() -> None:
    """Make this process pass the boundaries of files, jobs and answers."""
    _watch_files()
    _watch_jobs()
    _watch_answers()


def _watch_files() -> None:
    flush = os.fsync

    def watched(fd: Any) -> None:
        name = f"{sys._getframe(1).f_code.co_qualname} fsync"
        pass_in_thread(f"{name} before")
        flush(fd)
        pass_in_thread(f"{name} after")

    os.fsync = watched


def _watch_jobs() -> None:
    """A job's claim, and both sides of its end; those of the schedule are nobody's."""
    fetch, finish, retry = JobManager.fetch_job, JobManager.finish_job, JobManager.retry_job

    async def fetched(self: JobManager, queues: Any, worker_id: int) -> Job | None:
        job = await fetch(self, queues, worker_id)
        if job and _asked_for(job):
            await pass_boundary(f"{job.task_name} claimed")
        return job

    async def finished(self: JobManager, job: Job, status: Status, delete_job: bool) -> None:  # noqa: FBT001 - not ours
        if not _asked_for(job):
            return await finish(self, job, status, delete_job)
        await pass_boundary(f"{job.task_name} end before")
        await finish(self, job, status, delete_job)
        return await pass_boundary(f"{job.task_name} end after")

    async def retried(self: JobManager, job: Job, *values: Any, **named: Any) -> None:
        if _asked_for(job):
            await pass_boundary(f"{job.task_name} retry before")
        await retry(self, job, *values, **named)
        if _asked_for(job):
            await pass_boundary(f"{job.task_name} retry after")

    JobManager.fetch_job = fetched  # type: ignore[method-assign]
    JobManager.finish_job = finished  # type: ignore[method-assign]
    JobManager.retry_job = retried  # type: ignore[method-assign]


def _asked_for(job: Job) -> bool:
    return "timestamp" not in job.task_kwargs


def _watch_answers() -> None:
    """Both sides of an acknowledgement: before the first byte of an answer, and after its last; a GET is none."""
    serve = FastAPI.__call__

    async def served(self: FastAPI, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            name = f"{getattr(scope.get('endpoint'), '__name__', 'nobody')} answer"
            if message["type"] == "http.response.start":
                await pass_boundary(f"{name} before")
            await send(message)
            if message["type"] == "http.response.body" and not message.get("more_body"):
                await pass_boundary(f"{name} after")

        asked = scope["type"] == "http" and scope["method"] not in ("GET", "HEAD")
        await serve(self, scope, receive, sent if asked else send)

    FastAPI.__call__ = served  # type: ignore[method-assign]
