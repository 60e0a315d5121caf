"""The stream of events: everything once and in order, however many write, across processes and reconnects."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal
from uuid import UUID, uuid4

import psycopg
import pytest

from app.database.database import Database
from app.database.signals import Signals
from app.http.accounts.store.users import Users
from app.records.model.events import Event
from app.records.store.event_log import EventLog
from tests.support.waiting import HANG_SECONDS, until_true

LAST: Literal["turn.done"] = "turn.done"


@asynccontextmanager
async def event_log_at(url: str, **values: float) -> AsyncIterator[EventLog]:
    """The log as one process sees it, with a pool and a news channel of its own."""
    async with Database(url) as database, Signals(database) as signals:
        await signals.ready()
        yield EventLog(database, signals, **values)


@pytest.fixture
async def log(database_url: str) -> AsyncIterator[EventLog]:
    async with event_log_at(database_url) as opened:
        yield opened


@pytest.fixture
async def replica(database_url: str) -> AsyncIterator[EventLog]:
    async with event_log_at(database_url) as opened:
        yield opened


@pytest.fixture
async def user(database: Database) -> UUID:
    return (await Users(database).create("Ada")).id


async def _told(log: EventLog, user: UUID, count: int, after: int = 0) -> list[Event]:
    found: list[Event] = []
    async with asyncio.timeout(HANG_SECONDS):
        async for event in log.follow(user, after=after):
            found += [event] if event else []
            if len(found) == count:
                return found
    raise AssertionError("the stream ended")


async def _write(log: EventLog, user: UUID, turn: UUID, name: str, count: int) -> None:
    for number in range(count):
        await log.append(user, turn, [("reply.delta", {"by": name, "n": number}), ("usage", {})])


async def test_three_writers_are_followed_exactly_once_and_in_order(
    log: EventLog, replica: EventLog, user: UUID
) -> None:
    turn = uuid4()
    followers = [asyncio.create_task(_told(one, user, 120)) for one in (log, replica)]
    await asyncio.gather(
        _write(log, user, turn, "a", 20), _write(replica, user, turn, "b", 20), _write(log, user, turn, "c", 20)
    )
    for events in await asyncio.gather(*followers):
        assert [event.seq for event in events] == list(range(1, 121))
        for writer in "abc":
            numbers = [event.data["n"] for event in events if event.data.get("by") == writer]
            assert numbers == list(range(20))


async def test_a_listener_goes_on_where_it_stopped(log: EventLog, user: UUID) -> None:
    await _write(log, user, uuid4(), "a", 5)
    assert [event.seq for event in await _told(log, user, 3, after=7)] == [8, 9, 10]


async def test_another_process_hears_at_once(log: EventLog, database_url: str, user: UUID) -> None:
    """It would look by itself long after this test had given up."""
    async with event_log_at(database_url, heartbeat_seconds=100 * HANG_SECONDS) as patient:
        follower = asyncio.create_task(_told(patient, user, 1))
        await until_true(lambda: patient._signals._listeners)
        await log.append(user, None, [("usage", {})])
        await follower


async def test_news_come_again_after_the_channel_was_lost(
    log: EventLog, replica: EventLog, user: UUID, database_url: str
) -> None:
    follower = asyncio.create_task(_told(replica, user, 2))
    with psycopg.connect(database_url, autocommit=True) as conn:
        conn.execute("select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%'")
    await log.append(user, None, [("usage", {}), ("usage", {})])
    assert len(await follower) == 2


async def test_a_quiet_stream_gives_a_heartbeat_and_a_turns_stream_ends(
    database: Database, log: EventLog, user: UUID
) -> None:
    turn, other = uuid4(), uuid4()
    quick = EventLog(database, log._signals, heartbeat_seconds=0.05)
    stream = quick.follow(user, turn_id=turn)
    assert await anext(stream) is None
    await log.append(user, other, [("usage", {}), (LAST, {})])
    await log.append(user, turn, [("usage", {}), (LAST, {})])
    assert [event.type async for event in stream if event] == ["usage", LAST]


async def test_the_events_of_others_are_never_told(database: Database, log: EventLog, user: UUID) -> None:
    other = (await Users(database).create("Ben")).id
    await _write(log, other, uuid4(), "ben", 2)
    await log.append(user, None, [("usage", {"mine": True})])
    assert [event.data for event in await _told(log, user, 1)] == [{"mine": True}]


async def test_listeners_leave_nothing_behind(log: EventLog, user: UUID) -> None:
    stream = log.follow(user)
    await log.append(user, None, [("usage", {})])
    assert await anext(stream) is not None
    await stream.aclose()  # type: ignore[attr-defined]
    assert not log._signals._listeners
