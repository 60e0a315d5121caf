"""Projects: folders of code on the server's machine, and what they are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response
from pydantic import AwareDatetime, BaseModel, Field

from app.errors import InvalidInput, NotFound
from app.http.auth import require_scope
from app.http.bodies import StrictRoute
from app.http.deps import Called, Tenant
from app.http.replay import KeptResponse, Once
from app.http.schemas import Document, Listing, as_json, from_row
from app.work.projects.model.projects import Project, ProjectFacts, ProjectRefused, WorkTree
from app.work.projects.model.workshops import mark_of
from app.work.projects.services import ProjectServices, ProvidedProjects
from app.work.runs.model.runs import Run
from app.work.runs.services import ProvidedRuns
from app.work.runs.store.runs import Runs

router = APIRouter(prefix="/v1/projects", tags=["projects"], route_class=StrictRoute)
agents_router = APIRouter(prefix="/v1/agents", tags=["projects"], route_class=StrictRoute)
ALLOWED = "Give a folder below one of those that SUMMIT_PROJECT_FOLDERS names."


class FactsView(BaseModel):
    """What a folder is made of, found by its files alone; nothing in it is run."""

    languages: dict[str, float] = Field(description="Shares of the code in bytes, the largest first.")
    frameworks: list[str]
    package_managers: list[str]
    build: list[str]
    test_runners: list[str]
    linters: list[str]
    formatters: list[str]
    ci: list[str]
    containers: list[str]
    tree: list[str] = Field(description="Folders (ending in /) and files to a depth of three, without ignored ones.")
    file_count: int
    complete: bool = Field(description="False where there are more files than are looked at.")


class ProjectView(BaseModel):
    """A registered folder, with what the last scan found."""

    id: UUID
    name: str
    root: str
    description: str
    facts: FactsView | None
    created_at: AwareDatetime
    scanned_at: AwareDatetime | None


class WorkTreeView(BaseModel):
    """A checkout of a project on a branch of its own."""

    path: str
    branch: str
    clean: bool = Field(description="False where it has changes that are not committed.")
    merged: bool = Field(description="Whether another branch has its commits, too.")
    run_id: UUID | None = Field(description="The run that it was made for; null where that is not known any more.")
    orphan: bool = Field(description="Whether no open run works in it: what is left there is yours to merge or remove.")


class KeptTree(BaseModel):
    """A work tree that stays."""

    branch: str
    why: str


class RemovedTrees(BaseModel):
    """What became of a project's work trees."""

    removed: list[str] = Field(description="Branches whose work trees are gone, and they with them.")
    kept: list[KeptTree]


class BranchDiffView(BaseModel):
    """What a branch changes, as `git diff` tells it."""

    branch: str
    text: str
    complete: bool = Field(description="False where it is longer than is shown.")


class AgentView(BaseModel):
    """A coding agent on the server's machine."""

    name: str = Field(examples=["claude"])
    program: str | None = Field(description="Where its program is; null where it is not installed.")
    version: str | None
    logged_in: bool | None = Field(description="Null where only a trial call can tell.")
    detail: str = Field(description="What to do where it is not ready.")


class TrialView(BaseModel):
    """Whether an agent answers."""

    ok: bool
    detail: str


class NewProject(Document):
    """A folder to register."""

    name: Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[\w][\w .-]*$", examples=["summit"])]
    root: str = Field(min_length=1, max_length=1000, description="The whole path.", examples=["/home/ana/code/summit"])
    description: str = Field("", max_length=2000)


@router.get("", operation_id="list_projects", summary="List projects")
async def list_projects(projects: ProvidedProjects, user_id: Tenant, caller: Called) -> Listing[ProjectView]:
    """Every project, by name. The key needs the scope admin, as for everything about projects."""
    require_scope(caller, "admin")
    return Listing(items=[_view(one) for one in await projects.registry.list(user_id)], next=None)


@router.post("", operation_id="add_project", summary="Register a project", status_code=201, response_model=ProjectView)
async def add_project(
    body: NewProject, projects: ProvidedProjects, user_id: Tenant, caller: Called, once: Once
) -> Response:
    """The folder is scanned and known by its name. Nothing is written into it, and nothing in it is run."""
    require_scope(caller, "admin")

    async def act() -> KeptResponse:
        try:
            root = str(projects.folders.resolve(body.root))
            facts = await projects.folders.scan(root)
        except ProjectRefused as refusal:
            raise InvalidInput(str(refusal), hint=ALLOWED) from refusal
        made = await projects.registry.add(user_id, body.name, root, body.description, facts, once.origin)
        return KeptResponse(201, as_json(_view(made)), {"Location": f"/v1/projects/{made.id}"})

    return await once.answer(act)


@router.get("/{project_id}", operation_id="get_project", summary="Show a project")
async def get_project(project_id: UUID, projects: ProvidedProjects, user_id: Tenant, caller: Called) -> ProjectView:
    """One project, with what the last scan found."""
    require_scope(caller, "admin")
    return _view(await _require_project(projects, user_id, project_id))


@router.post(
    "/{project_id}/scan", operation_id="scan_project", summary="Scan a project again", response_model=ProjectView
)
async def scan_project(
    project_id: UUID, projects: ProvidedProjects, user_id: Tenant, caller: Called, once: Once
) -> Response:
    """Languages, frameworks, tools and the tree as they are now."""
    require_scope(caller, "admin")

    async def act() -> KeptResponse:
        known = await projects.registry.get(user_id, project_id)
        if known is None:
            raise NotFound("There is no such project.")
        try:
            facts = await projects.folders.scan(known.root)
        except ProjectRefused as refusal:
            raise InvalidInput(str(refusal), hint=ALLOWED) from refusal
        kept = await projects.registry.keep_facts(user_id, project_id, facts)
        if kept is None:
            raise NotFound("There is no such project.")
        return KeptResponse(200, as_json(_view(kept)))

    return await once.answer(act)


