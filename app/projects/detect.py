"""Which coding agents are installed here, in which version, and whether somebody is logged in."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from collections.abc import Mapping
from contextlib import suppress

from app.ports import InstalledAgent
from app.projects.agents import AGENTS, AgentCli
from app.projects.supervise import environment

SECONDS = 10.0
LONGEST = 200
NOT_LOGGED_IN = ("not logged in", "logged out", "not authenticated")


class AgentPrograms:
    """See app.ports.CodingAgents; ``given`` is the environment to choose from."""

    def __init__(self, given: Mapping[str, str], seconds: float = SECONDS) -> None:
        self._given = given
        self._seconds = seconds

    async def installed(self) -> list[InstalledAgent]:
        """Every agent that Summit knows, those that are not here too."""
        return list(await asyncio.gather(*(self._found(cli) for cli in AGENTS)))

    async def _found(self, cli: AgentCli) -> InstalledAgent:
        path = self._given.get("PATH")
        program = next(filter(None, (shutil.which(name, path=path) for name in cli.programs)), None)
        if program is None:
            names = " or ".join(f"`{name}`" for name in cli.programs)
            return InstalledAgent(cli.name, None, None, None, f"{names} is not on the server's PATH.")
        status, version = await self._said(cli, program, "--version")
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
        status, words = await self._said(cli, program, *cli.login)
        return status == 0 and not any(phrase in words.lower() for phrase in NOT_LOGGED_IN)

    async def _said(self, cli: AgentCli, program: str, *arguments: str) -> tuple[int | None, str]:
        """The exit status and first line of a short call; None as status where it did not end in time."""
        process = await asyncio.create_subprocess_exec(
            program,
            *arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=environment(cli, self._given),
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
        return process.returncode, out.decode(errors="replace").strip().partition("\n")[0][:LONGEST]
