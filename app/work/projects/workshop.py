"""A run's work tree on this machine: agents work there, what they changed is committed, and it goes out when asked.

What is done under a step's key is noted beside the documents of the run, in .summit/work of the tree, which git
ignores; and in the commit. A server that dies in between finds one of the two.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from app.work.projects.account import Confinement
from app.work.projects.agents import AGENTS, AgentCli, Plain
from app.work.projects.checks import checks_of, run_checks
from app.work.projects.children import ChildSurroundings
from app.work.projects.config import ProjectConfig, config_of
from app.work.projects.events import AgentEvent
from app.work.projects.folders import AllowedFolders
from app.work.projects.git import GitFailed, git
from app.work.projects.heartbeat import Windows
from app.work.projects.leftovers import begin_leaving_out, end_leaving_out, left_out, stage
from app.work.projects.model.projects import CodingAgents, Project, ProjectRefused
from app.work.projects.model.workshops import (
    AgentStep,
    Bench,
    Checked,
    ProjectWork,
    StepAction,
    StepEnd,
    TellStep,
    WorkRefused,
    mark_of,
)
from app.work.projects.publishing import publish
from app.work.projects.scan import scan
from app.work.projects.store import Projects
from app.work.projects.supervise import Diagnose, Ending, Job, supervise
from app.work.projects.worktrees import add, slug_of

WORK = Path(".summit", "work")
KNOWLEDGE = ("AGENTS.md", "ARCHITECTURE.md", "BELIEFS.md")
SHOWN_FACTS = {
    "frameworks": "Frameworks",
    "package_managers": "Packages by",
    "build": "Built by",
    "test_runners": "Tested by",
    "linters": "Checked by",
    "formatters": "Formatted by",
}
MOST_CHARS = 200_000
MOST_KNOWLEDGE = 12_000
LONGEST_SLUG = 30
NO_REPOSITORY = (
    "{root} holds no repository of its own. Give the project the folder that .git lies in, or run git init and make a "
    "first commit there."
)
FORWARDED_KINDS = ("said", "tool", "error", "result", "verdict")
AUTHOR = ("-c", "user.name=Summit", "-c", "user.email=summit@localhost")
ACTIONS: dict[str, StepAction] = {
    "done": "done",
    "park": "park",
    "back_off": "back_off",
    "resume": "resume",
    "ask": "ask",
}


@dataclass(frozen=True)
class Patience:
    """Seconds: that one step of an agent may take, that one check may take; and when silence is looked at."""

    step: float
    check: float
    windows: Windows


class MachineWorkshop:
    """The machine's side of a run on a project; every call may be made again after a crash."""

    def __init__(
        self,
        projects: Projects,
        folders: AllowedFolders,
        installed: CodingAgents,
        confinement: Confinement,
        patience: Patience,
        diagnose: Diagnose,
        agents: tuple[AgentCli, ...] = AGENTS,
    ) -> None:
        self._projects = projects
        self._folders = folders
        self._installed = installed
        self._confinement = confinement
        self._patience = patience
        self._diagnose = diagnose
        self._agents = {agent.name: agent for agent in agents}

    @property
    def _around(self) -> ChildSurroundings:
        return self._confinement.around

    async def open(self, user_id: UUID, run_id: UUID, work: ProjectWork, goal: str) -> Bench:
        """A work tree for a run, the same one each time; raises WorkRefused."""
        project = await self._projects.get(user_id, work.project_id)
        if project is None:
            raise WorkRefused("There is no such project any more.")
        if objection := await self._confinement.objection():
            raise WorkRefused(objection)
        agent, _ = await self._ready(work.agent or (await asyncio.to_thread(self._config, project)).agent)
        slug = f"{slug_of(goal)[:LONGEST_SLUG].strip('-')}{mark_of(run_id)}"
        return await asyncio.to_thread(self._open_bench, project, slug, agent)

    async def knowledge(self, bench: Bench) -> str:
        """What the project's own folder .summit says about it, for prompts; empty where there is none."""
        found = await asyncio.gather(*(asyncio.to_thread(_read, Path(bench.root), name) for name in KNOWLEDGE))
        parts = [f"## {name}\n{text.strip()}" for name, text in zip(KNOWLEDGE, found, strict=True) if text.strip()]
        return "\n\n".join(filter(None, (bench.about, *parts)))[:MOST_KNOWLEDGE]

    async def work(self, bench: Bench, step: AgentStep, tell: TellStep) -> StepEnd:
        """Let the agent work, and commit what it changed; a step that is done says so at once."""
        if known := await asyncio.to_thread(_find_earlier_end, bench, step):
            return known
        cli, program = await self._ready(bench.agent)
        cost = 0.0

        async def forward_event(event: AgentEvent) -> None:
            nonlocal cost
            cost = event.cost_usd or cost
            if event.kind in FORWARDED_KINDS:
                seen = {"evidence": dict(event.evidence)} if event.evidence else {}
                await tell({"kind": event.kind, "text": event.text[:500], "failed": event.failed, **seen})

        log = Path(f"{bench.tree}.log")  # not in the tree, where an agent could make it a link
        job = Job(
            self._how(bench, cli), program, step.prompt, Path(bench.tree), step.session, step.resumed, bench.model, log
        )
        try:
            async with asyncio.timeout(self._patience.step):
                ending = await supervise(
                    job, forward_event, around=self._around, windows=self._patience.windows, diagnose=self._diagnose
                )
        except TimeoutError:
            return StepEnd("failed", f"It took longer than {self._patience.step:g} s.", cost_usd=cost)
        end = _end(ending, cost)
        if end.action == "done":
            await asyncio.to_thread(_commit, bench, step, end)
        return end

    async def read(self, bench: Bench, name: str) -> str:
        """A document of the run; empty where there is none."""
        return await asyncio.to_thread(_read, Path(bench.tree) / WORK, name)

    async def write(self, bench: Bench, name: str, text: str) -> None:
        """Put a document in the place of the one before, whole or not at all."""
        await asyncio.to_thread(_write, Path(bench.tree), name, text)

    async def check(self, bench: Bench) -> Checked:
        """Run the project's own checks in the work tree; what they leave there is not committed."""
        tree = Path(bench.tree)
        commands = await asyncio.to_thread(lambda: checks_of(config_of(Path(bench.root)), scan(tree)))
        await asyncio.to_thread(_note, begin_leaving_out, bench)
        try:
            return await run_checks(tree, commands, self._around, self._patience.check)
        finally:
            await asyncio.to_thread(_note, end_leaving_out, bench)

    async def left_out(self, bench: Bench) -> list[str]:
        """The files that checks left, by name."""
        return sorted(await asyncio.to_thread(left_out, Path(bench.tree)))

    async def changes(self, bench: Bench) -> str:
        """What the branch changes, as git's summary of files and lines."""
        return await asyncio.to_thread(_git, bench, "diff", "--stat", f"{bench.base}..{bench.branch}")

    async def publish(self, bench: Bench, title: str, body: str) -> str:
        """Push and ask for a review where that is possible, else make a patch; says where it is."""
        return await publish(bench, title, body, self._around.given)

    async def _ready(self, name: str) -> tuple[str, str]:
        """The name and program of an agent that can work; raises WorkRefused."""
        found = await self._installed.list_agents()
        for agent in found:
            if agent.program and agent.logged_in is not False and name in ("", agent.name):
                return agent.name, agent.program
        details = "; ".join(f"{agent.name}: {agent.detail}" for agent in found if name in ("", agent.name))
        raise WorkRefused(f"No coding agent is ready. {details or f'Summit knows none called {name}.'}")

    def _how(self, bench: Bench, name: str) -> AgentCli:
        agent = self._agents[name]
        return Plain(agent) if bench.output == "pipe" else agent

    def _open_bench(self, project: Project, slug: str, agent: str) -> Bench:
        try:
            root = self._folders.resolve(project.root)
            if not (root / ".git").is_dir():
                raise WorkRefused(NO_REPOSITORY.format(root=root))
            tree = add(root, root.parent / ".summit-trees" / root.name, slug)
            base = git(root, "merge-base", "HEAD", tree.branch)
        except (ProjectRefused, GitFailed) as failure:
            raise WorkRefused(f"There is no work tree of {project.root}: {failure}") from failure
        _write(tree.path, ".gitignore", "*\n")
        if self._around.account:
            _hand_over(tree.path, self._around.account)
        config = config_of(root)
        return Bench(str(root), str(tree.path), tree.branch, base, agent, config.model, about(project), config.output)

    def _config(self, project: Project) -> ProjectConfig:
        try:
            return config_of(self._folders.resolve(project.root))
        except ProjectRefused as refusal:
            raise WorkRefused(str(refusal)) from refusal


