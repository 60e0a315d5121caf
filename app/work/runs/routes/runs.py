"""Runs: long work that plans, acts, asks and stops; its trace, its approvals, and the switch that stops them all."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Header, Query, Response
from pydantic import AwareDatetime, BaseModel, Field, model_validator
from starlette.responses import StreamingResponse

from app.boundary.confinement.programs import SandboxedPrograms
from app.errors import Conflict, InvalidInput, NotFound, OutOfCredits, Unavailable
from app.http.auth import require_administrator, require_scope
from app.http.bodies import StrictRoute
from app.http.deps import Called, Provided, Services, Tenant, act_as
from app.http.replay import KeptResponse, Once
from app.http.schemas import Cursor, Document, Limit, Listing, Number, SpokenText, as_json, from_row
from app.models.services import ModelServices, ProvidedModels
from app.principal import EVERYBODY
from app.records.model.events import Event
from app.turns.routes.envelopes import LARGEST_SEQ, envelope
from app.turns.routes.sse import EVENT_STREAM, HEADERS, HEARTBEAT, frame, last_seen
from app.work.projects.model.workshops import ProjectWork, WorkKind
from app.work.projects.services import ProjectServices, ProvidedProjects
from app.work.runs.limits import most_of
from app.work.runs.model.runs import (
    Allowance,
    ApprovalKind,
    ApprovalStatus,
    Grant,
    NewRun,
    PlannerName,
    Program,
    Run,
    RunEvent,
    RunLimits,
    RunStatus,
    StopReason,
    Verdict,
)
from app.work.runs.services import ProvidedPrograms, ProvidedRuns
from app.work.runs.store.runs import Runs

router = APIRouter(prefix="/v1/runs", tags=["runs"], route_class=StrictRoute)

NO_MODEL = "Runs need a language model, and there is none for you."
NO_MODEL_HINT = (
    "Choose one with `summit setup --provider`, PUT /v1/models/chat, or SUMMIT_LLM_MODEL; then send it again."
)
ACTIONS: dict[str, Verdict] = {
    "approve": "approved",
    "edit": "edited",
    "reject": "rejected",
    "respond": "responded",
}


class Limits(Document):
    """What a run may take; what is left out is as the server's settings say, and nothing may be above them."""

    steps: int | None = Field(None, strict=True, ge=1, le=500, description="Most steps.")
    seconds: int | None = Field(None, strict=True, ge=1, le=86_400, description="Most seconds that it works.")
    credits: int | None = Field(None, strict=True, ge=1, description="Most credits.")
    tokens: int | None = Field(None, strict=True, ge=1, description="Most tokens.")


class ProjectGoal(Document):
    """A registered project that coding agents work on; needs a key with the scope admin."""

    project_id: UUID
    agent: str = Field("", max_length=40, description="One of GET /v1/agents; empty for the first that is ready.")
    kind: WorkKind = Field("build", description="`learn`: write down what agents should know of it, and nothing else.")


class RunWanted(Document):
    """A goal."""

    goal: SpokenText = Field(max_length=8000, examples=["Find what my memos say about the roof and write a summary"])
    planner: PlannerName = Field("auto", description="`auto` chooses by the goal.")
    allow: list[Allowance] = Field(
        default_factory=list,
        max_length=5,
        description="What it may do without asking, until it has read words that are not yours.",
    )
    limits: Limits = Field(default_factory=Limits)
    thread_id: UUID | None = Field(None, description="The thread that it was started from.")
    project: ProjectGoal | None = Field(None, description="For work of coding agents on a project.")


class PhaseEnd(BaseModel):
    """A phase of work on a project: how it ended, how often it was built, and what its agents say that it cost."""

    title: str
    end: Literal["approved"] | StopReason
    rounds: int
    dollars: float


class RunResult(BaseModel):
    """What it ends with, whatever ended it."""

    answer: str
    achieved: bool
    done: list[str] = Field(description="What was changed, as it is.")
    not_done: list[str]
    unknown: list[str] = Field(description="Calls of which nobody knows whether they took effect.")
    lesson: str
    tainted_by: str = Field(description="The tool that brought words that are not yours; empty for none.")
    phases: list[PhaseEnd] = Field(default_factory=list, description="Of work on a project: its phases that are over.")


class RunView(BaseModel):
    """A run. `waiting` means that it asks something, see its approvals, or waits for a run that it started."""

    id: UUID
    goal: str
    status: RunStatus
    stop_reason: StopReason | None
    planner: PlannerName
    allowed: list[Allowance]
    limits: dict[str, float]
    usage: dict[str, float]
    result: RunResult | None
    project: ProjectGoal | None
    thread_id: UUID | None
    parent_id: UUID | None = Field(description="The run that handed this one a part of its goal.")
    created_at: AwareDatetime
    started_at: AwareDatetime | None
    finished_at: AwareDatetime | None
    parked_until: AwareDatetime | None = Field(description="A `waiting` run goes on by itself then: a usage limit.")


