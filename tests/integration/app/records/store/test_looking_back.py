"""Finding changes by when they were made and by what they are called: in both ledgers alike."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from agents.contract import Change, Lookback
from agents.ledger.limits import LedgerLimits
from app.database.database import Database
from app.principal import Principal, acting_as
from app.records.store.ledger import PostgresLedger
from tests.support.ledgers import NOW, Adapter, Desk, desk_at, open_desk


@pytest.fixture(params=["store", "postgres"])
def adapter(request: pytest.FixtureRequest) -> tuple[Adapter, str]:
    return request.param, request.getfixturevalue("database_url") if request.param == "postgres" else ""


@pytest.fixture
async def desk(adapter: tuple[Adapter, str]) -> AsyncIterator[Desk]:
    async with open_desk(*adapter) as opened:
        yield opened


async def looked(desk: Desk, look: Lookback, limit: int = 200) -> list[str]:
    return [f"{change.op} {change.title}: {change.status}" for change in await found(desk, look, limit)]


async def found(desk: Desk, look: Lookback, limit: int = 200) -> list[Change]:
    with acting_as(Principal(desk.user)):
        return await desk.ledger.history(str(desk.user), look, limit)


async def test_names_and_times_narrow_what_is_found(desk: Desk) -> None:
    milk, dentist = await desk.add(task="buy milk"), await desk.add("event")
    await desk.do("create", "todo", nonsense="x")
    await desk.undo(milk)
    assert await looked(desk, Lookback()) == [
        "create buy milk: undone",
        "create dentist: applied",
        "undo buy milk: applied",
    ]
    assert [change.id for change in await found(desk, Lookback(words=["DENT", "%"]))] == [dentist.id]
    assert await looked(desk, Lookback(since=NOW, until=NOW + timedelta(hours=1)), 1) == ["undo buy milk: applied"]
    assert await looked(desk, Lookback(until=NOW)) == []
    assert await looked(desk, Lookback(since=NOW + timedelta(seconds=1))) == []


async def test_a_search_by_name_ends_where_the_server_says(database: Database) -> None:
    desk = await desk_at(database)
    desk.ledger = PostgresLedger(database, limits=LedgerLimits(look_back=2))
    for task in ("one milk", "two", "three milk"):
        await desk.add(task=task)
    assert await looked(desk, Lookback(words=["milk"])) == ["create three milk: applied"]
