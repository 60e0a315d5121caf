"""Who is told of news: everybody who listens, and nobody where there is no one else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from uuid import UUID, uuid4

import psycopg
import pytest

from app.storage import signals as module
from app.storage.database import Database
from app.storage.signals import CHANNEL, Signals

QUICK = 0.2


@pytest.fixture
async def alone(database: Database, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Signals]:
    """Signals that know by now that no other process listens."""
    monkeypatch.setattr(module, "HERE_SECONDS", QUICK)
    monkeypatch.setattr(module, "PEER_SECONDS", 4 * QUICK)
    async with Signals(database) as opened:
        await opened.ready()
        await asyncio.sleep(2 * QUICK)
        yield opened


async def overheard(url: str, seconds: float) -> list[str]:
    """All that is said on the channel for a while."""
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as conn:
        await conn.execute(f"listen {CHANNEL}")
        return [notice.payload.partition(":")[2] async for notice in conn.notifies(timeout=seconds)]


async def test_nobody_is_notified_where_no_other_process_listens(alone: Signals, database_url: str) -> None:
    about = uuid4()
    listening = asyncio.create_task(overheard(database_url, 1.0))
    await asyncio.sleep(0.3)
    with alone.listen(about) as here:
        alone.wake(about)
        assert await here.wait(0.1)
    assert str(about) not in await listening


async def test_a_process_that_comes_is_told_from_then_on(alone: Signals, database: Database) -> None:
    async with Signals(database) as newcomer:
        await newcomer.ready()
        await heard_by(newcomer, alone, uuid4())
        await heard_by(alone, newcomer, uuid4())


async def test_a_process_that_is_gone_is_forgotten(alone: Signals, database: Database, database_url: str) -> None:
    async with Signals(database) as newcomer:
        await newcomer.ready()
        await heard_by(newcomer, alone, uuid4())
    await asyncio.sleep(5 * QUICK)
    about = uuid4()
    listening = asyncio.create_task(overheard(database_url, 1.0))
    await asyncio.sleep(0.3)
    alone.wake(about)
    assert str(about) not in await listening


async def heard_by(who: Signals, teller: Signals, about: UUID) -> None:
    with who.listen(about) as listener:
        await asyncio.sleep(QUICK)
        teller.wake(about)
        assert await listener.wait(2)
