"""Programs of projects: in a process group of their own, with a short list of variables, and never left behind."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

LEASH = Path(__file__).with_name("leash.py")
INHERITED = ("PATH", "HOME", "LANG", "LC_ALL", "TERM", "TMPDIR", "SHELL")
NO_QUESTIONS = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "true",
    "GIT_SSH_COMMAND": "ssh -oBatchMode=yes",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "core.hooksPath",
    "GIT_CONFIG_VALUE_0": "/dev/null",
    "CI": "true",
    "NO_COLOR": "1",
}
NO_LEFTOVERS = {"PYTHONDONTWRITEBYTECODE": "1"}
"""Caches that a project without a .gitignore would get into its commits."""
LONGEST_LINE = 1_000_000
KILL_SECONDS = 3.0


@dataclass(frozen=True)
class ChildSurroundings:
    """What children may know and be: ``given`` is the environment to choose from, ``account`` whom they run as.

    An empty account is the server's own.
    """

    given: Mapping[str, str] = field(default_factory=dict)
    account: str = ""

    def environment(self, more: Sequence[str] = ()) -> dict[str, str]:
        """A list of names, that nobody answers questions, and that no caches are left."""
        known = {name: self.given[name] for name in (*INHERITED, *more) if name in self.given}
        return known | NO_QUESTIONS | NO_LEFTOVERS


@asynccontextmanager
async def child(
    command: Sequence[str], folder: Path, around: ChildSurroundings, variables: Sequence[str] = ()
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A running program with pipes for input and for its output, errors among it; its group is gone afterwards.

    It ends with this process, too, however this one ends.
    """
    reading, writing = os.pipe()
    try:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", str(LEASH), str(reading), around.account, *command),
            cwd=folder,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=around.environment(variables),
            limit=LONGEST_LINE,
            start_new_session=True,
            pass_fds=(reading,),
        )
    except BaseException:
        os.close(writing)
        raise
    finally:
        os.close(reading)
    try:
        yield process
    finally:
        await _end(process)
        os.close(writing)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Nothing of the group is left, whether its leader ended or not."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, how)
        with suppress(TimeoutError):
            async with asyncio.timeout(KILL_SECONDS):
                await process.wait()
                break
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    # A stranger that it left behind may hold its pipes open for ever, and asyncio has no public way to let go of them.
    process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001
