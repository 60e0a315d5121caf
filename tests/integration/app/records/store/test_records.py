"""Reading records: short ids, filters, orders and pages."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from agents.records import Kind
from app.database.database import Database
from app.errors import Conflict, InvalidInput
from app.records.store.records import StoreReader
from tests.support.ledgers import Desk, desk_at


@pytest.fixture
async def desk(database: Database) -> Desk:
    return await desk_at(database)


@pytest.fixture
def reader(database: Database) -> StoreReader:
    return StoreReader(database)


async def _titles(reader: StoreReader, desk: Desk, kind: Kind = "todo", **filters: Any) -> list[str]:
    page = await reader.list(desk.user, kind, filters, 100, None)
    return [record.task if kind == "todo" else record.title for record in page.items]


async def test_a_record_is_found_by_its_id_and_by_its_beginning(desk: Desk, reader: StoreReader) -> None:
    made = await desk.add(task="milk")
    record_id = str(made.record_id)
    for given in (record_id, record_id[:6], record_id[:20]):
        found = await reader.get(desk.user, "todo", given)
        assert found is not None
        assert found.model_dump(mode="json") == made.after
    for given in (record_id[:5], "%" * 8, "______", "nothing"):
        assert await reader.get(desk.user, "todo", given) is None
    assert await reader.get(desk.user, "note", record_id) is None


async def test_an_ambiguous_beginning_is_asked_about(desk: Desk, reader: StoreReader) -> None:
    for record_id in ("abcdef-1", "abcdef-2", "abcdef"):
        await desk.do("create", "todo", record_id, task=record_id)
    found = await reader.get(desk.user, "todo", "abcdef")
    assert found is not None
    assert found.id == "abcdef"
    with pytest.raises(Conflict):
        await reader.get(desk.user, "todo", "abcdef-")


async def test_deadlines_are_ordered_as_instants_whatever_their_zones(desk: Desk, reader: StoreReader) -> None:
    await desk.add(task="second", deadline="2026-11-20T09:00:00-05:00")
    await desk.add(task="first", deadline="2026-11-20T10:00:00+09:00")
    await desk.add(task="third", deadline="2026-11-21", zone="Asia/Tokyo")
    await desk.add(task="never")
    assert await _titles(reader, desk, sort="deadline") == ["first", "second", "third", "never"]
    assert await _titles(reader, desk, sort="-deadline") == ["never", "third", "second", "first"]
    due = datetime(2026, 11, 20, 12, tzinfo=UTC)
    assert await _titles(reader, desk, sort="deadline", due_before=due) == ["first"]


async def test_filters_narrow_together_and_words_are_taken_literally(desk: Desk, reader: StoreReader) -> None:
    await desk.add(task="buy 100% juice", list="Shop", tags=["food"])
    await desk.add(task="buy milk", list="shop")
    await desk.add(task="call mom", tags=["food"])
    assert sorted(await _titles(reader, desk, list="SHOP")) == ["buy 100% juice", "buy milk"]
    assert await _titles(reader, desk, list="shop", tag="food") == ["buy 100% juice"]
    assert await _titles(reader, desk, q="0% J") == ["buy 100% juice"]
    assert await _titles(reader, desk, q="b_y") == []
    assert await _titles(reader, desk, q="as it was said") == []


async def test_whole_days_last_until_their_end(desk: Desk, reader: StoreReader) -> None:
    await desk.add("event", title="trip", start="2026-11-19", end="2026-11-20", zone="Europe/Lisbon")
    await desk.add("event", title="lunch", start="2026-11-20T12:00:00+00:00")
    at = datetime(2026, 11, 20, 18, tzinfo=UTC)
    assert await _titles(reader, desk, "event", **{"from": at}) == ["trip"]
    assert await _titles(reader, desk, "event", **{"from": datetime(2026, 11, 21, tzinfo=UTC)}) == []
    assert await _titles(reader, desk, "event", to=datetime(2026, 11, 20, tzinfo=UTC)) == ["trip"]


@pytest.mark.parametrize("sort", ["created", "-created", "updated", "deadline", "-priority"])
async def test_pages_show_everything_once(desk: Desk, reader: StoreReader, sort: str) -> None:
    for number in range(11):
        await desk.add(task=f"task {number}", priority=("low", "high")[number % 2])
    found: list[str] = []
    cursor: str | None = None
    while cursor or not found:
        page = await reader.list(desk.user, "todo", {"sort": sort}, 4, cursor)
        found += [record.task for record in page.items]
        cursor = page.next
    assert sorted(found) == sorted(f"task {number}" for number in range(11))


async def test_an_unknown_order_is_refused(desk: Desk, reader: StoreReader) -> None:
    with pytest.raises(InvalidInput):
        await reader.list(desk.user, "todo", {"sort": "value; drop table store"}, 4, None)
