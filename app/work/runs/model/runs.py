"""Runs: long work beside the conversation, its trace, its approvals, and what its tools did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol
from uuid import UUID

from app.work.projects.model.workshops import ProjectWork
from app.work.runs.model.lessons import NewLesson

RunStatus = Literal["queued", "running", "waiting", "done"]
PlannerName = Literal["auto", "react", "plan_first"]
StopReason = Literal[
    "goal_achieved",
    "max_steps",
    "timeout",
    "budget_exceeded",
    "loop_detected",
    "no_state_change",
    "no_progress",
    "kill_switch",
    "unsafe_action_blocked",
    "cancelled",
    "needs_input",
    "failed",
]
RunEventType = Literal["run.started", "run.step", "approval.required", "run.resumed", "run.done"]
ApprovalKind = Literal["approval", "question", "unknown"]
ApprovalStatus = Literal["pending", "approved", "edited", "rejected", "responded", "expired", "withdrawn"]
Verdict = Literal["approved", "edited", "rejected", "responded", "expired"]
Allowance = Literal["write", "delete", "send", "fetch", "execute"]
"""What a run does without a question, as long as it has read no words but its user's (``tools/policy.py``).

``write`` is writing in a folder that is not the user's own; their own folder and records need no permission. ``fetch``
changes nothing: before such words any address is called without a question, and after them no permission counts.
"""
Program = Literal["shell", "python"]


@dataclass(frozen=True)
class RunLimits:
    """What one run may take; ``seconds`` are those in which it works, waiting for people not counted."""

    steps: int
    seconds: float
    credits: int
    tokens: int
    output_chars: int


@dataclass(frozen=True)
class NewRun:
    """A goal at the door; ``allowed`` is what its user lets it do without a further question.

    With a ``project`` it is work for coding agents. A child of another run is ``given`` {said, tainted} of its parent.
    """

    user_id: UUID
    id: UUID
    goal: str
    limits: RunLimits
    planner: PlannerName = "auto"
    allowed: Sequence[Allowance] = ()
    thread_id: UUID | None = None
    parent_id: UUID | None = None
    project: ProjectWork | None = None
    given: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Run:
    """One row. ``generation`` is the fencing token of its worker's claim; ``usage`` counts steps, time and tokens.

    One that is ``parked_until`` a moment waits for nothing else.
    """

    user_id: UUID
    id: UUID
    goal: str
    status: RunStatus
    planner: PlannerName
    limits: RunLimits
    allowed: Sequence[Allowance]
    generation: int
    cancel_requested: bool
    created_at: datetime
    usage: Mapping[str, Any] = field(default_factory=dict)
    thread_id: UUID | None = None
    parent_id: UUID | None = None
    project: ProjectWork | None = None
    given: Mapping[str, Any] | None = None
    stop_reason: StopReason | None = None
    result: Mapping[str, Any] | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    parked_until: datetime | None = None


@dataclass(frozen=True)
class RunEventDraft:
    """An event before it has a place in the trace; a ``key`` is told once, however often its step is run."""

    key: str
    type: RunEventType
    data: Mapping[str, Any]


@dataclass(frozen=True)
class RunEvent:
    """One entry of the trace."""

    seq: int
    type: RunEventType
    ts: datetime
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Approval:
    """A call, or a question, that waits for its user. ``answer`` holds new arguments, or words."""

    id: UUID
    run_id: UUID
    kind: ApprovalKind
    call: Mapping[str, Any]
    reason: str
    status: ApprovalStatus
    answer: Mapping[str, Any] | None
    created_at: datetime
    expires_at: datetime
    decided_at: datetime | None


@dataclass(frozen=True)
class NewApproval:
    """What a run has to ask."""

    id: UUID
    kind: ApprovalKind
    call: Mapping[str, Any]
    reason: str


@dataclass(frozen=True)
class Effect:
    """What one call did: ``outcome`` is None where a crash hid it."""

    call_id: UUID
    tool: str
    outcome: Mapping[str, Any] | None


@dataclass(frozen=True)
class Grant:
    """What an administrator allows a user's runs: programs to execute, and further folders."""

    programs: Sequence[Program] = ()
    roots: Sequence[str] = ()


@dataclass(frozen=True)
class Switch:
    """A kill switch; ``server`` when it is the one for all runs of the server."""

    engaged: bool
    reason: str = ""
    server: bool = False


@dataclass(frozen=True)
class Pulse:
    """What a worker looks at each second while its run works."""

    cancel_requested: bool
    switch: Switch


class RunWork(Protocol):
    """Runs as their worker uses them: every write is fenced by the claim, and raises StaleLease once it is gone."""

    async def claim(self, user_id: UUID, run_id: UUID) -> Run | None:
        """Take a queued run, or one whose worker died; None when there is nothing to do."""

    async def pulse(self, run: Run, usage: Mapping[str, Any]) -> Pulse:
        """Keep what the run used so far; what asks it to stop."""

    async def record(self, run: Run, events: Sequence[RunEventDraft]) -> None:
        """Add to the trace."""

    async def messages(self, run: Run, after: int) -> Sequence[tuple[int, str]]:
        """What the user said to the run since, as (place, words)."""

    async def ask_once(self, run: Run, asked: NewApproval, usage: Mapping[str, Any]) -> Approval:
        """Put a question, once, and let the run wait; asked again after the answer, it only returns that.

        It does not block: the approval comes back as it is, still pending for a new question.
        """

    async def delegate(self, run: Run, child: NewRun, usage: Mapping[str, Any]) -> Run:
        """Start a child, once, and let the run wait until it has ended; the child as it is, perhaps ended already."""

    async def park(self, run: Run, key: str, until: datetime, usage: Mapping[str, Any]) -> None:
        """Let the run wait until then, without a worker; ``key`` is that of the event that tells of it."""

    async def begin_effect(self, run: Run, call_id: UUID, tool: str) -> Effect | None:
        """Note that a call begins; what there is of it already, if it began before."""

    async def end_effect(self, run: Run, call_id: UUID, outcome: Mapping[str, Any]) -> None:
        """Keep what a call did."""

    async def finish(
        self,
        run: Run,
        reason: StopReason,
        result: Mapping[str, Any],
        usage: Mapping[str, Any],
        lessons: Sequence[NewLesson] = (),
    ) -> None:
        """Commit the end, the last event and what was learned included."""

    async def expired_approvals(self, limit: int = 100) -> Sequence[tuple[UUID, UUID]]:
        """(user, approval) of what nobody decided in time."""

    async def grant(self, user_id: UUID) -> Grant:
        """What an administrator allowed."""
