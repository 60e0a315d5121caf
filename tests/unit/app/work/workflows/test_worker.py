"""A run of a workflow step by step: what is slow, dead or refused is told, and nothing after it is done."""

from __future__ import annotations

import asyncio
from typing import Any

from app.work.workflows.model import StepEnd
from app.work.workflows.trying import StepFailed, Try
from app.work.workflows.worker import WorkflowWorker
from tests.support.workflow_runs import USER, Kept, no_pause


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
