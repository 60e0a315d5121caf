"""A real ``summit serve`` (or ``worker``) in a process of its own, for tests that talk to it as people do."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import httpx

from app.cli import main
from app.settings import Settings
from tests.support.servers.forked import ROOT, ForkedProcess
from tests.support.servers.plain import plain_client
from tests.support.servers.ready_made import furnish

READY = re.compile(r"Summit is ready at (https?://\S+)")
START_SECONDS = 120.0


class RunningServer:
    """One server process; ``url`` is set once it said that it is ready.

    ``fresh`` starts the command as people do, Python and the database's first start and all: for tests of what a start
    does and takes.
    """

    fresh = False

    def __init__(self, data_dir: Path, command: str = "serve", **settings: str) -> None:
        self.log = data_dir.with_suffix(f".{command}.{time.monotonic_ns()}.log")
        self._environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(data_dir.parent),
            "TZ": "Europe/London",
            "SUMMIT_DATA_DIR": str(data_dir),
            "SUMMIT_PORT": "0",
            "SUMMIT_TRANSCRIBER": "auto",
            "SUMMIT_WEIGHTS_DIR": str(Settings().weights_dir),
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
        """A client for this server."""
        return plain_client(self.url, seconds=40)

    def stop(self) -> float:
        """Ask it to stop; returns how many seconds that took."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=20)
        return time.monotonic() - began

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self.process.wait()

    def _wait_until_ready(self) -> str:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            found = READY.search(self.log.read_text())
            if found:
                return found.group(1)
            time.sleep(0.05)
        self.kill()
        raise AssertionError(f"the server did not start:\n{self.log.read_text()}")


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
