"""Run one coding agent and watch it: lines become events, and each second its heartbeat is judged."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import psutil

from app.work.projects.agents import AgentCli, Plain
from app.work.projects.children import ChildSurroundings, child
from app.work.projects.events import AgentEvent
from app.work.projects.files import IGNORED
from app.work.projects.heartbeat import Observed, Verdict, Windows, judge
from app.work.projects.trouble import reset_time, trouble_in, trouble_of

LINES_SHOWN, MOST_SHOWN = 5, 200
"""Of an agent's last lines, beside a verdict."""
LAST_WORDS = 20
"""Lines in which an agent whose output is for people says why it ended."""
WORDS_SHOWN, MOST_WORDS = 3, 400
"""Of what an agent says beside its reports, in the reason for which it ended."""
MOST_FILES = 50_000
MOST_LOGGED = 20_000_000
BUSY_SECONDS = 0.02
"""Processor time within one look that counts as work."""
LAST_LINE_SECONDS = 5.0
"""Silence after which the output of an agent that has ended counts as read: what it left running can hold it open."""

Tell = Callable[[AgentEvent], Awaitable[None]]
Diagnose = Callable[[Observed, list[str]], Awaitable[Verdict]]
"""Asks a model what to do about an agent, given what was seen and its last lines: continue, kill, resume or ask."""


async def ask_a_person(_seen: Observed, _lines: list[str]) -> Verdict:
    """The diagnosis where there is no model: a person decides."""
    return Verdict("ask", "Nobody knows why it stands still.")


@dataclass(frozen=True)
class Job:
    """What an agent is to do: ``prompt`` in ``folder``; ``session`` is one that it goes on with.

    All that it prints is added to ``log``.
    """

    cli: AgentCli
    program: str
    prompt: str
    folder: Path
    session: str = ""
    resumed: int = 0
    model: str = ""
    log: Path | None = None


@dataclass(frozen=True)
class Ending:
    """How it ended: the verdict that counted, the exit status (None where it was left running), its session."""

    verdict: Verdict
    status: int | None
    session: str
    result: str
    seconds: float


async def supervise(
    job: Job,
    tell: Tell,
    *,
    around: ChildSurroundings,
    windows: Windows = Windows(),  # noqa: B008 - frozen
    diagnose: Diagnose = ask_a_person,
    look_seconds: float = 1.0,
) -> Ending:
    """Run a job to an end that it reports or a verdict gives; its whole process group is gone afterwards.

    A diagnosis that says continue opens a new window.
    """
    command = [job.program, *job.cli.arguments(job.session, job.model)]
    async with child(command, job.folder, around, job.cli.variables) as process:
        watch = _Watch(job, process, tell)
        reading = asyncio.create_task(watch.read())
        try:
            return await watch.decide(reading, windows, diagnose, look_seconds)
        finally:
            reading.cancel()
            with suppress(asyncio.CancelledError):
                await reading


