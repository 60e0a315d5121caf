"""A cancel is never lost while a task waits for a connection, and a database that comes back is found at once."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import pytest
from psycopg import OperationalError
from psycopg_pool import PoolTimeout, TooManyRequests

from app.database.database import Connection
from app.database.embedded_cluster import SOCKET
from app.database.embedded_programs import SUPERUSER
from app.database.pool import RETRY_SECONDS, FairPool, Pool
from app.principal import Principal, acting_as
from tests.support.waiting import HANG_SECONDS, until_true
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
    await asyncio.wait([waiting], timeout=HANG_SECONDS)
    assert waiting.cancelled()
    async with pool.connection(timeout=HANG_SECONDS) as conn:
        assert not conn.closed


async def test_one_who_is_not_cancelled_gets_the_connection(pool: Pool[Connection]) -> None:
    held = await pool.getconn()
    waiting = asyncio.create_task(pool.getconn())
    await asyncio.sleep(0)
    await pool.putconn(held)
    async with asyncio.timeout(HANG_SECONDS):
        assert await waiting is held
    await pool.putconn(held)


ANNA, BEN = UUID(int=1), UUID(int=2)


async def holding(pool: FairPool[Connection], user: UUID, came: list[UUID], go: asyncio.Event) -> None:
    with acting_as(Principal(user)):
        async with pool.connection(timeout=HANG_SECONDS):
            came.append(user)
            await go.wait()


@pytest.fixture
async def fair(database_url: str) -> AsyncIterator[FairPool[Connection]]:
    made: FairPool[Connection] = FairPool(
        database_url, connection_class=Connection, min_size=1, max_size=4, open=False, max_waiting=9
    )
    async with made:
        yield made


async def test_one_user_never_holds_all_connections(fair: FairPool[Connection]) -> None:
    came, go = list[UUID](), asyncio.Event()
    many = [asyncio.create_task(holding(fair, ANNA, came, go)) for _ in range(9)]
    await until_true(lambda: len(came) == 3)
    one = asyncio.create_task(holding(fair, BEN, came, go))
    await until_true(lambda: BEN in came)
    assert came == [ANNA, ANNA, ANNA, BEN]
    go.set()
    await asyncio.gather(*many, one)
    assert came.count(ANNA) == 9


async def test_whoever_waits_too_long_or_comes_when_too_many_wait_is_told_as_ever(fair: FairPool[Connection]) -> None:
    came, go = list[UUID](), asyncio.Event()
    many = [asyncio.create_task(holding(fair, ANNA, came, go)) for _ in range(11)]
    await until_true(lambda: len(came) == 3)
    with acting_as(Principal(ANNA)):
        with pytest.raises(PoolTimeout):
            await fair.getconn(timeout=0.05)
        many.append(asyncio.create_task(holding(fair, ANNA, came, go)))
        await asyncio.sleep(0)
        with pytest.raises(TooManyRequests):
            await fair.getconn(timeout=HANG_SECONDS)
    go.set()
    await asyncio.gather(*many)
    assert fair._holders == {}


class CountingPool(Pool[Connection]):
    """Counts how often it gave up to connect, and began anew."""

    given_up = 0

    async def reconnect_failed(self) -> None:
        self.given_up += 1
        await super().reconnect_failed()


@pytest.mark.parametrize("somebody_waits", [False, True])
async def test_a_database_that_was_gone_is_looked_for_without_end(database_url: str, *, somebody_waits: bool) -> None:
    """The library would pause for 1, 2, 4 and more seconds, and give up after five minutes."""
    gone = threading.Event()
    socket, name = Path(parse_qs(urlsplit(database_url).query)["host"][0]) / SOCKET, urlsplit(database_url).path
    with lossy_line(socket, gone) as port:
        url = f"postgresql://{SUPERUSER}@127.0.0.1:{port}{name}"
        pool = CountingPool(
            url, connection_class=Connection, min_size=2, max_size=4, open=False, reconnect_timeout=0.05
        )
        async with pool:
            gone.set()
            for _ in range(4):
                with contextlib.suppress(OperationalError):
                    async with pool.connection(timeout=0.1) as conn:
                        await conn.execute("select 1")
            waiting = asyncio.create_task(pool.getconn(timeout=HANG_SECONDS)) if somebody_waits else None
            await until_true(lambda: pool.given_up >= 8)
            gone.clear()
            conn = await waiting if waiting else await pool.getconn(timeout=HANG_SECONDS)
            await conn.execute("select 1")
            await pool.putconn(conn)
            await until_true(lambda: pool.get_stats()["pool_size"] >= 2)


def test_a_pool_pauses_a_second_before_it_looks_again() -> None:
    pool: Pool[Connection] = Pool("", connection_class=Connection, open=False)
    assert pool.reconnect_timeout == RETRY_SECONDS <= 2
