"""Calendars of elsewhere, and their busy time in the table of occurrences: replaced as a whole, or left alone."""

from __future__ import annotations

import zlib
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import AsyncConnection
from psycopg.types.json import Jsonb

from app.calendars.model.calendars import BusyTime, CalendarContents, CalendarSource, ImportedCalendar
from app.database.database import Connection, Database
from app.errors import Conflict
from app.records.store.appointments import Appointments

Defer = Callable[[AsyncConnection[Any], UUID, UUID], Awaitable[None]]
COLUMNS = "id, name, url, events, occurrences, warnings, error, error_at, created_at, last_refreshed, next_refresh"
LIST = f"select {COLUMNS} from calendars where user_id = %s order by created_at, id"  # noqa: S608
GET = f"select {COLUMNS} from calendars where user_id = %s and id = %s"  # noqa: S608
LOCK = "select 1 from counters where user_id = %s for update"
COUNT = "select count(*) as kept, bool_or(url = %(url)s) as known from calendars where user_id = %(user_id)s"
ADD = f"""
insert into calendars (user_id, id, name, named, url, next_refresh)
values (%(user_id)s, %(id)s, %(name)s, %(named)s, %(url)s, coalesce(%(next_refresh)s, now()))
on conflict (user_id, id) do update set name = excluded.name
returning {COLUMNS}
"""  # noqa: S608
CLAIM = """
update calendars set next_refresh = now() + make_interval(secs => %(seconds)s)
where user_id = %(user_id)s and id = %(id)s and next_refresh <= now()
returning id, url, content, digest, etag, last_modified, refresh_seconds, read_until, failures
"""
KEEP = """
update calendars set
    name = case when named or %(name)s = '' then name else %(name)s end, content = %(content)s, digest = %(digest)s,
    etag = %(etag)s, last_modified = %(last_modified)s, refresh_seconds = %(refresh_seconds)s,
    read_until = %(read_until)s, events = %(events)s, warnings = %(warnings)s, failures = 0, error = null,
    error_at = null, last_refreshed = now(), next_refresh = %(next_refresh)s
where user_id = %(user_id)s and id = %(id)s
returning id
"""
CLEAR = "delete from occurrences where user_id = %(user_id)s and source = %(source)s"
FILL = """
insert into occurrences (user_id, source, item, title, during, whole_day, busy)
select %(user_id)s, %(source)s, item, title, tstzrange(begins, ends, case when begins = ends then '[]' else '[)' end),
       whole_day, busy
from unnest(%(items)s::text[], %(titles)s::text[], %(begins)s::timestamptz[], %(ends)s::timestamptz[],
            %(whole_days)s::boolean[], %(busy)s::boolean[]) as found (item, title, begins, ends, whole_day, busy)
on conflict do nothing
"""
TALLY = """
update calendars set occurrences =
    (select count(*) from occurrences where user_id = %(user_id)s and source = %(source)s)
where user_id = %(user_id)s and id = %(id)s
"""
UNCHANGED = """
update calendars set failures = 0, error = null, error_at = null, last_refreshed = now(), next_refresh = %s
where user_id = %s and id = %s
"""
FAILED = """
update calendars set failures = failures + 1, error = %s, error_at = now(), next_refresh = %s
where user_id = %s and id = %s
"""


