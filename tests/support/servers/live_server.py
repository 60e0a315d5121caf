"""A real server for the tests: uvicorn on a free port, in a thread with a loop of its own."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI

from app.cli.server.serve import configuration
from app.lifespan import serving
from app.main import Lifespan, State, create_app
from app.records.reminding import Clock, utc_now
from app.settings import Settings
from tests.support.waiting import HANG_SECONDS, wait_until

ADMIN_KEY = "the administrator's key of these tests"
GRACE_SECONDS = 30
HEARTBEAT_SECONDS = 0.3
"""What takes five seconds elsewhere: tests need not wait as long."""
PATIENT: dict[str, float] = {
    "turn_wait_seconds": 120,
    "turn_lease_seconds": 60,
    "agent_timeout_seconds": 120,
    "transaction_seconds": 120,
    "replay_wait_seconds": 60,
    "header_seconds": 120,
    "body_seconds": 120,
    "websocket_ping_seconds": 120,
    "websocket_stall_seconds": 120,
    "memory_query_seconds": 120,
    "llm_budget_seconds": 120,
    "mcp_seconds": 120,
    "mail_seconds": 120,
    "outbound_seconds": 120,
    "reminder_lease_seconds": 60,
}
"""Limits that only a test about them comes near, however busy the machine is."""


def settings_for(database_url: str, folder: Path, **values: Any) -> Settings:
    defaults = {
        "admin_key": ADMIN_KEY,
        "workers_in_process": False,
        "transcriber": "none",
        "timezone": "Europe/Lisbon",
        "heartbeat_seconds": HEARTBEAT_SECONDS,
        "wrong_key_seconds": 0,  # all tests come from one address
        "llm_local_servers": ["http://127.0.0.1:9/v1"],  # what runs on this machine is not the tests' to ask
        **PATIENT,
    }
    return Settings(_env_file=None, database_url=database_url, data_dir=folder, **{**defaults, **values})


def lifespan_of(settings: Settings, now: Clock = utc_now) -> Lifespan:
    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[State]:
        async with serving(settings, lambda _: None, clock=now) as services:
            yield {"services": services}

    return lifespan


def live_server(settings: Settings, now: Clock = utc_now, **options: Any) -> AbstractContextManager[str]:
    """Run a Summit and give its base URL; reminders go by ``now``, ``options`` are those of ``create_app``."""
    return serve(create_app(settings, lifespan_of(settings, now), **options), settings)


@contextmanager
def serve(app: FastAPI, settings: Settings | None = None) -> Iterator[str]:
    """The base URL of a running application."""
    config = configuration(app, settings or Settings(_env_file=None), port=0)
    config.timeout_graceful_shutdown = GRACE_SECONDS  # on a busy machine the last answers take their time
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)  # one that does not end keeps no test run from ending
    thread.start()
    try:
        _await_start(server, thread)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(HANG_SECONDS)


def _await_start(server: uvicorn.Server, thread: threading.Thread) -> None:
    wait_until(lambda: server.started or not thread.is_alive(), "for the server")
    if not server.started:
        raise RuntimeError("the server did not start")
