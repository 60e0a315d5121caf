"""Starting and stopping the children: own interpreter, own process group, no secrets in the environment."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio import StreamReader, StreamWriter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import IO

ROOT = Path(__file__).resolve().parents[3]
INHERITED = (
    "PATH",
    "HOME",
    "LANG",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "HTTPS_PROXY",
    "https_proxy",
    "CUDA_VISIBLE_DEVICES",
    "LD_LIBRARY_PATH",
)
"""The last two say which GPU computes, and where the libraries for it are."""
READ_AHEAD_BYTES = 1024 * 1024
LAST_WORDS_SECONDS = 2.0
"""Time for a child that closed its pipes to end by itself, so that its exit status tells why."""


@dataclass(frozen=True, slots=True)
class Child:
    """A running child and its pipes; ``requests`` is None when its standard input is a file."""

    process: asyncio.subprocess.Process
    replies: StreamReader
    requests: StreamWriter | None

    @property
    def alive(self) -> bool:
        return self.process.returncode is None


async def start(module: str, *arguments: str, stdin: IO[bytes] | int = PIPE) -> Child:
    """Run ``python -m module`` with pipes; everything it prints besides messages is dropped."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-m",
        module,
        *arguments,
        stdin=stdin,
        stdout=PIPE,
        stderr=DEVNULL,
        env=_environment(),
        limit=READ_AHEAD_BYTES,
        start_new_session=True,
    )
    if process.stdout is None:
        raise RuntimeError("asked for a pipe, got none")
    return Child(process, process.stdout, process.stdin)


async def stop(child: Child) -> None:
    """Kill the child with all it started, unless it is ending by itself; its pipes are drained and closed."""
    if child.replies.at_eof():
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORDS_SECONDS):
                await child.process.wait()
    if child.alive:
        with suppress(ProcessLookupError):
            os.killpg(child.process.pid, signal.SIGKILL)
    with suppress(ConnectionError):
        await child.process.communicate()


def explain(status: int) -> str:
    """The exit status in words."""
    if status >= 0:
        return f"exit status {status}"
    return f"signal {signal.Signals(-status).name}"


def _environment() -> dict[str, str]:
    inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
    return inherited | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
