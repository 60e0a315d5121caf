"""A cancel is never lost while a task waits for a connection, and a database that comes back is found at once."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from psycopg import OperationalError

from app.storage.database import Connection
from app.storage.embedded_cluster import SOCKET
from app.storage.embedded_programs import SUPERUSER
from app.storage.pool import Pool
from tests.survival.lossy_line import lossy_line

STEPS = 12
"""Turns of the event loop between the return of a connection and the cancel; some of them meet in the library."""


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool[Connection]]:
    made: Pool[Connection] = Pool(database_url, connection_class=Connection, min_size=1, max_size=1, open=False)
    async with made:
        yield made


async def _held_for_ever(pool: Pool[Connection]) -> None:
    async with pool.connection():
        await asyncio.Event().wait()


@pytest.mark.parametrize("steps", range(STEPS))
async def test_who_is_cancelled_when_a_connection_comes_is_cancelled(pool: Pool[Connection], steps: int) -> None:
    held = await pool.getconn()
    waiting = asyncio.create_task(_held_for_ever(pool))
    for _ in range(STEPS):
        await asyncio.sleep(0)
    await pool.putconn(held)
    for _ in range(steps):
        await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait([waiting], timeout=2)
    assert waiting.cancelled()
    async with pool.connection(timeout=2) as conn:
        assert not conn.closed


async def test_one_who_is_not_cancelled_gets_the_connection(pool: Pool[Connection]) -> None:
    held = await pool.getconn()
    waiting = asyncio.create_task(pool.getconn())
    await asyncio.sleep(0)
    await pool.putconn(held)
    async with asyncio.timeout(2):
        assert await waiting is held
    await pool.putconn(held)


@pytest.mark.parametrize("somebody_waits", [False, True])
async def test_a_database_that_was_gone_is_found_within_two_seconds(database_url: str, *, somebody_waits: bool) -> None:
    gone = threading.Event()
    socket, name = Path(parse_qs(urlsplit(database_url).query)["host"][0]) / SOCKET, urlsplit(database_url).path
    with lossy_line(socket, gone) as port:
        url = f"postgresql://{SUPERUSER}@127.0.0.1:{port}{name}"
        pool: Pool[Connection] = Pool(url, connection_class=Connection, min_size=2, max_size=4, open=False)
        async with pool:
            gone.set()
            for _ in range(4):
                with contextlib.suppress(OperationalError):
                    async with pool.connection(timeout=1) as conn:
                        await conn.execute("select 1")
            waiting = asyncio.create_task(pool.getconn(timeout=30)) if somebody_waits else None
            await asyncio.sleep(4)  # the library would have paused for 1, 2 and 4 seconds by then
            gone.clear()
            back = time.monotonic()
            conn = await waiting if waiting else await pool.getconn(timeout=30)
            await conn.execute("select 1")
            assert time.monotonic() - back < 2
            await pool.putconn(conn)
            await asyncio.sleep(0.2)
            assert pool.get_stats()["pool_size"] >= 2
