"""The table of occurrences: kept true to the user's own events, and moved on as time passes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, ClassVar
from uuid import UUID

from psycopg.types.range import TimestamptzRange

from agents.ledger.conflicts import DAYS_AHEAD, OWN_SOURCE, PER_SERIES
from agents.records import Event, Kind
from agents.recurrence.expand import OccurrenceSpan, first_span, occurrences
from app.database.database import Connection, Database
from app.records.store.derived import Touched

MOVE_AFTER = timedelta(days=30)
USERS_AT_ONCE = 100
LOCK = "select 1 from counters where user_id = %s for update"
WINDOW = "select since, until from occurrence_windows where user_id = %s"
SET_WINDOW = """
insert into occurrence_windows (user_id, since, until) values (%s, %s, %s)
on conflict (user_id) do update set since = excluded.since, until = excluded.until
"""
EVENTS = "select value from store where user_id = %(user_id)s and prefix = %(prefix)s"
SERIES = f"{EVENTS} and value->>'recurrence' is not null"
FORGET = "delete from occurrences where user_id = %s and source = %s and item = any(%s)"
FORGET_PAST = "delete from occurrences where user_id = %s and source = %s and series and ends_at <= %s"
KEEP = """
insert into occurrences (user_id, source, item, title, during, whole_day, busy, series)
select %(user_id)s, %(source)s, %(item)s, %(title)s, during, %(whole_day)s, %(busy)s, %(series)s
from unnest(%(during)s::tstzrange[]) during
on conflict do nothing
"""


@dataclass(frozen=True)
class OccurrenceWindow:
    """The window of materialised occurrences: days around now, and the maximum per series."""

    days_back: int = 100
    days_ahead: int = DAYS_AHEAD
    per_series: int = PER_SERIES

    def around(self, now: datetime) -> OccurrenceSpan:
        """The window as it is now, from midnight to midnight UTC."""
        today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        return OccurrenceSpan(today - timedelta(days=self.days_back), today + timedelta(days=self.days_ahead))


@dataclass(frozen=True)
class Item:
    """Something that takes place: an event of one's own, or of the imported calendar ``source``.

    ``item`` names it within its source, and ``series`` says whether it repeats.
    """

    item: str
    title: str
    spans: Sequence[OccurrenceSpan]
    source: str = OWN_SOURCE
    whole_day: bool = False
    busy: bool = True
    series: bool = False


class Occurrences:
    """Derives occurrences from events."""

    kinds: ClassVar[frozenset[Kind]] = frozenset({"event"})

    def __init__(self, window: OccurrenceWindow = OccurrenceWindow()) -> None:
        self.window = window

    async def derive(self, conn: Connection, user_id: UUID, touched: Sequence[Touched]) -> None:
        """Take out what touched events had, and put in what they have now."""
        window = await self.covered_span(conn, user_id)
        await forget(conn, user_id, [one.record_id for one in touched])
        await keep(conn, user_id, [self._item(one.record, window) for one in touched if one.record])

    async def covered_span(self, conn: Connection, user_id: UUID) -> OccurrenceSpan:
        """For which time the user's series are in the table; one that was never filled is filled now."""
        row = await (await conn.execute(WINDOW, (user_id,))).fetchone()
        if row is not None:
            return OccurrenceSpan(row["since"], row["until"])
        window = self.window.around(datetime.now(UTC))
        await self._fill(conn, user_id, EVENTS, window)
        await conn.execute(SET_WINDOW, (user_id, window.start, window.end))
        return window

    async def move_on(self, conn: Connection, user_id: UUID) -> None:
        """Put in what has come into the window since, and take out series' occurrences that left it."""
        covered, window = await self.covered_span(conn, user_id), self.window.around(datetime.now(UTC))
        await self._fill(conn, user_id, SERIES, OccurrenceSpan(covered.end, window.end))
        await conn.execute(FORGET_PAST, (user_id, OWN_SOURCE, window.start))
        await conn.execute(SET_WINDOW, (user_id, max(window.start, covered.start), window.end))

    async def _fill(self, conn: Connection, user_id: UUID, query: str, window: OccurrenceSpan) -> None:
        values = {"user_id": user_id, "prefix": f"event.{user_id}"}
        rows = await (await conn.execute(query.encode(), values)).fetchall()
        await keep(conn, user_id, [self._item(row["value"], window) for row in rows])

    def _item(self, record: dict[str, Any], window: OccurrenceSpan) -> Item:
        event = Event.model_validate(record)
        spans = [first_span(event)]
        if event.recurrence:
            spans = list(islice(occurrences(event, window.start, window.end), self.window.per_series))
        return Item(
            event.id,
            event.title,
            spans,
            whole_day=event.all_day,
            busy=event.busy,
            series=event.recurrence is not None,
        )


class OccurrenceKeeper:
    """Moves the windows of users on, each in a transaction of its own."""

    def __init__(self, database: Database, occurrences: Occurrences) -> None:
        self._database = database
        self._occurrences = occurrences

    async def move_on(self) -> int:
        """Bring every window that ends too early up to now; returns how many were."""
        moved = 0
        due = self._occurrences.window.around(datetime.now(UTC)).end - MOVE_AFTER
        while users := await self._due(due):
            for user_id in users:
                await self._move(user_id)
            moved += len(users)
        return moved

    async def _due(self, before: datetime) -> list[UUID]:
        async with self._database.system() as conn:
            rows = await conn.execute("select owner from windows_ending(%s, %s)", (before, USERS_AT_ONCE))
            return [row["owner"] for row in await rows.fetchall()]

    async def _move(self, user_id: UUID) -> None:
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOCK, (user_id,))
            await self._occurrences.move_on(conn, user_id)


async def forget(conn: Connection, user_id: UUID, items: Sequence[str], source: str = OWN_SOURCE) -> None:
    """Take out every occurrence of these items of one source."""
    await conn.execute(FORGET, (user_id, source, list(items)))


async def keep(conn: Connection, user_id: UUID, items: Iterable[Item]) -> None:
    """Put in the occurrences of items."""
    for item in items:
        values = {name: getattr(item, name) for name in ("source", "item", "title", "whole_day", "busy", "series")}
        during = [TimestamptzRange(span.start, span.end) for span in item.spans]
        await conn.execute(KEEP, {**values, "user_id": user_id, "during": during})
