"""Programs that start in a moment: forked from a process that has imported Summit already.

Importing takes a server seconds of the processor, and the tests start more than a hundred servers.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from app.cli import main
from tests.support.waiting import HANG_SECONDS

ROOT = Path(__file__).parents[3]
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["app.cli.server.serve", "app.cli.server.worker", "tests.survival.crashing_server"])


class ForkedProcess:
    """What ``subprocess.Popen`` is to a command line, this is to a function; it ends with the tests at the latest.

    It reads ``said`` and appends to ``log``, and complaints to ``errors`` if they are told apart.
    """

    def __init__(
        self,
        program: Callable[[], int | None],
        environment: Mapping[str, str],
        log: Path,
        errors: Path | None = None,
        said: Path = Path(os.devnull),
    ) -> None:
        streams = (said, log, errors or log)
        self._process = CONTEXT.Process(target=_run, args=(program, dict(environment), streams), daemon=True)
        self._process.start()
        self.pid = self._process.pid or 0

    def poll(self) -> int | None:
        """The exit status, negative for a signal; None while it lives."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """The exit status once it has ended. Raises subprocess.TimeoutExpired."""
        self._process.join(timeout)
        status = self.poll()
        if status is None:
            raise subprocess.TimeoutExpired("a forked program", timeout or 0)
        return status

    def send_signal(self, number: int) -> None:
        """Nothing happens to a process that has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """kill -9."""
        self.send_signal(signal.SIGKILL)


def summit(
    *arguments: str, environment: Mapping[str, str], said: bytes = b"", seconds: float = HANG_SECONDS
) -> subprocess.CompletedProcess[str]:
    """A command of ``summit`` that has ended, with what it was told and what it said, like ``subprocess.run``."""
    with TemporaryDirectory() as name:
        told, output, errors = (Path(name, stream) for stream in ("in", "out", "err"))
        told.write_bytes(said)
        process = ForkedProcess(partial(main, list(arguments)), environment, output, errors, told)
        try:
            status = process.wait(seconds)
        finally:
            process.kill()
        return subprocess.CompletedProcess(arguments, status, output.read_text(), errors.read_text())


def _run(program: Callable[[], int | None], environment: Mapping[str, str], streams: Sequence[Path]) -> None:
    """As if the program had been started with this environment and nothing else."""
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    os.chdir(ROOT)
    for number, path in enumerate(streams):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT | (os.O_APPEND if number else 0), 0o600), number)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - they end with the process
    sys.stdout, sys.stderr = (open(number, "w", buffering=1, closefd=False) for number in (1, 2))  # noqa: SIM115
    sys.argv = ["summit"]
    sys.exit(program())
