"""Calendars of elsewhere in Postgres: whole or not at all, one reader at a time, gone with all they brought."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from app.calendars.model.calendars import BusyTime, CalendarContents
from app.calendars.store.calendars import PostgresCalendars
from app.database.database import Database
from app.errors import Conflict
from app.http.accounts.store.users import Users
from tests.support.ledgers import NOW

URL = "https://example.org/a.ics"
LATER = datetime.now(UTC) + timedelta(hours=1)


async def no_job(*_: Any) -> None:
    """Nothing is deferred."""


@pytest.fixture
async def user(database: Database) -> UUID:
    return (await Users(database).create("Ada")).id


@pytest.fixture
def calendars(database: Database) -> PostgresCalendars:
    return PostgresCalendars(database, 3, no_job)


def contents(*titles: str, **values: Any) -> CalendarContents:
    busy = [
        BusyTime(f"{n}", title, NOW + timedelta(hours=n), NOW + timedelta(hours=n + 1), whole_day=False, busy=True)
        for n, title in enumerate(titles)
    ]
    known = {"name": "Work", "events": len(titles), "warnings": [], "refresh_seconds": 3600, "read_until": LATER}
    return CalendarContents(**{**known, "busy": busy, "content": b"x" * 500, "digest": b"1", **values})


async def titles(database: Database, user: UUID) -> list[str]:
    async with database.tenant(user) as conn:
        rows = await (await conn.execute("select title from occurrences order by starts_at")).fetchall()
    return [row["title"] for row in rows]


async def test_a_calendar_is_replaced_whole(calendars: PostgresCalendars, user: UUID, database: Database) -> None:
    made = await calendars.subscribe(user, uuid4(), URL, "Calendar", named=False)
    assert (made.last_refreshed, made.events) == (None, 0)
    await calendars.keep(user, made.id, contents("a", "b", etag='"1"'), LATER)
    await calendars.keep(user, made.id, contents("c", "c"), LATER)
    assert await titles(database, user) == ["c", "c"]
    (kept,) = await calendars.list(user)
    assert (kept.name, kept.events, kept.occurrences, kept.error) == ("Work", 2, 2, None)
    assert kept.last_refreshed


async def test_a_failure_leaves_what_was_known(calendars: PostgresCalendars, user: UUID, database: Database) -> None:
    made = await calendars.subscribe(user, uuid4(), URL, "Mine", named=True)
    await calendars.keep(user, made.id, contents("a"), LATER)
    await calendars.mark_failed(user, made.id, "It did not answer.", LATER)
    failing = await calendars.get(user, made.id)
    assert failing
    assert (failing.name, failing.error, failing.events) == ("Mine", "It did not answer.", 1)
    assert failing.error_at
    assert await titles(database, user) == ["a"]
    await calendars.mark_unchanged(user, made.id, LATER)
    mended = await calendars.get(user, made.id)
    assert mended
    assert (mended.error, mended.error_at) == (None, None)


async def test_a_refresh_is_begun_by_one(calendars: PostgresCalendars, user: UUID) -> None:
    made = await calendars.subscribe(user, uuid4(), URL, "x", named=False)
    assert (user, made.id) in await calendars.due(10)
    source = await calendars.claim(user, made.id, 60)
    assert source
    assert (source.url, source.content) == (URL, None)
    assert await calendars.claim(user, made.id, 60) is None
    assert await calendars.due(10) == []
    await calendars.keep(user, made.id, contents("a", etag='"1"'), datetime.now(UTC))
    again = await calendars.claim(user, made.id, 60)
    assert again
    assert (again.content, again.digest, again.etag, again.refresh_seconds) == (b"x" * 500, b"1", '"1"', 3600)


async def test_deleted_means_gone(calendars: PostgresCalendars, user: UUID, database: Database) -> None:
    made = await calendars.add_file(user, uuid4(), "File", contents("a"), next_refresh=LATER)
    assert (made.url, made.occurrences, made.name) == (None, 1, "File")
    assert await calendars.delete(user, made.id)
    await calendars.keep(user, made.id, contents("too late"), LATER)
    assert await titles(database, user) == []
    assert await calendars.delete(user, made.id) is False


async def test_twice_the_same_address_or_too_many(calendars: PostgresCalendars, user: UUID) -> None:
    await calendars.subscribe(user, uuid4(), URL, "x", named=False)
    with pytest.raises(Conflict, match="subscribed to already"):
        await calendars.subscribe(user, uuid4(), URL, "x", named=False)
    for _ in range(2):
        await calendars.add_file(user, uuid4(), "File", contents(), next_refresh=LATER)
    with pytest.raises(Conflict, match="3 calendars"):
        await calendars.add_file(user, uuid4(), "File", contents(), next_refresh=LATER)
