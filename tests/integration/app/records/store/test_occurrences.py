"""The table of occurrences: true to the events after any change, and moved on as time passes."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.types.range import TimestamptzRange

from agents.contract import Change, Proposal
from agents.ledger.conflicts import OWN_SOURCE
from agents.records import Event
from agents.recurrence.expand import OccurrenceSpan, occurrences
from app.database.database import Database
from app.http.accounts.store.users import Users
from app.records.store.occurrences import Item, OccurrenceKeeper, Occurrences, OccurrenceWindow, forget, keep
from tests.support.ledgers import NOW, Desk, desk_at

WINDOW = OccurrenceWindow(days_back=10, days_ahead=60, per_series=40)
ALL = (
    "select source, item, title, starts_at, ends_at, busy, whole_day, series from occurrences order by starts_at, item"
)


@pytest.fixture
async def desk(database: Database) -> Desk:
    return await desk_at(database)


async def rows(database: Database, user: UUID, query: str = ALL, *values: Any) -> list[dict[str, Any]]:
    async with database.tenant(user) as conn:
        return list(await (await conn.execute(query.encode(), values)).fetchall())


async def spans(database: Database, desk: Desk, change: Change) -> list[OccurrenceSpan]:
    query = "select starts_at, ends_at from occurrences where item = %s order by starts_at"
    return [
        OccurrenceSpan(row["starts_at"], row["ends_at"])
        for row in await rows(database, desk.user, query, change.record_id)
    ]


async def test_a_single_event_has_one_whenever_it_is(database: Database, desk: Desk) -> None:
    made = [await desk.add("event", title=day, start=f"{day}T10:00:00Z") for day in ("1999-01-01", "2150-01-01")]
    assert [len(await spans(database, desk, change)) for change in made] == [1, 1]


async def test_a_series_has_those_in_the_window(database: Database, desk: Desk) -> None:
    made = await desk.add("event", title="standup", start="2020-01-06T09:00:00Z", recurrence="FREQ=DAILY")
    window = OccurrenceWindow().around(datetime.now(UTC))
    expected = list(occurrences(Event.model_validate(made.after), window.start, window.end))
    assert await spans(database, desk, made) == expected
    assert 495 <= len(expected) <= 505


async def test_rows_follow_every_kind_of_change(database: Database, desk: Desk) -> None:
    made = await desk.add("event", title="lab", start="2026-11-20T14:00:00Z")
    await desk.do("update", "event", made.record_id, title="laboratory", busy=False, start="2026-11-21")
    (row,) = await rows(database, desk.user)
    assert (row["title"], row["busy"], row["whole_day"], row["source"]) == ("laboratory", False, True, OWN_SOURCE)
    assert row["ends_at"] - row["starts_at"] == timedelta(days=1)
    deleted = await desk.do("delete", "event", made.record_id)
    assert await rows(database, desk.user) == []
    await desk.undo(deleted)
    assert [row["title"] for row in await rows(database, desk.user)] == ["laboratory"]


async def test_a_failed_batch_leaves_no_occurrence(database: Database, desk: Desk, database_url: str) -> None:
    with psycopg.connect(database_url, autocommit=True) as conn:
        conn.execute("create function summit.no() returns trigger language plpgsql as $$ begin raise 'no'; end $$")
        conn.execute("create trigger no after insert on summit.changes for each row execute function summit.no()")
    with pytest.raises(psycopg.errors.RaiseException):
        await desk.add("event")
    assert await rows(database, desk.user) == []


async def test_events_from_before_the_table_are_found_at_the_first_use(database: Database, desk: Desk) -> None:
    await desk.add("event", title="standup", start="2026-11-02T09:00:00Z", recurrence="FREQ=DAILY")
    async with database.tenant(desk.user) as conn:
        await conn.execute("delete from occurrences")
        await conn.execute("delete from occurrence_windows")
    assert [c.title for c in (await desk.add("event", title="x", start="2026-12-01T09:30:00Z")).conflicts] == [
        "standup"
    ]


async def test_the_window_moves_on_with_time(database: Database, desk: Desk) -> None:
    made = await desk.add("event", title="standup", start="2020-01-06T09:00:00Z", recurrence="FREQ=DAILY")
    once = await desk.add("event", title="once", start="2020-01-06T09:00:00Z")
    fresh = await spans(database, desk, made)
    async with database.tenant(desk.user) as conn:
        await conn.execute(
            "update occurrence_windows set since = since - interval '200 days', until = until - interval '200 days'"
        )
        await conn.execute("delete from occurrences where starts_at > now() + interval '200 days'")
        old = [
            TimestamptzRange(span.start - timedelta(days=200), span.end - timedelta(days=200)) for span in fresh[:200]
        ]
        await conn.execute(
            "insert into occurrences (user_id, source, item, title, during, series) "
            "select %s, 'own', %s, 'standup', d, true from unnest(%s::tstzrange[]) d on conflict do nothing",
            (desk.user, made.record_id, old),
        )
    keeper = OccurrenceKeeper(database, Occurrences())
    assert (await keeper.move_on(), await keeper.move_on()) == (1, 0)
    assert await spans(database, desk, made) == fresh
    assert len(await spans(database, desk, once)) == 1


async def test_a_series_has_at_most_so_many(database: Database, desk: Desk) -> None:
    async with database.tenant(desk.user) as conn:
        record = {**(await desk.add("event")).after, "start": "2026-01-01T00:00:00Z", "end": "2026-01-01T00:10:00Z"}  # type: ignore[dict-item]
        item = Occurrences(WINDOW)._item({**record, "recurrence": "FREQ=HOURLY"}, WINDOW.around(datetime.now(UTC)))
        assert len(item.spans) == 40
        await keep(conn, desk.user, [item])


async def test_imported_busy_time_stands_beside_ones_own(database: Database, desk: Desk) -> None:
    own = await desk.add("event", title="lab", start="2026-11-20T14:00:00Z")
    span = OccurrenceSpan(datetime(2026, 11, 20, 14, 30, tzinfo=UTC), datetime(2026, 11, 20, 15, 30, tzinfo=UTC))
    source = str(uuid4())
    async with database.tenant(desk.user) as conn:
        await keep(conn, desk.user, [Item(str(own.record_id), "imported", [span], source=source)])
    call = await desk.add("event", title="call", start="2026-11-20T14:00:00Z")
    assert [clash.title for clash in call.conflicts] == ["lab", "imported"]
    async with database.tenant(desk.user) as conn:
        await forget(conn, desk.user, [str(own.record_id)], source)
    again = await desk.add("event", title="x", start="2026-11-20T14:00:00Z")
    assert [clash.title for clash in again.conflicts] == ["call", "lab"]


async def test_long_and_short_ones_are_found_from_within(database: Database, desk: Desk) -> None:
    for title, start, end in (
        ("hour", "2026-11-20T14:00:00Z", "2026-11-20T15:00:00Z"),
        ("fortnight", "2026-11-08", "2026-11-21"),
        ("year", "2026-01-01", "2026-12-31"),
    ):
        await desk.add("event", title=title, start=start, end=end)
    found = await desk.add("event", title="x", start="2026-11-20T14:59:00Z")
    assert [clash.title for clash in found.conflicts] == ["year", "fortnight", "hour"]


async def test_fifty_rounds_of_two_bookings_at_once(database: Database) -> None:
    """Whoever comes second always reports the first: both cannot miss it."""
    for _ in range(50):
        one = await desk_at(database)
        two = Desk(one.ledger, one.store, one.user)
        start = "2026-11-20T14:00:00Z"
        made = await asyncio.gather(
            one.apply(Proposal(op="create", kind="event", fields={"title": "one", "start": start})),
            two.apply(Proposal(op="create", kind="event", fields={"title": "two", "start": start})),
        )
        first, second = sorted((change for changes in made for change in changes), key=lambda change: change.cursor)
        assert (first.conflicts, [clash.record_id for clash in second.conflicts]) == ([], [first.record_id])


async def test_nobody_sees_anothers_busy_time(database: Database, desk: Desk) -> None:
    await desk.add("event", title="secret", start="2026-11-20T14:00:00Z")
    other = Desk(desk.ledger, desk.store, (await Users(database).create("Ben", uuid4())).id)
    assert (await other.add("event", title="mine", start="2026-11-20T14:00:00Z")).conflicts == []
    query = "select * from occurrences_between(%s, %s, %s)"
    assert await rows(database, other.user, query, desk.user, NOW - timedelta(days=9), NOW + timedelta(days=9)) == []
