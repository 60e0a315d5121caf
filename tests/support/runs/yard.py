"""A project on which scripted coding agents work: a real repository, real work trees, real checks, real storage."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from app.database.saver import TenantSaver
from app.http.accounts.store.users import Users
from app.work.projects.account import Confinement
from app.work.projects.agents import Claude
from app.work.projects.children import ChildSurroundings
from app.work.projects.folders import AllowedFolders
from app.work.projects.git import git
from app.work.projects.heartbeat import Windows
from app.work.projects.model.projects import AgentTrial, InstalledAgent
from app.work.projects.model.workshops import ProjectWork, WorkKind
from app.work.projects.store import Projects
from app.work.projects.supervise import ask_a_person
from app.work.projects.workshop import MachineWorkshop, Patience
from app.work.runs.engine import Engine
from app.work.runs.lessons import LessonRetriever
from app.work.runs.model.runs import Approval, NewRun, Run, Verdict
from app.work.runs.pipeline import Allowed, Pipeline
from app.work.runs.store.lessons import Lessons
from app.work.runs.tools.people import people_tools
from app.work.runs.tools.tool import registry_of
from app.work.runs.worker import RunSurroundings, RunWorker
from graph.state import serializer
from tests.support.ledgers import LISBON
from tests.support.runs.desk import LIMITS, Desk

CODER = Path(__file__).with_name("coder.py")
QUICK_CHECK = """
import importlib, os, sys

sys.path.insert(0, ".")
for file in sorted(os.listdir()):
    if file.startswith("test_"):
        for name, test in vars(importlib.import_module(file.removesuffix(".py"))).copy().items():
            if name.startswith("test_"):
                test()
"""
"""What pytest would do with such small tests, in a tenth of the time; a failure's traceback names the test."""
AUTHOR = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")


@dataclass(frozen=True)
class Coder(Claude):
    """Claude's format, from a script that edits files."""

    script: str = "good"

    def arguments(self, session: str = "", model: str = "") -> list[str]:
        return ["-IS", str(CODER), self.script, model]


class OneAgent:
    """A machine on which one agent is installed."""

    async def list_agents(self) -> Sequence[InstalledAgent]:
        return [InstalledAgent("claude", sys.executable, "1", logged_in=None, detail="Ready.")]

    async def objection(self) -> str:
        return ""

    async def trial(self, name: str) -> AgentTrial | None:
        return AgentTrial(ok=True, detail=name)


@dataclass
class Yard:
    """One user's project in ``folder``, and the desk that its runs are worked off at."""

    desk: Desk
    folder: Path
    project: UUID
    script: str = "good"
    rounds: int = 3
    accepted: bool = True
    phase_dollars: float = 0.0

    @property
    def worker(self) -> RunWorker:
        desk = self.desk
        around = ChildSurroundings({**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"})
        workshop = MachineWorkshop(
            Projects(desk.database, most=5),
            AllowedFolders([self.folder.parent]),
            OneAgent(),
            Confinement(around, [], accepted=self.accepted),
            Patience(step=300.0, check=300.0, windows=Windows(silence=120.0, grace=1.0)),
            ask_a_person,
            agents=(Coder(script=self.script),),
        )
        saver = TenantSaver(desk.database, serde=serializer())
        return RunWorker(
            Engine(desk.script, desk.work, registry_of(people_tools())),
            desk.work,
            saver,
            RunSurroundings(lambda _: desk.files, Users(desk.database), LISBON, desk.pulse_seconds),
            partial(saver.prune_thread, keep="nothing"),
            Pipeline(
                workshop,
                desk.work,
                Allowed(self.rounds, phase_dollars=self.phase_dollars, pause_seconds=0.01),
                LessonRetriever(self.lessons, desk.embedders),
            ),
        )

    @property
    def lessons(self) -> Lessons:
        """What runs left."""
        return self.desk.lessons

    def prompts(self, model: str = "") -> list[Path]:
        """What agents were told, a file each; those of a model where it is named."""
        return sorted((self.folder.parent / ".summit-trees" / self.folder.name).glob(f"*{model}.prompt"))

    async def start(
        self, goal: str = "mend the roof", kind: WorkKind = "build", *, confirm: bool = False, **limits: Any
    ) -> UUID:
        work = ProjectWork(self.project, "", kind, confirm=confirm)
        new = NewRun(self.desk.user, uuid4(), goal, replace(LIMITS, seconds=3000, **limits), project=work)
        return (await self.desk.runs.start(new)).id

    async def go_on(self) -> None:
        """Work until the run is over or asks something."""
        while not self.desk.jobs.empty():
            await self.worker.run(self.desk.user, self.desk.jobs.get_nowait())

    async def run(self, run: UUID) -> Run:
        found = await self.desk.runs.get(self.desk.user, run)
        assert found
        return found

    async def asked(self, run: UUID) -> Approval:
        """The one open question."""
        (found,) = [one for one in await self.desk.runs.approvals(self.desk.user, run) if one.status == "pending"]
        return found

    async def answer(self, run: UUID, verdict: Verdict, **answer: Any) -> Run:
        """Answer the open question and go on."""
        asked = await self.asked(run)
        assert await self.desk.runs.decide(self.desk.user, asked.id, verdict, answer or None)
        await self.go_on()
        return await self.run(run)

    def tree(self) -> Path:
        """The only work tree."""
        (found,) = [one for one in (self.folder.parent / ".summit-trees" / self.folder.name).iterdir() if one.is_dir()]
        return found

    def log(self) -> list[str]:
        """What the branch adds, oldest first."""
        return git(self.tree(), "log", "--reverse", "--format=%s", "main..HEAD").splitlines()

    def calls(self) -> list[str]:
        """What agents were called for, in order."""
        return self.tree().with_name(f"{self.tree().name}.calls").read_text().splitlines()

    async def nodes(self, run: UUID) -> list[str]:
        """Roles and stages in the order in which they were told."""
        events = await self.desk.runs.events(self.desk.user, run, 0, 500)
        return [str(one.data["node"]) for one in events if "node" in one.data and "agent" not in one.data]


def agent_program(folder: Path, how: str = "good") -> str:
    """A PATH with a program that is taken for Claude Code and really edits files; python3 there has pytest."""
    claude = folder / "claude"
    claude.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo 1.0 && exit 0\nexec {sys.executable} {CODER} {how}\n')
    claude.chmod(0o755)
    return f"{folder}:{Path(sys.executable).parent}:/usr/bin:/bin"


def commit(folder: Path, words: str) -> None:
    """Commit all there is."""
    git(folder, "add", "--all")
    git(folder, *AUTHOR, "commit", "--quiet", "--message", words)


def repository(folder: Path, *, quick: bool = False) -> Path:
    """A small project with a test that passes; its check is pytest's, or one of its own that is ``quick``."""
    folder.mkdir()
    if quick:
        (folder / ".summit").mkdir()
        (folder / ".summit" / "config.toml").write_text('checks = ["python3 -S -B check.py"]\n')
        (folder / "check.py").write_text(QUICK_CHECK)
    git(folder, "init", "--quiet", "--initial-branch=main")
    (folder / "roof.py").write_text("def leaks():\n    return True\n")
    (folder / "test_old.py").write_text("def test_nothing():\n    pass\n")
    (folder / ".gitignore").write_text("__pycache__\n.pytest_cache\n")
    (folder / "pyproject.toml").write_text(
        '[project]\nname = "roof"\n[tool.pytest.ini_options]\naddopts = "-q --disable-plugin-autoload"\n'
    )
    commit(folder, "begin")
    return folder