class _Watch:
    def __init__(self, job: Job, process: asyncio.subprocess.Process, tell: Tell) -> None:
        self._job = job
        self._process = process
        self._tell = tell
        self._began = self._alive_at = time.monotonic()
        self._listens_since: float | None = None
        self._status: int | None = None  # known once its output is read, which an end in the middle of a look is not
        self._seen = Observed(resumed=job.resumed)
        self._session, self._result = job.session, ""
        self._result_at: float | None = None
        self._last = ""
        self._lines: list[str] = []
        self._words: list[str] = []
        self._stamp = 0.0
        self._deep = time.time()
        self._processor = 0.0

    async def read(self) -> None:
        """Hand over the prompt, then take every line until the end."""
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise RuntimeError("asked for pipes, got none")
        with suppress(ConnectionError):
            stdin.write(self._job.prompt.encode())
            await stdin.drain()
            stdin.close()
        with self._job.log.open("a") if self._job.log else nullcontext() as log:
            while line := await self._line(stdout):
                if log and log.tell() < MOST_LOGGED:
                    log.write(line)
                    log.flush()
                await self._take(line)

    async def _line(self, stdout: asyncio.StreamReader) -> str:
        self._listens_since = time.monotonic()
        line = await _line(stdout)
        self._listens_since = None
        return line

    async def decide(
        self, reading: asyncio.Task[None], windows: Windows, diagnose: Diagnose, look_seconds: float
    ) -> Ending:
        """Look until there is a verdict other than to continue."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(look_seconds):
                    await self._process.wait()
            if self._process.returncode is not None:
                await self._read_to_its_end(reading)
                self._status = self._process.returncode
            verdict = judge(await self._observe(), windows)
            if verdict.action == "diagnose" and await self._worked_deeper():
                continue
            if verdict.action == "diagnose":
                verdict = await self._run_diagnosis(diagnose, verdict)
            if verdict.action != "continue":
                await self._tell(self._verdict_event(verdict))
                return self._ending(verdict)

    async def _read_to_its_end(self, reading: asyncio.Task[None]) -> None:
        """Take the last lines of an agent that has ended, as long as any come. Raises what reading raised."""
        ended = time.monotonic()
        while not reading.done():
            await asyncio.wait([reading], timeout=LAST_LINE_SECONDS / 10)
            listens_since = self._listens_since
            if listens_since and time.monotonic() - max(listens_since, ended) > LAST_LINE_SECONDS:
                return
        await reading

    async def _run_diagnosis(self, diagnose: Diagnose, suspected: Verdict) -> Verdict:
        """What a model makes of it; going on opens a new window."""
        verdict = await diagnose(self._seen, self._lines[-40:])
        if verdict.action == "continue":
            await self._tell(self._verdict_event(replace(verdict, why=f"{suspected.why} {verdict.why}".strip())))
        self._alive_at = time.monotonic()
        self._seen = replace(self._seen, repeats=0)
        return verdict

    async def _worked_deeper(self) -> bool:
        """Whether files below the folders changed within the window: looked for only before silence is believed."""
        if self._seen.repeats:
            return False
        stamp = await asyncio.to_thread(newest_below, self._job.folder)
        worked, self._deep = stamp > self._deep, max(stamp, self._deep)
        if worked:
            self._alive_at = time.monotonic()
        return worked

    def _verdict_event(self, verdict: Verdict) -> AgentEvent:
        seen = self._seen
        evidence = {
            "action": verdict.action,
            "quiet_seconds": round(seen.quiet, 1),
            "exit_status": seen.status,
            "trouble": seen.trouble,
            "repeats": seen.repeats,
            "lines": [line.strip()[:MOST_SHOWN] for line in self._lines[-LINES_SHOWN:]],
        }
        return AgentEvent("verdict", verdict.why, evidence=evidence)

    async def _take(self, line: str) -> None:
        event = self._job.cli.parse(line)
        self._lines = [*self._lines[-199:], line]
        trouble = trouble_in(event)
        repeated = line == self._last and event.kind in ("other", "error", "log")
        self._last = line
        self._session = event.session or self._session
        if not repeated:
            self._alive_at = time.monotonic()
        if event.kind == "result":
            self._result, self._result_at = event.text, time.monotonic()
        if event.text.strip() and (event.kind in ("error", "other", "log") or event.failed):
            self._words = [*self._words[1 - WORDS_SHOWN :], " ".join(event.text.split())]
        progress = event.kind in ("said", "tool", "tool_result")
        self._seen = replace(
            self._seen,
            repeats=self._seen.repeats + 1 if repeated else 0,
            trouble=None if progress else trouble or self._seen.trouble,
            resets_at=reset_time(line) if trouble == "usage_limit" else self._seen.resets_at,
            result=self._outcome(event),
        )
        await self._tell(event)

    def _outcome(self, event: AgentEvent) -> Literal["none", "good", "bad"]:
        if event.kind != "result":
            return self._seen.result
        return "bad" if event.failed else "good"

    async def _observe(self) -> Observed:
        now = time.monotonic()
        if await asyncio.to_thread(self._has_activity):
            self._alive_at = now
        since = now - self._result_at if self._result_at else 0.0
        quiet, words = now - self._alive_at, " ".join(self._words)[-MOST_WORDS:]
        self._seen = replace(self._seen, quiet=quiet, status=self._status, since_result=since, words=words)
        if self._seen.status is not None and isinstance(self._job.cli, Plain):
            self._seen = self._judged_by_its_end(self._seen)
        elif self._seen.status and self._seen.trouble is None:
            self._seen = replace(self._seen, trouble=trouble_of(words, at_end=True))
        return self._seen

    def _judged_by_its_end(self, seen: Observed) -> Observed:
        """What the exit status says of an agent whose lines are not read; why it failed stands in the last ones."""
        last = "".join(self._lines[-LAST_WORDS:]).strip()
        if seen.status == 0:
            self._result = last
            return replace(seen, result="good")
        trouble = trouble_of(last, at_end=True)
        resets = reset_time(last) if trouble == "usage_limit" else None
        return replace(seen, trouble=trouble, resets_at=resets)

    def _has_activity(self) -> bool:
        """Whether files changed, or the processor was used, since the last look; an endless line is neither."""
        stamp, processor = _newest(self._job.folder), _processor_seconds(self._process.pid)
        moved = stamp > self._stamp or (processor - self._processor > BUSY_SECONDS and not self._seen.repeats)
        self._stamp, self._processor = max(stamp, self._stamp), processor
        return moved

    def _ending(self, verdict: Verdict) -> Ending:
        seconds = time.monotonic() - self._began
        if verdict.action == "kill" and self._seen.result == "good":
            verdict = Verdict("done", verdict.why)
        return Ending(verdict, self._process.returncode, self._session, self._result, seconds)


async def _line(stream: asyncio.StreamReader) -> str:
    """The next line, empty at the end; one that is too long is cut."""
    try:
        return (await stream.readline()).decode(errors="replace")
    except ValueError:
        return "…\n"


def _newest(folder: Path) -> float:
    """When something directly in a folder, or in git's index of it, changed last."""
    newest = 0.0
    with suppress(OSError):
        for entry in os.scandir(folder):
            with suppress(OSError):
                newest = max(newest, entry.stat(follow_symlinks=False).st_mtime)
    return newest


def newest_below(folder: Path) -> float:
    """When a file anywhere below a folder changed last; what tools write and git keeps is left out."""
    newest, seen = 0.0, 0
    for here, names, files in os.walk(folder, followlinks=False):
        names[:] = [name for name in names if name not in IGNORED]
        for name in files:
            with suppress(OSError):
                newest = max(newest, Path(here, name).lstat().st_mtime)
        seen += len(files)
        if seen > MOST_FILES:
            break
    return newest


def _processor_seconds(pid: int) -> float:
    """Processor time of a process and all that it started and that lives."""
    used = 0.0
    with suppress(psutil.Error):
        process = psutil.Process(pid)
        for one in (process, *process.children(recursive=True)):
            with suppress(psutil.Error):
                times = one.cpu_times()
                used += times.user + times.system
    return used
