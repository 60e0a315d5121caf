"""Runs that a message begins: as agents.ports.LongWork, over the same storage as every other door."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid5

from agents.ports import LongRun, NotBegun, Workflow
from app.models.model.thinking import Thinker
from app.work.mail.model import OutgoingMail
from app.work.mail.store.outgoing import Outbox
from app.work.projects.model.workshops import ProjectWork
from app.work.projects.store import Projects
from app.work.runs.model.runs import Approval, NewRun, Run, RunLimits, Verdict
from app.work.runs.store.runs import Runs
from app.work.workflows.model import NewWorkflowRun
from app.work.workflows.store import Workflows

OPEN_RUN_STATES = ("queued", "running", "waiting")
MOST_LOOKED_AT = 50
LONGEST_TOLD = 600
PROJECT, BUILT = "project:", "what to build"
UNNAMED = [
    f"{kind}_to_{verb}"
    for kind in ("project", "new_project", "coding_project", "software_project")
    for verb in ("build", "make", "write", "create", "develop")
]
"""A project that nobody names, as in "start a project to build a shop": what is missing is said, nothing is noted."""
MOST_ENDED = 5
"""Latest runs that are looked at although they ended: a turn that is run again may have decided them."""


@dataclass(frozen=True)
class AskedApproval:
    """What waits for a yes or has had its answer, as it is told; ``approval`` is None for mail."""

    id: UUID
    told: LongRun
    waits: bool
    decided_in: str | None
    approval: Approval | None = None


@dataclass(frozen=True)
class ProjectsByName:
    """Projects that words can name, and what a run on one of them may take."""

    registry: Projects
    limits: RunLimits


class RunsOfConversation:
    """See agents.ports.LongWork; ``limits`` are those of every run that is begun by words.

    ``projects`` are called by their names as workflows are; what follows the name is what is to be built.
    """

    def __init__(
        self,
        runs: Runs,
        thinker: Thinker,
        limits: RunLimits,
        kept: Workflows,
        mail: Outbox,
        projects: ProjectsByName | None = None,
    ) -> None:
        self._projects = projects
        self._runs = runs
        self._kept = kept
        self._thinker = thinker
        self._limits = limits
        self._mail = mail

    async def begin(self, user_id: str, turn_id: str, goal: str) -> NotBegun | None:
        """See LongWork: the run's id is made of the turn's, so a turn that is run again begins nothing new."""
        user = UUID(user_id)
        if (await self._runs.switch(user)).engaged:
            return "stopped"
        if not await self._thinker.available():
            return "no model"
        run = await self._runs.start(NewRun(user, uuid5(UUID(turn_id), "run"), goal, self._limits))
        return None if run.goal == goal else "one already"

    async def workflows(self, user_id: str) -> Sequence[Workflow]:
        """See LongWork."""
        user = UUID(user_id)
        kept = [
            Workflow(slug=one.slug, name=one.name, inputs=one.required_inputs) for one in await self._kept.list(user)
        ]
        projects = await self._projects.registry.list(user) if self._projects else []
        named = [(f"{PROJECT}{one.id}", name) for one in projects for name in (one.name, f"project {one.name}")]
        unnamed = [(slug, "a project") for slug in UNNAMED] if self._projects else []
        return [*kept, *(Workflow(slug=slug, name=name, inputs=[BUILT]) for slug, name in [*named, *unnamed])]

    async def start(self, user_id: str, turn_id: str, slug: str, inputs: Mapping[str, str]) -> NotBegun | None:
        """See LongWork: the run's id is made of the turn's."""
        user = UUID(user_id)
        if slug.startswith(PROJECT):
            return await self._build(user, turn_id, UUID(slug.removeprefix(PROJECT)), inputs[BUILT])
        kept = await self._kept.get(user, slug)
        if kept is None and slug in UNNAMED and self._projects:
            return "which project" if await self._projects.registry.list(user) else "no project"
        if kept is None or (await self._runs.switch(user)).engaged:
            return "stopped"
        if await self._kept.is_from_workflow(user, UUID(turn_id)):
            return "by a workflow"  # one that says its own name would run for ever
        run_id = uuid5(UUID(turn_id), "workflow")
        run = await self._kept.start(NewWorkflowRun(user, run_id, slug, kept.definition, inputs, "words"))
        return None if run.slug == slug else "one already"

    async def _build(self, user: UUID, turn_id: str, project_id: UUID, goal: str) -> NotBegun | None:
        """Let coding agents build something; whoever said so may have no administrator's key, so it is asked for."""
        if self._projects is None or (await self._runs.switch(user)).engaged:
            return "stopped"
        work = ProjectWork(project_id, confirm=True)
        new = NewRun(user, uuid5(UUID(turn_id), "run"), goal, self._projects.limits, project=work)
        return None if (await self._runs.start(new)).goal == goal else "one already"

    async def latest(self, user_id: str, most: int) -> Sequence[LongRun]:
        """See LongWork."""
        found = await self._runs.list(UUID(user_id), MOST_LOOKED_AT, None)
        runs: Sequence[Run] = found.items
        shown = [run for run in runs if run.status in OPEN_RUN_STATES and _is_told(run)] or runs[:1]
        return [await self._as_long_run(run) for run in shown[:most]]

    async def stop(self, user_id: str) -> int:
        """See LongWork."""
        user = UUID(user_id)
        found = await self._runs.list(user, MOST_LOOKED_AT, None)
        open_ = [run for run in found.items if run.status in OPEN_RUN_STATES]
        for run in open_:
            await self._runs.cancel(user, run.id)
        return len(open_)

    async def decide(self, user_id: str, turn_id: str, *, allow: bool) -> Sequence[LongRun]:
        """See LongWork: the turn is kept with the verdict, so a turn that is run again tells what it decided."""
        user = UUID(user_id)
        asked = await self._open_requests(user)
        if mine := [one for one in asked if one.decided_in == turn_id]:
            return [mine[0].told]
        waiting = [one for one in asked if one.waits]
        if len(waiting) == 1 and not await self._decide_one(user, waiting[0], turn_id, allow=allow):
            return []
        return [one.told for one in waiting]

    async def _decide_one(self, user: UUID, one: AskedApproval, turn_id: str, *, allow: bool) -> bool:
        if one.approval is None:
            return await self._mail.decide(user, one.id, send=allow, turn=turn_id) is not None
        verdict: Verdict = "approved" if allow else "rejected"
        return await self._runs.decide(user, one.id, verdict, {"turn": turn_id}) is not None

    async def _open_requests(self, user: UUID) -> list[AskedApproval]:
        """The calls that runs asked to make, and mail that waits; a question of a run wants more than a yes.

        What coding agents ask wants an administrator's key, which nobody shows by words.
        """
        found = await self._runs.list(user, MOST_LOOKED_AT, None)
        runs = [run for place, run in enumerate(found.items) if run.status in OPEN_RUN_STATES or place < MOST_ENDED]
        each = [(run, one) for run in runs for one in await self._runs.approvals(user, run.id)]
        mail = (await self._mail.list(user, MOST_LOOKED_AT, None, waiting=False)).items
        return [
            *(_call(run, one) for run, one in each if one.kind == "approval" and run.project is None),
            *(_mail(one) for one in mail),
        ]

    async def _as_long_run(self, run: Run) -> LongRun:
        told = str((run.result or {}).get("answer", ""))
        if run.status == "waiting":
            asked = [one for one in await self._runs.approvals(run.user_id, run.id) if one.status == "pending"]
            told = asked[0].reason if asked else ""
        changes = await self._runs.changes(run.user_id, run.id) if run.status == "done" else []
        return LongRun(goal=run.goal, status=run.status, told=told[:LONGEST_TOLD], changes=list(changes))


def _is_told(run: Run) -> bool:
    """A part of another run speaks for itself only while it asks."""
    return run.parent_id is None or run.status == "waiting"


def _call(run: Run, one: Approval) -> AskedApproval:
    told = LongRun(goal=run.goal, status=run.status, told=one.reason[:LONGEST_TOLD])
    return AskedApproval(one.id, told, one.status == "pending", (one.answer or {}).get("turn"), one)


def _mail(one: OutgoingMail) -> AskedApproval:
    told = f"mail to {', '.join(one.recipients)}: {one.subject}"
    return AskedApproval(
        one.id,
        LongRun(goal=one.workflow, status="waiting", told=told[:LONGEST_TOLD]),
        one.status == "held",
        one.decided_in,
    )
