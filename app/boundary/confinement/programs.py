"""Programs of runs: each in a cage of its own (see cage.py), bounded in time, memory and output."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from app.boundary.programs import Executed

CAGE = Path(__file__).with_name("cage.py")
SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ssl",
    "/nix/store",
)
"""What programs need to start, and nothing that is this server's."""
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "TMPDIR": "/tmp", "LANG": "C.UTF-8"}  # noqa: S108 - it is in memory
FILE_BYTES = 100_000_000
MOST_PROCESSES = 64
READ_AT_ONCE = 65_536
PROBE_SECONDS = 10.0


class SandboxedPrograms:
    """See app.boundary.programs.Programs; ``hidden`` are folders of this server that no program may see."""

    def __init__(
        self, *, seconds: float, memory_bytes: int, output_chars: int, hidden: Sequence[Path], launcher: Path = CAGE
    ) -> None:
        self._seconds = seconds
        self._memory_bytes = memory_bytes
        self._output_bytes = output_chars
        self._hidden = [str(folder.resolve()) for folder in hidden]
        self._launcher = launcher
        self._objection: str | None = None

    async def objection(self) -> str:
        """Why the kernel refuses; asked once."""
        if self._objection is None:
            self._objection = await self._probe()
        return self._objection

    async def shell(self, script: str, folders: Sequence[Path]) -> Executed:
        """A script of the shell."""
        return await self._run(["/bin/sh", "-c", script], folders, self._seconds)

    async def python(self, code: str, folders: Sequence[Path]) -> Executed:
        """A program in Python: the interpreter that the server itself was made with, without its libraries."""
        python = str(Path(sys.base_prefix) / "bin" / "python3")
        return await self._run([python, "-I", "-c", code], folders, self._seconds)

    async def _probe(self) -> str:
        if sys.platform != "linux":
            return "programs need namespaces of the Linux kernel"
        with TemporaryDirectory(prefix="summit-cage-") as folder:
            tried = await self._run(["/bin/sh", "-c", "exit 0"], [Path(folder)], PROBE_SECONDS)
        if tried.late:
            return "a program in a cage does not start in time"
        return (tried.output.strip() or f"exit status {tried.status}") if tried.status else ""

    async def _run(self, command: Sequence[str], folders: Sequence[Path], seconds: float) -> Executed:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-S", str(self._launcher), str(os.getpid()), *command),
            stdin=PIPE,
            stdout=PIPE,
            stderr=STDOUT,
            env=ENVIRONMENT,
            cwd="/",
            start_new_session=True,
        )
        late = False
        output = bytearray()
        try:
            async with asyncio.timeout(seconds):
                await self._communicate(process, self._spec(folders, seconds), output)
        except TimeoutError:
            late = True
        finally:
            await _end(process)
        text = bytes(output[: self._output_bytes]).decode("utf-8", "replace")
        return Executed(process.returncode or 0, text, len(output) > self._output_bytes, late)

    async def _communicate(self, process: Process, spec: bytes, output: bytearray) -> None:
        """Give the program what it starts with, then read to its end, and keep the beginning."""
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("asked for pipes, got none")
        with suppress(ConnectionError):
            process.stdin.write(spec)
            await process.stdin.drain()
        process.stdin.close()
        while read := await process.stdout.read(READ_AT_ONCE):
            if len(output) <= self._output_bytes:
                output += read
        await process.wait()

    def _spec(self, folders: Sequence[Path], seconds: float) -> bytes:
        home, *granted = folders
        spec = {
            "shown": visible_paths(),
            "granted": [str(folder.resolve()) for folder in granted if folder.is_dir()],
            "hidden": self._hidden,
            "home": str(home.resolve()),
            "memory_bytes": self._memory_bytes,
            "address_bytes": self._memory_bytes,
            "file_bytes": FILE_BYTES,
            "seconds": int(seconds) + 1,
            "programs": MOST_PROCESSES,
        }
        return json.dumps(spec).encode()


def visible_paths(*more: str) -> list[str]:
    """The folders and files that a cage shows, as far as they are here; the interpreter's own is one of them."""
    base = sys.base_prefix
    wanted = [*SYSTEM, *more, *([] if Path(base).is_relative_to("/usr") else [base])]
    return [path for path in wanted if Path(path).exists()]


async def _end(process: Process) -> None:
    """End the cage with everything in it, and wait until it is gone."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await asyncio.shield(process.communicate())
