"""A folder of its own for each test of the embedded server, and starts that end with the test."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.database.embedded import EmbeddedServer
from tests.support.memory import MEMORY
from tests.support.servers.clusters import Start, servers_of
from tests.support.waiting import HANG_SECONDS


@pytest.fixture
def folder() -> Iterator[Path]:
    # Not pytest's own: its names are long enough to move the socket elsewhere.
    parent = Path(tempfile.mkdtemp(prefix="summit-test-", dir=MEMORY))
    yield parent / "postgres"
    for process in servers_of(parent / "postgres"):
        process.kill()
        process.wait(HANG_SECONDS)
    shutil.rmtree(parent)


@pytest.fixture
def start(folder: Path) -> Iterator[Start]:
    started: list[EmbeddedServer] = []

    def start_one() -> EmbeddedServer:
        started.append(EmbeddedServer.start(folder, lambda _: None, durable=False))
        return started[-1]

    yield start_one
    for server in started:
        server.stop()
