"""Which coding agents are installed here, in which version, and whether somebody is logged in."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from app.work.projects.account import Confinement
from app.work.projects.agents import AGENTS, AgentCli
from app.work.projects.children import ChildSurroundings
from app.work.projects.events import AgentEvent
from app.work.projects.heartbeat import Windows
from app.work.projects.model.projects import AgentTrial, InstalledAgent
from app.work.projects.supervise import Job, supervise

SECONDS = 10.0
MAX_LINE_CHARS = 200
TRIAL, TRIAL_SECONDS = "Reply with the one word: ready. Use no tools.", 120.0
NOT_LOGGED_IN = ("not logged in", "logged out", "not authenticated")


class AgentPrograms:
    """See app.work.projects.model.projects.CodingAgents."""

    def __init__(
        self,
        around: ChildSurroundings,
        confinement: Confinement | None = None,
        seconds: float = SECONDS,
        agents: Sequence[AgentCli] = AGENTS,
    ) -> None:
        self._around = around
        self._confinement = confinement or Confinement(around, [], accepted=True)
        self._seconds = seconds
        self._agents = agents

    async def list_agents(self) -> list[InstalledAgent]:
        """Every agent that Summit knows, those that are not here too."""
        return list(await asyncio.gather(*(self._detect(cli) for cli in self._agents)))

    async def objection(self) -> str:
        """Why no agent may start here; empty where one may."""
        return await self._confinement.objection()

    async def trial(self, name: str) -> AgentTrial | None:
        """Ask an agent for one word; None for a name that is unknown."""
        cli = next((one for one in self._agents if one.name == name), None)
        if cli is None:
            return None
        found = await self._detect(cli)
        if found.program is None:
            return AgentTrial(ok=False, detail=found.detail)
        if objection := await self.objection():
            return AgentTrial(ok=False, detail=objection)
        return await self._run_trial(Job(cli, found.program, TRIAL, Path(tempfile.gettempdir())))

    async def _run_trial(self, job: Job) -> AgentTrial:
        try:
            async with asyncio.timeout(TRIAL_SECONDS):
                ending = await supervise(job, _unheard, around=self._around, windows=Windows(silence=TRIAL_SECONDS))
        except TimeoutError:
            return AgentTrial(ok=False, detail=f"It did not answer within {TRIAL_SECONDS:g} s.")
        if ending.verdict.action == "done":
            return AgentTrial(ok=True, detail=f"It answers, within {ending.seconds:.1f} s.")
        return AgentTrial(ok=False, detail=ending.verdict.why)

    async def _detect(self, cli: AgentCli) -> InstalledAgent:
        path = self._around.given.get("PATH")
        program = next(filter(None, (shutil.which(name, path=path) for name in cli.programs)), None)
        if program is None:
            names = " or ".join(f"`{name}`" for name in cli.programs)
            return InstalledAgent(cli.name, None, None, None, f"{names} is not on the server's PATH.")
        status, version = await self._call_program(cli, program, "--version")
        if status != 0:
            return InstalledAgent(cli.name, program, None, None, f"`{program} --version` did not work: {version}")
        logged_in = await self._logged_in(cli, program)
        told = {
            True: "Ready.",
            False: f"Log in: run `{program}` once.",
            None: "Whether somebody is logged in is not told.",
        }
        return InstalledAgent(cli.name, program, version, logged_in, told[logged_in])

    async def _logged_in(self, cli: AgentCli, program: str) -> bool | None:
        if not cli.login:
            return None
        status, words = await self._call_program(cli, program, *cli.login)
        return status == 0 and not any(phrase in words.lower() for phrase in NOT_LOGGED_IN)

    async def _call_program(self, cli: AgentCli, program: str, *arguments: str) -> tuple[int | None, str]:
        """The exit status and first line of a short call; None as status where it did not end in time."""
        process = await asyncio.create_subprocess_exec(
            program,
            *arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=self._around.environment(cli.variables),
            start_new_session=True,
        )
        talking = asyncio.create_task(process.communicate())
        try:
            in_time, _ = await asyncio.wait([talking], timeout=self._seconds)
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            out, _ = await talking
        if not in_time:
            return None, f"no answer within {self._seconds:.0f} s"
        return process.returncode, out.decode(errors="replace").strip().partition("\n")[0][:MAX_LINE_CHARS]


async def _unheard(_event: AgentEvent) -> None:
    """A trial has no trace."""