@router.get("/{project_id}/trees", operation_id="list_work_trees", summary="List a project's work trees")
async def list_work_trees(
    project_id: UUID, projects: ProvidedProjects, runs: ProvidedRuns, user_id: Tenant, caller: Called
) -> Listing[WorkTreeView]:
    """Where coding agents work or worked; none goes by itself."""
    require_scope(caller, "admin")
    return Listing(
        items=await _trees(projects, runs, user_id, await _require_project(projects, user_id, project_id)), next=None
    )


@router.delete("/{project_id}/trees", operation_id="remove_work_trees", summary="Remove work trees that are done")
async def remove_work_trees(
    project_id: UUID, projects: ProvidedProjects, runs: ProvidedRuns, user_id: Tenant, caller: Called
) -> RemovedTrees:
    """Each one that is merged and clean and in which no run works, with its branch and log; the others say why not."""
    require_scope(caller, "admin")
    known = await _require_project(projects, user_id, project_id)
    removed, kept = list[str](), list[KeptTree]()
    for tree in await _trees(projects, runs, user_id, known):
        if why := _reason_to_keep(tree) or await projects.folders.remove_tree(known.root, tree.branch):
            kept.append(KeptTree(branch=tree.branch, why=why))
        else:
            removed.append(tree.branch)
    return RemovedTrees(removed=removed, kept=kept)


@router.get("/{project_id}/diff", operation_id="show_branch_diff", summary="Show what a branch changes")
async def show_branch_diff(
    project_id: UUID,
    branch: Annotated[str, Query(max_length=200, pattern=r"^summit/[a-z0-9-]+$", examples=["summit/mend-the-roof"])],
    projects: ProvidedProjects,
    user_id: Tenant,
    caller: Called,
) -> BranchDiffView:
    """The diff of a work tree's branch against where it began; each step of an agent is committed at its end."""
    require_scope(caller, "admin")
    known = await _require_project(projects, user_id, project_id)
    try:
        found = await projects.folders.diff(known.root, branch)
    except ProjectRefused as refusal:
        raise InvalidInput(str(refusal), hint=ALLOWED) from refusal
    if found is None:
        raise NotFound("There is no such work tree.", hint="GET /v1/projects/{project_id}/trees lists them.")
    return from_row(BranchDiffView, found)


@router.delete("/{project_id}", operation_id="remove_project", summary="Forget a project", status_code=204)
async def remove_project(project_id: UUID, projects: ProvidedProjects, user_id: Tenant, caller: Called) -> None:
    """It is registered no more; its folder is not touched."""
    require_scope(caller, "admin")
    if not await projects.registry.remove(user_id, project_id):
        raise NotFound("There is no such project.")


async def _require_project(projects: ProjectServices, user_id: UUID, project_id: UUID) -> Project:
    if (found := await projects.registry.get(user_id, project_id)) is None:
        raise NotFound("There is no such project.")
    return found


async def _trees(projects: ProjectServices, runs: Runs, user_id: UUID, project: Project) -> list[WorkTreeView]:
    try:
        found = await projects.folders.trees(project.root)
    except ProjectRefused as refusal:
        raise InvalidInput(str(refusal), hint=ALLOWED) from refusal
    made = await runs.of_project(user_id, project.id)
    return [_tree(one, made) for one in found]


def _reason_to_keep(tree: WorkTreeView) -> str:
    """Why a work tree has to stay; empty where it has not."""
    if not tree.orphan:
        return f"Run {tree.run_id} works in it."
    if not tree.clean:
        return "It has changes that are not committed."
    return "" if tree.merged else "Its commits are on no other branch."


def _tree(tree: WorkTree, runs: Sequence[Run]) -> WorkTreeView:
    run = next((one for one in runs if tree.branch.endswith(mark_of(one.id))), None)
    return WorkTreeView(**vars(tree), run_id=run.id if run else None, orphan=run is None or run.status == "done")


def _view(project: Project) -> ProjectView:
    facts: ProjectFacts | None = project.facts
    return ProjectView(
        **{**vars(project), "facts": from_row(FactsView, facts) if facts else None},
    )


@agents_router.get("", operation_id="list_agents", summary="List coding agents")
async def list_agents(projects: ProvidedProjects, user_id: Tenant, caller: Called) -> Listing[AgentView]:  # noqa: ARG001
    """Those that Summit can supervise: which are installed on its machine, in which version, and ready."""
    require_scope(caller, "admin")
    return Listing(items=[from_row(AgentView, one) for one in await projects.agents.list_agents()], next=None)


@agents_router.post(
    "/{name}/test", operation_id="test_agent", summary="Ask a coding agent for one word", response_model=TrialView
)
async def test_agent(name: str, projects: ProvidedProjects, user_id: Tenant, caller: Called, once: Once) -> Response:  # noqa: ARG001
    """Shows whether it can work: it needs its login, its provider and the account that it runs as."""
    require_scope(caller, "admin")

    async def act() -> KeptResponse:
        if (found := await projects.agents.trial(name)) is None:
            raise NotFound(f"Summit knows no agent {name[:40]}.", hint="GET /v1/agents lists them.")
        return KeptResponse(200, as_json(from_row(TrialView, found)))

    return await once.answer(act)