def about(project: Project) -> str:
    """What its owner and the last scan say of a project, in a few lines."""
    lines = [f"{project.name}: {project.description}" if project.description else project.name]
    if (facts := project.facts) and facts.languages:
        shares = ", ".join(f"{name} {share:.0%}" for name, share in facts.languages.items())
        lines.append(f"Languages: {shares}")
    for name, title in SHOWN_FACTS.items():
        if found := getattr(facts, name, None):
            lines.append(f"{title}: {', '.join(found)}")
    return "\n".join(lines)


def _end(ending: Ending, cost: float) -> StepEnd:
    verdict = ending.verdict
    action: StepAction = ACTIONS.get(verdict.action, "failed")
    return StepEnd(action, verdict.why, ending.result, ending.session, verdict.until, cost)


def _find_earlier_end(bench: Bench, step: AgentStep) -> StepEnd | None:
    """How a step that is done ended; None for one that is not."""
    noted = _read(Path(bench.tree) / WORK, f"done-{step.key}.json")
    if noted:
        return StepEnd("done", "It was done before.", str(json.loads(noted).get("result", "")))
    search = ("log", "--fixed-strings", f"--grep=Summit-Step: {step.key}", "--format=%H")
    return StepEnd("done", "It was done before.") if _git(bench, *search, f"{bench.base}..{bench.branch}") else None