class PostgresCalendars:
    """Calendars over Postgres, read-only and always whole, as last read; ``most`` is how many a user may keep."""

    def __init__(self, database: Database, most: int, defer: Defer, appointments: Appointments | None = None) -> None:
        self._database = database
        self._most = most
        self._defer = defer
        self._appointments = appointments or Appointments()

    async def list(self, user_id: UUID) -> list[ImportedCalendar]:
        """The user's calendars, oldest first."""
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(LIST, (user_id,))).fetchall()
        return [ImportedCalendar(**row) for row in rows]

    async def get(self, user_id: UUID, calendar_id: UUID) -> ImportedCalendar | None:
        """One calendar."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(GET, (user_id, calendar_id))).fetchone()
        return ImportedCalendar(**row) if row else None

    async def subscribe(
        self, user_id: UUID, calendar_id: UUID, url: str, name: str, *, named: bool
    ) -> ImportedCalendar:
        """Keep an address, and the job that reads it; raises Conflict when it is kept already, or too many are."""
        async with self._database.tenant(user_id) as conn:
            made = await self._add(conn, user_id, calendar_id, name=name, named=named, url=url)
            await self._defer(conn, user_id, calendar_id)
        return made

    async def add_file(
        self, user_id: UUID, calendar_id: UUID, name: str, contents: CalendarContents, *, next_refresh: datetime
    ) -> ImportedCalendar:
        """Keep a file that was read; raises Conflict when there are too many calendars."""
        async with self._database.tenant(user_id) as conn:
            await self._add(conn, user_id, calendar_id, name=name, named=True, next_refresh=next_refresh)
            await self._keep(conn, user_id, calendar_id, contents, next_refresh)
            row = await (await conn.execute(GET, (user_id, calendar_id))).fetchone()
        return ImportedCalendar(**(row or {}))

    async def delete(self, user_id: UUID, calendar_id: UUID) -> bool:
        """Remove a calendar and the busy time that it brought."""
        values = {"user_id": user_id, "source": str(calendar_id)}
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOCK, (user_id,))
            gone = await conn.execute(
                "delete from calendars where user_id = %s and id = %s returning id", (user_id, calendar_id)
            )
            found = await gone.fetchone() is not None
            await conn.execute(CLEAR, values)
            await self._appointments.renew_imported(conn, user_id)
        return found

    async def claim(self, user_id: UUID, calendar_id: UUID, seconds: float) -> CalendarSource | None:
        """Begin a refresh that is due, which nobody else begins for ``seconds``; None when it is not due."""
        async with self._database.one_statement(user_id) as conn:
            taken = await conn.execute(CLAIM, {"user_id": user_id, "id": calendar_id, "seconds": seconds})
            row = await taken.fetchone()
        if row is None:
            return None
        content = zlib.decompress(row["content"]) if row["content"] else None
        return CalendarSource(**{**row, "content": content})

    async def keep(self, user_id: UUID, calendar_id: UUID, contents: CalendarContents, next_refresh: datetime) -> None:
        """Replace everything that was known of the calendar, at once; nothing when it was deleted meanwhile."""
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOCK, (user_id,))
            await self._keep(conn, user_id, calendar_id, contents, next_refresh)

    async def mark_unchanged(self, user_id: UUID, calendar_id: UUID, next_refresh: datetime) -> None:
        """The calendar is as it was."""
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOCK, (user_id,))
            await conn.execute(UNCHANGED, (next_refresh, user_id, calendar_id))
            await self._appointments.renew_imported(conn, user_id)

    async def mark_failed(self, user_id: UUID, calendar_id: UUID, error: str, next_refresh: datetime) -> None:
        """It could not be read: what is known stays, and the error is shown."""
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOCK, (user_id,))
            await conn.execute(FAILED, (error, next_refresh, user_id, calendar_id))
            await self._appointments.renew_imported(conn, user_id)

    async def due(self, how_many: int) -> Sequence[tuple[UUID, UUID]]:
        """(user, calendar) of refreshes that are due, of any user."""
        async with self._database.system() as conn:
            rows = await (await conn.execute("select * from calendars_due(%s)", (how_many,))).fetchall()
        return [(row["owner"], row["calendar"]) for row in rows]

    async def _add(
        self,
        conn: Connection,
        user_id: UUID,
        calendar_id: UUID,
        *,
        name: str,
        named: bool,
        url: str | None = None,
        next_refresh: datetime | None = None,
    ) -> ImportedCalendar:
        await conn.execute(LOCK, (user_id,))  # who counts after this counts what was added before
        row = await (await conn.execute(COUNT, {"user_id": user_id, "url": url})).fetchone() or {}
        if row["known"]:
            raise Conflict("This address is subscribed to already.", hint="GET /v1/calendars shows how it is.")
        if row["kept"] >= self._most:
            raise Conflict(
                f"There are {self._most} calendars already, the most that are kept.", hint="Delete one first."
            )
        values = {"user_id": user_id, "id": calendar_id, "url": url, "next_refresh": next_refresh}
        made = await (await conn.execute(ADD, {**values, "name": name, "named": named})).fetchone()
        return ImportedCalendar(**(made or {}))

    async def _keep(
        self,
        conn: Connection,
        user_id: UUID,
        calendar_id: UUID,
        contents: CalendarContents,
        next_refresh: datetime,
    ) -> None:
        values = {"user_id": user_id, "id": calendar_id, "source": str(calendar_id), "next_refresh": next_refresh}
        stated = {name: getattr(contents, name) for name in CONTENT_COLUMNS}
        packed = {"content": zlib.compress(contents.content), "warnings": Jsonb(contents.warnings)}
        if await (await conn.execute(KEEP, {**values, **stated, **packed})).fetchone():
            await conn.execute(CLEAR, values)
            await conn.execute(FILL, {**values, **_columns(contents.busy)})
            await conn.execute(TALLY, values)
            await self._appointments.renew_imported(conn, user_id)


CONTENT_COLUMNS = ("name", "digest", "etag", "last_modified", "refresh_seconds", "read_until", "events")


def _columns(busy: list[BusyTime]) -> dict[str, list[Any]]:
    return {
        "items": [one.item for one in busy],
        "titles": [one.title for one in busy],
        "begins": [one.start for one in busy],
        "ends": [one.end for one in busy],
        "whole_days": [one.whole_day for one in busy],
        "busy": [one.busy for one in busy],
    }
