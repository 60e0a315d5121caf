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
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["app.cli.serve", "app.cli.worker", "tests.survival.crashing_server"])


class ForkedProcess:
    """What ``subprocess.Popen`` is to a command line, this is to a function; it ends with the tests at the latest."""

    def __init__(self, program: Callable[[], int | None], environment: Mapping[str, str], log: Path) -> None:
        self._process = CONTEXT.Process(target=_run, args=(program, dict(environment), log), daemon=True)
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


def _run(program: Callable[[], int | None], environment: Mapping[str, str], log: Path) -> None:
    """As if the program had been started with this environment and nothing else."""
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    os.chdir(ROOT)
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for descriptor in (1, 2):
        os.dup2(output, descriptor)
    sys.stdout, sys.stderr = (open(descriptor, "w", buffering=1, closefd=False) for descriptor in (1, 2))  # noqa: SIM115
    sys.exit(program())
