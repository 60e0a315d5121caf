"""Who is told of news: everybody who listens, and nobody where there is no one else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID, uuid4

import psycopg
import pytest

from app.database.database import Database
from app.database.signals import CHANNEL, Signals
from tests.support.waiting import HANG_SECONDS, until_true

QUICK = 0.1


@asynccontextmanager
async def alone_at(database: Database, peer_seconds: float) -> AsyncIterator[Signals]:
    """Signals that know by now that no other process listens."""
    async with Signals(database, here_seconds=QUICK, peer_seconds=peer_seconds) as opened:
        await opened.ready()
        await until_true(lambda: not opened._peers.any())
        yield opened


@pytest.fixture
async def alone(database: Database) -> AsyncIterator[Signals]:
    async with alone_at(database, peer_seconds=HANG_SECONDS) as opened:
        yield opened


async def told_of(teller: Signals, about: UUID, url: str) -> bool:
    """Whether the channel hears what is told, before something that is certainly said after it."""
    last = uuid4()
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as conn:
        await conn.execute(f"listen {CHANNEL}")
        teller.wake(about)
        await until_true(lambda: not teller._news)  # what there was to tell is on its way
        teller._say(str(last))
        heard: set[str] = set()
        async with asyncio.timeout(HANG_SECONDS):
            async for notice in conn.notifies():
                heard.add(notice.payload.partition(":")[2])
                if str(last) in heard:
                    break
    return str(about) in heard


async def test_nobody_is_notified_where_no_other_process_listens(alone: Signals, database_url: str) -> None:
    about = uuid4()
    with alone.listen(about) as here:
        assert not await told_of(alone, about, database_url)
        assert await here.wait(HANG_SECONDS)


async def test_a_process_that_comes_is_told_from_then_on(alone: Signals, database: Database, database_url: str) -> None:
    async with Signals(database) as newcomer:
        await newcomer.ready()
        await heard_by(newcomer, alone)
        await heard_by(alone, newcomer)
        assert await told_of(alone, uuid4(), database_url)


async def test_a_process_that_is_gone_is_forgotten(database: Database, database_url: str) -> None:
    async with alone_at(database, peer_seconds=3 * QUICK) as alone:
        async with Signals(database, here_seconds=QUICK) as newcomer:
            await newcomer.ready()
            await until_true(alone._peers.any)
        await until_true(lambda: not alone._peers.any())
        assert not await told_of(alone, uuid4(), database_url)


async def heard_by(who: Signals, teller: Signals) -> None:
    await until_true(teller._peers.any)
    about = uuid4()
    with who.listen(about) as listener:
        teller.wake(about)
        assert await listener.wait(HANG_SECONDS)