class CallView(BaseModel):
    """A call that a run wants to make."""

    name: str
    arguments: dict[str, Any]


class ApprovalView(BaseModel):
    """What a run asks: to approve a call, to answer a question, or what to do about a call of unknown outcome."""

    id: UUID
    run_id: UUID
    kind: ApprovalKind
    call: CallView
    reason: str
    status: ApprovalStatus
    answer: dict[str, Any] | None
    created_at: AwareDatetime
    expires_at: AwareDatetime
    decided_at: AwareDatetime | None


class Decision(Document):
    """Your answer to what a run asks."""

    approval_id: UUID
    action: Literal["approve", "edit", "reject", "respond"]
    arguments: dict[str, Any] | None = Field(None, description="With `edit`: the arguments to call it with instead.")
    text: str | None = Field(None, max_length=8000, description="With `respond`: your words; with `reject`: why.")

    @model_validator(mode="after")
    def _whole(self) -> Decision:
        if self.action == "edit" and self.arguments is None:
            raise ValueError("`edit` needs `arguments`")
        if self.action == "respond" and not self.text:
            raise ValueError("`respond` needs `text`")
        return self


class RunMessage(Document):
    """Words for a run, which it sees at its next step."""

    text: SpokenText = Field(max_length=8000)


class SwitchView(BaseModel):
    """Whether runs are stopped; `server` when the administrator stopped all of them."""

    engaged: bool
    reason: str
    server: bool


class SwitchWanted(Document):
    """Stop all runs, or allow them again."""

    engaged: bool = Field(strict=True)
    reason: str = Field("", max_length=500)


class GrantWanted(Document):
    """What a user's runs may do beyond their own records and folder."""

    programs: list[Program] = Field(default_factory=list, max_length=2)
    roots: list[str] = Field(default_factory=list, max_length=20, description="Absolute paths of further folders.")

    @model_validator(mode="after")
    def _absolute(self) -> GrantWanted:
        if any(not root.startswith("/") or ".." in root.split("/") for root in self.roots):
            raise ValueError("a root is an absolute path without ..")
        return self


class GrantView(BaseModel):
    """What was granted."""

    programs: list[Program]
    roots: list[str]
    unavailable: str = Field(description="Why programs cannot be executed on this machine; empty where they can.")


@router.post("", operation_id="start_run", summary="Start a run", status_code=202, response_model=RunView)
async def start_run(
    wanted: RunWanted,
    services: Provided,
    projects: ProvidedProjects,
    models: ProvidedModels,
    runs: ProvidedRuns,
    user_id: Tenant,
    caller: Called,
    once: Once,
) -> Response:
    """It works beside the conversation; this answers at once with its id. Without a language model it is refused.

    With a `project` coding agents do the work, and no language model is needed: requirements, your yes, a plan, each
    phase built, checked and reviewed on a branch of its own, your yes, then a pull request or a patch.
    """
    if wanted.project:
        require_scope(caller, "admin")

    async def act() -> KeptResponse:
        await _require_allowed(runs, user_id)
        await _require_thread(services, user_id, wanted.thread_id)
        work = await _work_on(projects, user_id, wanted.project) if wanted.project else None
        if work is None:
            await _require_model(models, user_id)
        new = NewRun(
            user_id=user_id,
            id=once.origin,
            goal=wanted.goal,
            limits=_limits(services, wanted.limits, project=work is not None),
            project=work,
            planner=wanted.planner,
            allowed=wanted.allow,
            thread_id=wanted.thread_id,
        )
        run = await runs.start(new)
        return KeptResponse(202, _document(run), {"Location": f"/v1/runs/{run.id}"})

    return await once.answer(act)


@router.get("", operation_id="list_runs", summary="List runs")
async def list_runs(runs: ProvidedRuns, user_id: Tenant, limit: Limit = 50, cursor: Cursor = None) -> Listing[RunView]:
    """The latest first."""
    found = await runs.list(user_id, limit, cursor)
    return Listing(items=[_view(run) for run in found.items], next=found.next)


@router.get("/switch", operation_id="get_kill_switch", summary="See whether runs are stopped")
async def get_kill_switch(runs: ProvidedRuns, user_id: Tenant) -> SwitchView:
    """The switch that holds for you."""
    return from_row(SwitchView, await runs.switch(user_id))


