"""One run of a workflow, step after step; it may be cut short anywhere and goes on where it was."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Protocol
from uuid import UUID

from app.errors import OutOfReach, TooManyRequests
from app.principal import Principal, StaleLease, acting_as
from app.work.workflows.definition import AnyStep, Condition, Definition, Notify
from app.work.workflows.model import StepEnd, StepRow, WorkflowRun, WorkflowWork
from app.work.workflows.steps import CONDITION_NO, beginning
from app.work.workflows.trying import StepFailed, Try

log = logging.getLogger(__name__)

LONGEST_PAUSE_SECONDS = 30
FAILED = "It ended early. {message}"
ATTEMPTS = 5
"""Claims of a run whose every claim broke, until it ends as failed."""
RUN_BROKE = "Something broke on my side each time I tried. What its steps did until then stays."
GRACE_SECONDS = 10
"""A turn ends itself when its time is over; this much later everything else is given up."""
STOPPED = "It was stopped before step {step}."
Sleep = Callable[[float], Awaitable[None]]


class Doing(Protocol):
    """What does steps; see app.work.workflows.steps.Steps."""

    async def do(self, one: Try) -> StepEnd:
        """Do it; raises StepFailed."""


class WorkflowWorker:
    """Works on runs. A step that has ended is never done again; one that was under way is done as its kind allows."""

    def __init__(self, work: WorkflowWork, steps: Doing, sleep: Sleep = asyncio.sleep) -> None:
        self._work = work
        self._steps = steps
        self._sleep = sleep

    async def run(self, user_id: UUID, run_id: UUID) -> None:
        """Work on a run until it ends; raises what a later try may get over."""
        run = await self._work.claim(user_id, run_id)
        if run is None:
            return
        with acting_as(Principal(user_id)):
            try:
                await self._work_on(run)
            except StaleLease:
                log.info("workflow run %s goes on elsewhere", run.id)
            except (OutOfReach, TooManyRequests):
                raise
            except Exception:
                log.exception("workflow run %s broke", run.id)
                if run.generation < ATTEMPTS:
                    raise
                await self._work.finish(run, "failed", RUN_BROKE)

    async def _work_on(self, run: WorkflowRun) -> None:
        definition = Definition.model_validate(run.definition)
        known = {row.place: row for row in await self._work.steps(run.user_id, run.id)}
        values = beginning(run)
        for place, step in enumerate(definition.steps):
            row = known.get(place)
            ended = _end_of(row) or await self._try_step(
                Try(run, definition, step, values, row.attempt if row else 1), place
            )
            if ended is None:
                await self._work.finish(run, "cancelled", STOPPED.format(step=step.id))
                return
            if ended.state == "failed" and step.on_failure == "stop":
                message = f"Step {step.id}: {ended.output}"
                await self._work.finish(run, "failed", message, FAILED.format(message=message) if _unseen(run) else "")
                return
            values[step.output] = ended.output if ended.state == "done" else ""
            if isinstance(step, Condition) and ended.output == CONDITION_NO:
                await self._work.finish(run, "done", f"It ended at step {step.id}, whose condition did not hold.")
                return
        tells = any(isinstance(step, Notify) for step in definition.steps)
        last = values[definition.steps[-1].output]
        await self._work.finish(run, "done", "", "" if tells or not _unseen(run) else last)

    async def _try_step(self, one: Try, place: int) -> StepEnd | None:
        """What came of a step after as many tries as it may have; None when the run is to stop."""
        for attempt in range(one.attempt, one.step.retries + 2):
            if not await self._work.begin(one.run, place, one.step.id, attempt):
                return None
            try:
                end = await self._in_time(one)
            except StepFailed as failure:
                if failure.again and attempt <= one.step.retries:
                    await self._sleep(min(2.0**attempt, LONGEST_PAUSE_SECONDS))
                    continue
                end = StepEnd("failed", str(failure))
            await self._work.end(one.run, place, end)
            return end
        raise AssertionError("the last try ends the step")

    async def _in_time(self, one: Try) -> StepEnd:
        seconds = _seconds(one.step)
        try:
            async with asyncio.timeout(seconds):
                return await self._steps.do(one)
        except TimeoutError as late:
            raise StepFailed(f"it took longer than {one.step.timeout_seconds} s") from late


def _unseen(run: WorkflowRun) -> bool:
    """Whether nobody holds its address who could read what came of it."""
    return run.origin != "request"


def _seconds(step: AnyStep) -> int:
    return step.timeout_seconds + (GRACE_SECONDS if step.kind == "turn" else 0)


def _end_of(row: StepRow | None) -> StepEnd | None:
    """How a step ended before, if it did."""
    if row is None or row.state == "running":
        return None
    return StepEnd(row.state, row.output, row.details)
