"""A real server for the tests: uvicorn on a free port, in a thread with a loop of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI

from app.cli.serve import configuration
from app.lifespan import serving
from app.main import Lifespan, State, create_app
from app.settings import Settings

ADMIN_KEY = "the administrator's key of these tests"
START_SECONDS = 120.0
HEARTBEAT_SECONDS = 0.3
"""What takes five seconds elsewhere: tests need not wait as long."""


def settings_for(database_url: str, folder: Path, **values: Any) -> Settings:
    defaults = {
        "admin_key": ADMIN_KEY,
        "workers_in_process": False,
        "transcriber": "none",
        "timezone": "Europe/Lisbon",
        "heartbeat_seconds": HEARTBEAT_SECONDS,
        "replay_wait_seconds": 60.0,
    }
    return Settings(_env_file=None, database_url=database_url, data_dir=folder, **{**defaults, **values})


def lifespan_of(settings: Settings) -> Lifespan:
    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[State]:
        async with serving(settings, lambda _: None) as services:
            yield {"services": services}

    return lifespan


def live_server(settings: Settings) -> AbstractContextManager[str]:
    """The base URL of a running Summit."""
    return serve(create_app(settings, lifespan_of(settings)), settings)


@contextmanager
def serve(app: FastAPI, settings: Settings | None = None) -> Iterator[str]:
    """The base URL of a running application."""
    server = uvicorn.Server(configuration(app, settings or Settings(_env_file=None), port=0))
    thread = threading.Thread(target=server.run, daemon=True)  # one that does not end keeps no test run from ending
    thread.start()
    try:
        _await_start(server, thread)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(START_SECONDS)


def _await_start(server: uvicorn.Server, thread: threading.Thread) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not server.started:
        if not thread.is_alive() or time.monotonic() > deadline:
            raise RuntimeError("the server did not start")
        time.sleep(0.01)