@router.put("/switch", operation_id="set_kill_switch", summary="Stop all runs")
async def set_kill_switch(wanted: SwitchWanted, runs: ProvidedRuns, caller: Called) -> SwitchView:
    """All of yours; with the administrator's key all of the server's. They end within seconds, with what they have."""
    await runs.set_switch(caller.user_id or EVERYBODY, engaged=wanted.engaged, reason=wanted.reason)
    return from_row(SwitchView, await runs.switch(caller.user_id or EVERYBODY))


@router.get("/grants/{user_id}", operation_id="get_run_grant", summary="See what a user's runs were granted")
async def get_run_grant(user_id: UUID, programs: ProvidedPrograms, runs: ProvidedRuns, caller: Called) -> GrantView:
    """For the administrator."""
    require_administrator(caller)
    return await _grant_view(programs, runs, user_id)


@router.put("/grants/{user_id}", operation_id="set_run_grant", summary="Grant folders and programs to a user's runs")
async def set_run_grant(
    user_id: UUID,
    wanted: GrantWanted,
    services: Provided,
    programs: ProvidedPrograms,
    runs: ProvidedRuns,
    caller: Called,
) -> GrantView:
    """For the administrator; it counts from the next time a run is taken up."""
    require_administrator(caller)
    if await services.users.get(user_id) is None:
        raise NotFound("There is no such user.")
    _require_apart(services.settings.data_dir, wanted.roots)
    await runs.set_grant(user_id, Grant(wanted.programs, wanted.roots))
    return await _grant_view(programs, runs, user_id)


@router.get("/{run_id}", operation_id="get_run", summary="Read a run")
async def get_run(run_id: UUID, runs: ProvidedRuns, user_id: Tenant) -> RunView:
    """The run as it is now, with its result once it has ended."""
    return _view(await _require_run(runs, user_id, run_id))


@router.get(
    "/{run_id}/events",
    operation_id="run_events",
    summary="Follow a run",
    response_class=Response,
    responses={200: {"description": "Server-sent events.", "content": {EVENT_STREAM: {"schema": {"type": "string"}}}}},
)
async def run_events(
    run_id: UUID,
    runs: ProvidedRuns,
    user_id: Tenant,
    after: Annotated[Number | None, Query(ge=0, le=LARGEST_SEQ, description="Only later entries of the trace.")] = None,
    last_event_id: Annotated[str, Header(description="`seq` of the last entry seen; resumes after it.")] = "",
) -> Response:
    """The whole trace from its first entry, then what happens, until `run.done`. `seq` counts within the run."""
    await _require_run(runs, user_id, run_id)
    frames = _frames(runs, user_id, run_id, last_seen(last_event_id, after) or 0)
    return StreamingResponse(frames, media_type=EVENT_STREAM, headers=HEADERS)


@router.post("/{run_id}/cancel", operation_id="cancel_run", summary="Stop a run", response_model=RunView)
async def cancel_run(run_id: UUID, runs: ProvidedRuns, user_id: Tenant, once: Once) -> Response:
    """It ends within seconds, with what it has. One that has ended stays as it is."""

    async def act() -> KeptResponse:
        run = await runs.cancel(user_id, run_id)
        if run is None:
            raise NotFound("There is no such run.")
        return KeptResponse(200, _document(run))

    return await once.answer(act)


@router.post("/{run_id}/message", operation_id="tell_run", summary="Say something to a run", response_model=RunView)
async def tell_run(run_id: UUID, said: RunMessage, runs: ProvidedRuns, user_id: Tenant, once: Once) -> Response:
    """It is seen at the next step, as your own words."""

    async def act() -> KeptResponse:
        run = await _require_run(runs, user_id, run_id)
        if not await runs.add_message(user_id, run_id, said.text, once.origin):
            raise Conflict("The run has ended.", hint="Start another one.")
        return KeptResponse(200, _document(run))

    return await once.answer(act)


@router.get("/{run_id}/approvals", operation_id="list_approvals", summary="See what a run asks")
async def list_approvals(run_id: UUID, runs: ProvidedRuns, user_id: Tenant) -> Listing[ApprovalView]:
    """The oldest first, those that were decided included."""
    await _require_run(runs, user_id, run_id)
    found = await runs.approvals(user_id, run_id)
    return Listing(items=[from_row(ApprovalView, one) for one in map(_approval_view, found)], next=None)


