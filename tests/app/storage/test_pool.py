"""A cancel is never lost while a task waits for a connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from app.storage.database import Connection
from app.storage.pool import Pool

STEPS = 12
"""Turns of the event loop between the return of a connection and the cancel; some of them meet in the library."""


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool[Connection]]:
    async with Pool(database_url, connection_class=Connection, min_size=1, max_size=1, open=False) as opened:
        yield opened


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
