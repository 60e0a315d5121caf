"""A bounded log: the latest events of each user are kept, and the log knows which."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from app.database.database import Database
from app.database.signals import Signals
from app.http.accounts.store.users import Users
from app.records.model.events import KeptEvents
from app.records.store.event_log import EventLog


@pytest.fixture
def log(database: Database) -> EventLog:
    return EventLog(database, Signals(database))


async def user_with(log: EventLog, database: Database, events: int) -> UUID:
    user = (await Users(database).create("Ada")).id
    for number in range(events):
        await log.append(user, uuid4(), [("reply.delta", {"text": str(number)})])
    return user


async def test_a_new_users_stream_is_empty(log: EventLog, database: Database) -> None:
    assert await log.span(await user_with(log, database, 0)) == KeptEvents(1, 0)


async def test_the_span_is_what_is_kept(log: EventLog, database: Database) -> None:
    user, other = await user_with(log, database, 10), await user_with(log, database, 10)
    assert await log.span(user) == KeptEvents(1, 10)
    await log.prune(user, keep=3)
    assert await log.span(user) == KeptEvents(8, 10)
    assert await log.span(other) == KeptEvents(1, 10)


@pytest.mark.parametrize("keep", [10, 11, 10_000])
async def test_a_log_that_is_small_enough_stays(log: EventLog, database: Database, keep: int) -> None:
    user = await user_with(log, database, 10)
    await log.prune(user, keep)
    assert await log.span(user) == KeptEvents(1, 10)


async def test_numbers_go_on_after_everything_was_forgotten(log: EventLog, database: Database) -> None:
    user = await user_with(log, database, 5)
    await log.prune(user, keep=0)
    assert await log.span(user) == KeptEvents(6, 5)
    await log.append(user, None, [("reply.delta", {"text": "new"})])
    assert await log.span(user) == KeptEvents(6, 6)


async def test_a_turns_events_are_those_of_that_turn(log: EventLog, database: Database) -> None:
    user, turn = await user_with(log, database, 3), uuid4()
    await log.append(user, turn, [("reply.delta", {"text": "a"}), ("reply.delta", {"text": "b"})])
    assert [(event.seq, event.data["text"]) for event in await log.of_turn(user, turn)] == [(4, "a"), (5, "b")]
    assert await log.of_turn(user, uuid4()) == []