def _commit(bench: Bench, step: AgentStep, end: StepEnd) -> None:
    """Commit what a step changed, if it changed something, then note that it is done."""
    if step.learns:
        _keep_what_was_known(bench)
    with _in_own_tree(bench) as tree:
        staged = stage(tree)
    if staged:
        _git(bench, *AUTHOR, "commit", "--quiet", "--message", f"{step.title}\n\nSummit-Step: {step.key}\n")
    _write(Path(bench.tree), f"done-{step.key}.json", json.dumps({"result": end.result}))


def _keep_what_was_known(bench: Bench) -> None:
    """Put back the files of .summit that were there before: they are not overwritten unasked."""
    known = _git(bench, "ls-tree", "-r", "--name-only", bench.base, ".summit").splitlines()
    if known:
        _git(bench, "checkout", "--quiet", bench.base, "--", *known)


def _git(bench: Bench, *arguments: str) -> str:
    """Git in the tree of a run; raises WorkRefused."""
    with _in_own_tree(bench) as tree:
        return git(tree, *arguments)


@contextmanager
def _in_own_tree(bench: Bench) -> Iterator[Path]:
    """Git works in the tree, unless that says that its repository is elsewhere: an agent may have written that.

    Raises WorkRefused.
    """
    tree = Path(bench.tree)
    pointer = _read(tree, ".git").removeprefix("gitdir:").strip()
    if not Path(pointer).resolve().is_relative_to(Path(bench.root).resolve() / ".git"):
        raise WorkRefused(f"{tree} does not belong to {bench.root} any more.")
    try:
        yield tree
    except GitFailed as failure:
        raise WorkRefused(f"Git does not work in {tree}: {failure}") from failure


def _note(what: Callable[[Path], None], bench: Bench) -> None:
    with _in_own_tree(bench) as tree:
        what(tree)


def _read(folder: Path, name: str) -> str:
    """A file of a folder; empty for one that is not there, is a link, or lies behind one."""
    path = folder / name
    if path.is_symlink() or path.resolve() != folder.resolve() / name:
        return ""
    try:
        with path.open(errors="replace") as file:
            return file.read(MOST_CHARS)
    except OSError:
        return ""


def _write(tree: Path, name: str, text: str) -> None:
    """Put a document in its place; raises WorkRefused where an agent made a link of its folder."""
    path = tree / WORK / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.parent.resolve() != tree.resolve() / WORK:
        raise WorkRefused(f"{tree / WORK} leads elsewhere.")
    beside = path.with_name(f".{path.name}.new")
    with beside.open("w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def _hand_over(tree: Path, account: str) -> None:
    """Let an account write in the tree, but not say where its repository is."""
    for folder, _, names in os.walk(tree):
        for path in (Path(folder), *(Path(folder, name) for name in names if name != ".git")):
            _chown(path, account)


def _chown(path: Path, account: str) -> None:
    if not path.is_symlink():
        shutil.chown(path, account)
