"""A real ``summit serve`` (or ``worker``) in a process of its own, for tests that talk to it as people do."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from uuid import uuid4

import httpx

from app.cli import main
from app.settings import Settings
from tests.support.servers.forked import ROOT, ForkedProcess
from tests.support.servers.plain import plain_client
from tests.support.servers.ready_made import furnish
from tests.support.waiting import HANG_SECONDS, wait_until

READY = re.compile(r"Summit is ready at (https?://\S+)")
PATIENT = {
    "SUMMIT_AGENT_TIMEOUT_SECONDS": "120",
    "SUMMIT_LLM_BUDGET_SECONDS": "120",
    "SUMMIT_MEMORY_QUERY_SECONDS": "120",
    "SUMMIT_REPLAY_WAIT_SECONDS": "60",
    "SUMMIT_TURN_WAIT_SECONDS": "100",
}
"""Limits that a server on a busy machine could meet where no test is about them."""


class RunningServer:
    """One server process; ``url`` is set once it said that it is ready.

    ``fresh`` starts the command as people do, Python and the database's first start and all: for tests of what a start
    does and takes.
    """

    fresh = False

    def __init__(self, data_dir: Path, command: str = "serve", **settings: str) -> None:
        self.log = data_dir.with_suffix(f".{command}.{uuid4().hex}.log")
        self._environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(data_dir.parent),
            "TZ": "Europe/London",
            "SUMMIT_DATA_DIR": str(data_dir),
            "SUMMIT_PORT": "0",
            "SUMMIT_TRANSCRIBER": "auto",
            "SUMMIT_WEIGHTS_DIR": str(Settings().weights_dir),
            **PATIENT,
            **settings,
        }
        self.log.touch()
        if not self.fresh and "DATABASE_URL" not in settings:
            furnish(data_dir)
        start = self._started if self.fresh else self._forked
        self.process: subprocess.Popen[bytes] | ForkedProcess = start(command)
        self.url = self._wait_until_ready() if command == "serve" else ""

    def program(self, command: str) -> Callable[[], int]:
        """What is run, as something that can be pickled."""
        return partial(main, [command])

    def command_line(self, command: str) -> list[str]:
        """The same as installed."""
        return [sys.executable, "-c", f"import sys; from app.cli import main; sys.exit(main(['{command}']))"]

    def _forked(self, command: str) -> ForkedProcess:
        return ForkedProcess(self.program(command), self._environment, self.log)

    def _started(self, command: str) -> subprocess.Popen[bytes]:
        with self.log.open("w") as output:
            return subprocess.Popen(
                self.command_line(command), env=self._environment, stdout=output, stderr=subprocess.STDOUT, cwd=ROOT
            )

    def client(self) -> httpx.Client:
        """A client for this server; its engines of speech give way to every other program, so it waits for long."""
        return plain_client(self.url, seconds=5 * HANG_SECONDS)

    def stop(self) -> None:
        """Ask it to stop, and see it gone."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=HANG_SECONDS)

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self.process.wait()

    def _wait_until_ready(self) -> str:
        try:
            wait_until(lambda: READY.search(self.log.read_text()) or self.process.poll() is not None)
            found = READY.search(self.log.read_text())
            assert found, f"the server did not start:\n{self.log.read_text()}"
        except AssertionError:
            self.kill()
            raise
        return found.group(1)


@contextmanager
def running(data_dir: Path, command: str = "serve", **settings: str) -> Iterator[RunningServer]:
    """A server that is gone at the end, whatever the test does."""
    with _gone_at_the_end(RunningServer(data_dir, command, **settings)) as server:
        yield server


class FreshServer(RunningServer):
    """A server that starts as people start it."""

    fresh = True


@contextmanager
def running_fresh(data_dir: Path, **settings: str) -> Iterator[RunningServer]:
    """The same, started as people start it."""
    with _gone_at_the_end(FreshServer(data_dir, **settings)) as server:
        yield server


@contextmanager
def _gone_at_the_end(server: RunningServer) -> Iterator[RunningServer]:
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()
