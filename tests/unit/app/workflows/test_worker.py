"""A run of a workflow step by step: what is slow, dead or refused is told, and nothing after it is done."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from app.ports.workflows import StepEnd, StepRow, WorkflowRun
from app.workflows.trying import StepFailed, Try
from app.workflows.worker import WorkflowWorker

NOW = datetime(2026, 11, 24, tzinfo=UTC)
USER = uuid4()


class Kept:
    """One run and its steps, in memory."""

    def __init__(self, *steps: dict[str, Any]) -> None:
        definition = {"slug": "one", "name": "One", "steps": list(steps)}
        self.run = WorkflowRun(USER, uuid4(), "one", definition, {}, "request", "running", "", 1, NOW, NOW, None)
        self.begun: list[tuple[str, int]] = []
        self.ended: list[tuple[int, str, str]] = []
        self.over: tuple[str, str] | None = None

    async def claim(self, _user: UUID, _run: UUID) -> WorkflowRun | None:
        return None if self.over else self.run

    async def steps(self, _user: UUID, _run: UUID) -> Sequence[StepRow]:
        return []

    async def begin(self, _run: WorkflowRun, _place: int, step: str, attempt: int) -> bool:
        self.begun.append((step, attempt))
        return True

    async def end(self, _run: WorkflowRun, place: int, end: StepEnd) -> None:
        self.ended.append((place, end.state, end.output))

    async def finish(self, _run: WorkflowRun, status: str, message: str, _tell: str = "") -> None:
        self.over = (status, message)


class Doing:
    """Does what it is told for each step."""

    def __init__(self, **steps: Any) -> None:
        self._steps = steps

    async def do(self, one: Try) -> StepEnd:
        what = self._steps[one.step.id]
        if isinstance(what, Exception):
            raise what
        if isinstance(what, float):
            await asyncio.sleep(what)
            return StepEnd("done", "late")
        return StepEnd("done", what)


async def no_pause(_seconds: float) -> None:
    return None


async def ran(kept: Kept, doing: Doing) -> tuple[str, str] | None:
    await WorkflowWorker(kept, doing, no_pause).run(USER, kept.run.id)
    return kept.over


def step(name: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "kind": "memory_query", "question": "What?", **more}


async def test_a_slow_step_ends_the_run_and_nothing_after_it_is_done() -> None:
    kept = Kept(step("slow", timeout_seconds=1), step("next"))
    assert await ran(kept, Doing(slow=30.0, next="x")) == ("failed", "Step slow: it took longer than 1 s")
    assert (kept.begun, kept.ended) == ([("slow", 1)], [(0, "failed", "it took longer than 1 s")])


async def test_a_dead_server_is_tried_as_often_as_the_step_says() -> None:
    kept = Kept(step("look", retries=2), step("next"))
    dead = StepFailed("the server weather failed: it does not answer")
    assert await ran(kept, Doing(look=dead, next="x")) == (
        "failed",
        "Step look: the server weather failed: it does not answer",
    )
    assert kept.begun == [("look", 1), ("look", 2), ("look", 3)]


async def test_what_another_try_cannot_help_is_not_tried_again() -> None:
    kept = Kept(step("look", retries=2, on_failure="continue"), step("next"))
    doing = Doing(look=StepFailed("weather.send said no", again=False), next="x")
    assert await ran(kept, doing) == ("done", "")
    assert (kept.begun, kept.ended[1]) == ([("look", 1), ("next", 1)], (1, "done", "x"))
