"""Runs: long work beside the conversation, its trace, its approvals, and what its tools did."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol
from uuid import UUID

from agents.contract import Change
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


class Runs(Protocol):
    """Runs as the doors use them."""

    async def start(self, new: NewRun) -> Run:
        """Commit the row and its job in one transaction; the same id again returns the row that there is."""

    async def get(self, user_id: UUID, run_id: UUID) -> Run | None:
        """One run."""

    async def list(self, user_id: UUID, limit: int, cursor: str | None) -> Any:
        """A page of runs, the latest first."""

    async def of_project(self, user_id: UUID, project_id: UUID) -> Sequence[Run]:
        """Every run on a project, the latest first."""

    async def events(self, user_id: UUID, run_id: UUID, after: int, limit: int) -> Sequence[RunEvent]:
        """The trace after a place."""

    def follow(self, user_id: UUID, run_id: UUID, after: int) -> AsyncGenerator[RunEvent | None]:
        """The trace after a place, then what happens; None after a quiet while; ends after run.done."""

    async def approvals(self, user_id: UUID, run_id: UUID) -> Sequence[Approval]:
        """What the run asked, oldest first."""

    async def changes(self, user_id: UUID, run_id: UUID) -> Sequence[Change]:
        """The ledger's rows of what the run and its children did, oldest first."""

    async def cancel(self, user_id: UUID, run_id: UUID) -> Run | None:
        """Ask a run to stop; one that waits is taken up to be ended."""

    async def tell(self, user_id: UUID, run_id: UUID, text: str, origin: UUID | None = None) -> bool:
        """Words for the run's next step, once for each ``origin``; False when it is over."""

    async def decide(
        self, user_id: UUID, approval_id: UUID, verdict: Verdict, answer: Mapping[str, Any] | None
    ) -> Approval | None:
        """Decide a pending approval and defer the job that goes on, in one transaction; None when it is not pending."""

    async def grant(self, user_id: UUID) -> Grant:
        """What an administrator allowed."""

    async def set_grant(self, user_id: UUID, grant: Grant) -> None:
        """Allow it from now on."""

    async def switch(self, user_id: UUID) -> Switch:
        """The switch that holds for a user: the server's where it is engaged, else the user's own."""

    async def set_switch(self, owner: UUID, *, engaged: bool, reason: str = "") -> None:
        """Stop all runs of a user, or of the server for EVERYBODY, or allow them again; what waits is ended."""

    async def end_stopped(self) -> None:
        """End what waits on a server that is stopped: a crash may have left some."""

    async def take_up_parked(self) -> None:
        """Let runs go on that were parked until now."""

    async def defer_lost(self) -> None:
        """Put open runs that have no job into the queue: the end of a lost worker may have taken it."""


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

    async def wait(self, run: Run, asked: NewApproval, usage: Mapping[str, Any]) -> Approval:
        """Commit the question and let the run wait; the approval as it is, perhaps decided already."""

    async def delegate(self, run: Run, child: NewRun, usage: Mapping[str, Any]) -> Run:
        """Start a child, once, and let the run wait until it has ended; the child as it is, perhaps ended already."""

    async def park(self, run: Run, key: str, until: datetime, usage: Mapping[str, Any]) -> None:
        """Let the run wait until then, without a worker; ``key`` is that of the event that tells of it."""

    async def approval(self, user_id: UUID, approval_id: UUID) -> Approval | None:
        """One approval."""

    async def begin_effect(self, run: Run, call_id: UUID, tool: str) -> Effect | None:
        """Note that a call begins; what there is of it already, if it began before."""

    async def end_effect(self, run: Run, call_id: UUID, outcome: Mapping[str, Any]) -> None:
        """Keep what a call did."""

    async def forget_effect(self, run: Run, call_id: UUID) -> None:
        """Forget a call that had no effect, so that it may begin again."""

    async def finish(
        self,
        run: Run,
        reason: StopReason,
        result: Mapping[str, Any],
        usage: Mapping[str, Any],
        lessons: Sequence[NewLesson] = (),
    ) -> None:
        """Commit the end, the last event and what was learned included."""

    async def expired(self, limit: int = 100) -> Sequence[tuple[UUID, UUID]]:
        """(user, approval) of what nobody decided in time."""

    async def grant(self, user_id: UUID) -> Grant:
        """What an administrator allowed."""