@router.post("/{run_id}/approvals", operation_id="decide_approval", summary="Answer a run", response_model=ApprovalView)
async def decide_approval(
    run_id: UUID, decision: Decision, runs: ProvidedRuns, user_id: Tenant, caller: Called, once: Once
) -> Response:
    """Decided once; the run goes on with it. 409 when it was decided, or has expired.

    What coding agents ask needs a key with the scope admin, as starting them does.
    """
    if (await _require_run(runs, user_id, run_id)).project:
        require_scope(caller, "admin")

    async def act() -> KeptResponse:
        asked = {one.id: one for one in await runs.approvals(user_id, run_id)}.get(decision.approval_id)
        if asked is None:
            raise NotFound("The run asks no such thing.")
        answer = {name: value for name in ("arguments", "text") if (value := getattr(decision, name)) is not None}
        done = await runs.decide(user_id, asked.id, ACTIONS[decision.action], answer or None)
        if done is None:
            raise Conflict("It was decided already, or nobody did in time.", hint="Read the run's approvals.")
        return KeptResponse(200, as_json(from_row(ApprovalView, _approval_view(done))))

    return await once.answer(act)


async def _grant_view(programs: SandboxedPrograms, runs: Runs, user_id: UUID) -> GrantView:
    grant = await runs.grant(user_id)
    unavailable = await programs.objection() if grant.programs else ""
    return GrantView(programs=list(grant.programs), roots=list(grant.roots), unavailable=unavailable)


def _require_apart(data_dir: Path, roots: Sequence[str]) -> None:
    """Raises InvalidInput for a folder that holds the server's data, or lies in it."""
    data = data_dir.resolve()
    for root in roots:
        folder = Path(root).resolve()
        if data.is_relative_to(folder) or folder.is_relative_to(data):
            raise InvalidInput(f"roots: {root} holds the data of this server.", hint="Grant another folder.")


async def _require_run(runs: Runs, user_id: UUID, run_id: UUID) -> Run:
    run = await runs.get(user_id, run_id)
    if run is None:
        raise NotFound("There is no such run.")
    return run


async def _work_on(projects: ProjectServices, user_id: UUID, wanted: ProjectGoal) -> ProjectWork:
    """The work as it is kept; raises what stands in its way."""
    if await projects.registry.get(user_id, wanted.project_id) is None:
        raise InvalidInput("project: there is no such project.", hint="GET /v1/projects lists them.")
    if objection := await projects.agents.objection():
        raise Conflict(objection, hint="See docs/guide/projects.md.")
    return ProjectWork(wanted.project_id, wanted.agent, wanted.kind)


async def _require_model(models: ModelServices, user_id: UUID) -> None:
    """Raises what a run that thinks lacks: a model, credits."""
    with act_as(user_id):
        if not await models.thinker.available():
            raise Unavailable(NO_MODEL, hint=NO_MODEL_HINT)
        if not await models.solvent(user_id):
            raise OutOfCredits("The credits do not suffice for a step of a run.")


async def _require_allowed(runs: Runs, user_id: UUID) -> None:
    """Raises Conflict while a kill switch is engaged."""
    switch = await runs.switch(user_id)
    if switch.engaged:
        whose = "The administrator has stopped all runs" if switch.server else "You have stopped all runs"
        raise Conflict(f"{whose}{f': {switch.reason}' if switch.reason else ''}.", hint="PUT /v1/runs/switch.")


async def _require_thread(services: Services, user_id: UUID, thread_id: UUID | None) -> None:
    """Raises NotFound for a conversation that the user does not have."""
    if thread_id is not None and await services.threads.get(user_id, thread_id) is None:
        raise NotFound("There is no such thread.", hint="Leave thread_id out, or take one of GET /v1/threads.")


def _limits(services: Services, wanted: Limits, *, project: bool) -> RunLimits:
    most = most_of(services.settings, project=project)
    said = wanted.model_dump(exclude_none=True)
    return replace(most, **{name: min(value, getattr(most, name)) for name, value in said.items()})


def _view(run: Run) -> RunView:
    project = {name: getattr(run.project, name) for name in ProjectGoal.model_fields} if run.project else None
    shown = {**vars(run), "limits": vars(run.limits), "usage": dict(run.usage), "project": project}
    return RunView.model_validate({name: value for name, value in shown.items() if name in RunView.model_fields})


def _document(run: Run) -> dict[str, Any]:
    return as_json(_view(run))


def _approval_view(approval: Any) -> Any:
    """An approval with as much of its call as is shown."""
    call = {"name": str(approval.call.get("name", "")), "arguments": approval.call.get("arguments", {})}
    return ApprovalView.model_validate({**vars(approval), "call": call})


async def _frames(runs: Runs, user_id: UUID, run_id: UUID, seen: int) -> AsyncIterator[bytes]:
    """The trace in wire form."""
    async with aclosing(runs.follow(user_id, run_id, seen)) as trace:
        async for event in trace:
            yield _frame(run_id, event) if event else HEARTBEAT


def _frame(run_id: UUID, event: RunEvent) -> bytes:
    data = {**event.data, "run_id": str(run_id)}
    return frame(envelope(Event(event.seq, None, event.type, event.ts, data)))
