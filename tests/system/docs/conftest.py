"""One server for all that the pages show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.servers.live_server import ADMIN_KEY
from tests.support.servers.running import RunningServer, running
from tests.support.waiting import HANG_SECONDS


@pytest.fixture(scope="session")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("docs") / "data"


@pytest.fixture(scope="session")
def server(data_dir: Path) -> Iterator[RunningServer]:
    with running(data_dir, SUMMIT_ADMIN_KEY=ADMIN_KEY, SUMMIT_TIMEZONE="UTC") as found:  # no clock changes there
        yield found


@pytest.fixture
def new_key(server: RunningServer) -> Callable[[], str]:
    """Makes a reader of the pages; its key."""

    def make() -> str:
        bearer = {"Authorization": f"Bearer {ADMIN_KEY}"}
        made = httpx.post(f"{server.url}/v1/users", json={"name": "reader"}, headers=bearer, timeout=HANG_SECONDS)
        return str(made.json()["api_key"])

    return make
