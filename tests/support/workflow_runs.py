"""A run of a workflow that is kept in memory."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from app.work.workflows.model import StepEnd, StepRow, WorkflowRun

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


async def no_pause(_seconds: float) -> None:
    return None
