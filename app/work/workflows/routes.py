"""Workflows: steps that are done one after the other, by name, in a rhythm, or when a memo is heard."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Depends, Path, Response
from pydantic import AwareDatetime, BaseModel, Field, StringConstraints

from app.errors import Conflict, InvalidInput, NotFound
from app.http.bodies import StrictRoute
from app.http.deps import Provided, Services, Tenant, provide
from app.http.replay import KeptResponse, Once
from app.http.schemas import Cursor, Document, Limit, Listing, as_json, from_row
from app.http.zone import customs_of_user
from app.work.runs.services import ProvidedRuns
from app.work.workflows.definition import SLUG, Definition
from app.work.workflows.model import (
    NewWorkflowRun,
    StepState,
    StoredWorkflow,
    WorkflowOrigin,
    WorkflowRun,
    WorkflowStatus,
)
from app.work.workflows.schedule import next_moment
from app.work.workflows.starters import starters
from app.work.workflows.store import Workflows

ProvidedWorkflows = Annotated[Workflows, Depends(provide(Workflows))]

router = APIRouter(prefix="/v1/workflows", tags=["workflows"], route_class=StrictRoute)

NO_WORKFLOW = "There is no such workflow."
LIST_THEM = "GET /v1/workflows lists yours, GET /v1/workflow-starters some to begin with."
Slug = Annotated[str, Path(pattern=SLUG, max_length=60, description="The workflow's name in addresses.")]
Value = Annotated[str, StringConstraints(max_length=20_000)]


class WorkflowView(BaseModel):
    """A workflow."""

    slug: str
    definition: Definition
    needs_model: bool = Field(description="Whether some step cannot be done without a language model.")
    next_at: AwareDatetime | None = Field(description="When its schedule starts it next.")
    created_at: AwareDatetime
    updated_at: AwareDatetime


class Inputs(Document):
    """What a run is given."""

    inputs: dict[str, Value] = Field(default_factory=dict, examples=[{"question": "What did I say about the roof?"}])


class StepView(BaseModel):
    """What a step came to. `waits` among its details: changes of its turn wait for a yes."""

    id: str
    state: StepState
    attempt: int
    output: str
    details: dict[str, Any] = Field(description="Of a turn: its id and thread. Of a question to memory: citations.")
    started_at: AwareDatetime
    finished_at: AwareDatetime | None


class WorkflowRunView(BaseModel):
    """A run of a workflow."""

    id: UUID
    slug: str
    origin: WorkflowOrigin
    status: WorkflowStatus
    message: str = Field(description="Why it ended where it did; empty where it ran to its end.")
    inputs: dict[str, str]
    created_at: AwareDatetime
    started_at: AwareDatetime | None
    finished_at: AwareDatetime | None


class WholeRun(WorkflowRunView):
    """A run with its steps so far."""

    steps: list[StepView]


@router.get("", operation_id="list_workflows", summary="List workflows")
async def list_workflows(workflows: ProvidedWorkflows, user_id: Tenant) -> Listing[WorkflowView]:
    """By name."""
    return Listing(items=[_view(one) for one in await workflows.list(user_id)], next=None)


@router.get("/{slug}", operation_id="get_workflow", summary="Read a workflow")
async def get_workflow(slug: Slug, workflows: ProvidedWorkflows, user_id: Tenant) -> WorkflowView:
    """With its definition as it is kept."""
    return _view(await _require_workflow(workflows, user_id, slug))


@router.put("/{slug}", operation_id="put_workflow", summary="Write a workflow")
async def put_workflow(
    slug: Slug, definition: Definition, services: Provided, workflows: ProvidedWorkflows, user_id: Tenant
) -> WorkflowView:
    """Keep it in the place of the one of that name, if there is one; runs that are under way are not touched.

    It is checked as a whole: variables that nothing gives, steps of one name and schedules that never come are errors.
    """
    if definition.slug != slug:
        raise InvalidInput("slug: it is not that of the address.", hint="Send the same name in both places.")
    zone, _ = await customs_of_user(services, user_id)
    kept = definition.model_dump(mode="json")
    await workflows.put(user_id, slug, kept, next_moment(definition, datetime.now(UTC), zone))
    return _view(await _require_workflow(workflows, user_id, slug))


@router.delete("/{slug}", operation_id="delete_workflow", summary="Delete a workflow", status_code=204)
async def delete_workflow(slug: Slug, workflows: ProvidedWorkflows, user_id: Tenant) -> None:
    """Nothing starts it any more; what became of its runs can still be read."""
    if not await workflows.delete(user_id, slug):
        raise NotFound(NO_WORKFLOW, hint=LIST_THEM)


@router.post(
    "/{slug}/runs",
    operation_id="run_workflow",
    summary="Run a workflow",
    status_code=202,
    response_model=WorkflowRunView,
)
async def run_workflow(
    slug: Slug, given: Inputs, workflows: ProvidedWorkflows, runs: ProvidedRuns, user_id: Tenant, once: Once
) -> Response:
    """It is accepted at once; read the run for what its steps come to."""

    async def act() -> KeptResponse:
        kept = await _require_workflow(workflows, user_id, slug)
        _insist_on_inputs(kept.required_inputs, given.inputs)
        if (await runs.switch(user_id)).engaged:
            raise Conflict("All runs are stopped.", hint="PUT /v1/runs/switch allows them again.")
        new = NewWorkflowRun(user_id, once.origin, slug, kept.definition, given.inputs, "request")
        run = await workflows.start(new)
        return KeptResponse(202, as_json(_run(run)), {"Location": f"/v1/workflows/{slug}/runs/{run.id}"})

    return await once.answer(act)


@router.get("/{slug}/runs", operation_id="list_workflow_runs", summary="List a workflow's runs")
async def list_workflow_runs(
    slug: Slug, workflows: ProvidedWorkflows, user_id: Tenant, limit: Limit = 50, cursor: Cursor = None
) -> Listing[WorkflowRunView]:
    """The latest first, those of a workflow that is gone included."""
    found = await workflows.runs(user_id, slug, limit, cursor)
    return Listing(items=[_run(one) for one in found.items], next=found.next)


@router.get("/{slug}/runs/{run_id}", operation_id="get_workflow_run", summary="Read a run of a workflow")
async def get_workflow_run(slug: Slug, run_id: UUID, workflows: ProvidedWorkflows, user_id: Tenant) -> WholeRun:
    """With what its steps came to so far."""
    return await _whole(workflows, user_id, await _known_run(workflows, user_id, slug, run_id))


@router.post(
    "/{slug}/runs/{run_id}/cancel",
    operation_id="cancel_workflow_run",
    summary="Stop a run of a workflow",
    response_model=WorkflowRunView,
)
async def cancel_workflow_run(
    slug: Slug, run_id: UUID, workflows: ProvidedWorkflows, user_id: Tenant, once: Once
) -> Response:
    """It stops before its next step; what its steps did until then stays."""

    async def act() -> KeptResponse:
        run = await _known_run(workflows, user_id, slug, run_id)
        return KeptResponse(200, as_json(_run(await workflows.cancel(user_id, run_id) or run)))

    return await once.answer(act)


starting = APIRouter(prefix="/v1", tags=["workflows"], route_class=StrictRoute)


@starting.get("/workflow-starters", operation_id="list_workflow_starters", summary="List workflows to begin with")
async def list_workflow_starters(_user_id: Tenant) -> Listing[Definition]:
    """Write one with PUT to make it yours, as it is or changed."""
    return Listing(items=list(starters().values()), next=None)


async def reschedule(services: Services, user_id: UUID) -> None:
    """Put the schedules of a user onto the wall clock of a new time zone."""
    workflows = services.get(Workflows)
    zone, _ = await customs_of_user(services, user_id)
    for kept in await workflows.list(user_id):
        next_at = next_moment(Definition.model_validate(kept.definition), datetime.now(UTC), zone)
        if next_at and kept.next_at:
            await workflows.reschedule(user_id, kept.slug, next_at)


def _insist_on_inputs(wanted: list[str], given: dict[str, str]) -> None:
    if missing := [name for name in wanted if name not in given]:
        raise InvalidInput(f"inputs: {', '.join(missing)} is missing.", hint=f"It wants {', '.join(wanted)}.")
    if more := sorted(set(given) - set(wanted)):
        hint = f"It wants {', '.join(wanted)}." if wanted else "It wants none."
        raise InvalidInput(f"inputs: it takes no {', '.join(more)}.", hint=hint)


async def _require_workflow(workflows: Workflows, user_id: UUID, slug: str) -> StoredWorkflow:
    found = await workflows.get(user_id, slug)
    if found is None:
        raise NotFound(NO_WORKFLOW, hint=LIST_THEM)
    return found


async def _known_run(workflows: Workflows, user_id: UUID, slug: str, run_id: UUID) -> WorkflowRun:
    run = await workflows.run(user_id, run_id)
    if run is None or run.slug != slug:
        raise NotFound("There is no such run of this workflow.")
    return run


def _view(kept: StoredWorkflow) -> WorkflowView:
    definition = Definition.model_validate(kept.definition)
    shown = {**vars(kept), "definition": definition, "needs_model": definition.needs_model()}
    return WorkflowView.model_validate(shown)


def _run(run: WorkflowRun) -> WorkflowRunView:
    return from_row(WorkflowRunView, run)


async def _whole(workflows: Workflows, user_id: UUID, run: WorkflowRun) -> WholeRun:
    steps = await workflows.steps(user_id, run.id)
    shown = [StepView.model_validate({**vars(one), "id": one.step}) for one in steps]
    return WholeRun(**_run(run).model_dump(), steps=shown)
