"""Workflows: what users wrote, the runs of them, and what each step came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol
from uuid import UUID

WorkflowOrigin = Literal["request", "words", "memo", "schedule"]
WorkflowStatus = Literal["queued", "running", "done", "failed", "cancelled"]
OF_A_MEMO = ("memo_id", "memo_title", "memo_text")
"""The inputs that a memo brings."""
StepState = Literal["running", "done", "failed"]


@dataclass(frozen=True)
class StoredWorkflow:
    """A workflow as it is kept; ``next_at`` is when its schedule starts it."""

    slug: str
    definition: Mapping[str, Any]
    next_at: datetime | None
    created_at: datetime
    updated_at: datetime

    @property
    def name(self) -> str:
        """What people call it."""
        return str(self.definition["name"])

    @property
    def required_inputs(self) -> list[str]:
        """The inputs that whoever starts it by name has to give."""
        trigger = self.definition.get("trigger") or {}
        return [*self.definition.get("inputs", []), *(OF_A_MEMO if trigger.get("kind") == "memo" else ())]


@dataclass(frozen=True)
class NewWorkflowRun:
    """A run to be; the same id again is the same run."""

    user_id: UUID
    id: UUID
    slug: str
    definition: Mapping[str, Any]
    inputs: Mapping[str, str]
    origin: WorkflowOrigin


@dataclass(frozen=True)
class WorkflowRun:
    """One run; ``message`` says why it ended as it did, ``generation`` is the fencing token of its worker."""

    user_id: UUID
    id: UUID
    slug: str
    definition: Mapping[str, Any]
    inputs: Mapping[str, str]
    origin: WorkflowOrigin
    status: WorkflowStatus
    message: str
    generation: int
    created_at: datetime
    started_at: datetime | None = None
    finished_at: datetime | None = None


@dataclass(frozen=True)
class StepRow:
    """What one step came to; ``details`` has its turn, or its citations."""

    place: int
    step: str
    attempt: int
    state: StepState
    output: str
    details: Mapping[str, Any]
    started_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True)
class StepEnd:
    """How a step ends. ``tell`` is told to its user as a notification, in the same transaction."""

    state: StepState
    output: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    tell: str | None = None


class WorkflowWork(Protocol):
    """Runs as their worker uses them: every write raises StaleLease once its claim is gone."""

    async def claim(self, user_id: UUID, run_id: UUID) -> WorkflowRun | None:
        """Take a run that waits, or one whose worker died; None when there is nothing to do."""

    async def steps(self, user_id: UUID, run_id: UUID) -> Sequence[StepRow]:
        """What its steps came to so far, in their order."""

    async def begin(self, run: WorkflowRun, place: int, step: str, attempt: int) -> bool:
        """Note that a step is tried; False when the run is to stop, and then nothing is noted."""

    async def end(self, run: WorkflowRun, place: int, end: StepEnd) -> None:
        """Keep what it came to."""

    async def finish(self, run: WorkflowRun, status: WorkflowStatus, message: str, tell: str = "") -> None:
        """Commit the end; ``tell`` is told to its user as a notification."""
