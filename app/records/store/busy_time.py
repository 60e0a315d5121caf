"""Busy time read back: from the table of occurrences, and from the series themselves where the table ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from agents.contract import Imported, LookAhead
from agents.conventions import Conventions, conventions_from
from agents.ledger.conflicts import MOST_CONFLICTS, BusyCalendar, BusySlot, Pair, busy_slots, changed_event_ids
from agents.ledger.free_slots import merge_spans
from agents.ports import Batch
from agents.records import Event
from agents.recurrence.expand import OccurrenceSpan
from app.database.database import Connection, Database
from app.records.model.busy import Occurrence
from app.records.store.occurrences import SERIES, WINDOW, Occurrences

# What may clash: each item once, at the first of the times at which it stands in the way.
CLASHING = """
select * from (
    select distinct on (o.source, o.item) o.source, o.item, o.title, o.starts_at, o.ends_at, o.whole_day,
                                                c.name as calendar
    from unnest(%(since)s::timestamptz[], %(until)s::timestamptz[]) as wanted (since, until)
    cross join lateral occurrences_between(%(user_id)s, wanted.since, wanted.until) o
    left join calendars c on c.user_id = %(user_id)s and c.id::text = o.source
    where o.busy and not (o.source = 'own' and o.item = any(%(but)s))
    order by o.source, o.item, o.starts_at) as first
order by starts_at, title, item limit %(most)s
"""
SELECT_BUSY_SPANS = """
select lower(span) as since, upper(span) as until from (
    select unnest(range_agg(o.during)) as span
    from unnest(%(since)s::timestamptz[], %(until)s::timestamptz[]) as wanted (since, until)
    cross join lateral occurrences_between(%(user_id)s, wanted.since, wanted.until) o
    where o.busy and not (o.source = 'own' and o.item = any(%(but)s))) as merged
"""

OCCURRING = """
select o.item, o.title, c.name as calendar, o.starts_at as start, o.ends_at as end, o.whole_day, o.busy
from occurrences_between(%(user_id)s, %(since)s, %(until)s) o
left join calendars c on c.user_id = %(user_id)s and c.id::text = o.source
order by o.starts_at, o.title, o.item limit %(most)s
"""
IMPORTED = """
select o.source || ':' || o.item as item, o.title, c.name as calendar, o.starts_at as start, o.ends_at as end,
       o.whole_day, o.busy
from occurrences_between(%(user_id)s, %(since)s, %(until)s) o
join calendars c on c.user_id = %(user_id)s and c.id::text = o.source
order by o.starts_at, o.item limit %(most)s
"""
CONVENTIONS = "select settings->'conventions' as conventions from users where user_id = %s"


async def imported_between(conn: Connection, user_id: UUID, look: LookAhead, most: int) -> list[Imported]:
    """The first appointments of imported calendars that take place then, earliest first."""
    values = {"user_id": user_id, "since": look.since, "until": look.until, "most": most}
    return [Imported.model_validate(row) for row in await (await conn.execute(IMPORTED, values)).fetchall()]


async def open_busy_calendar(
    conn: Connection, batch: Batch, changed: Sequence[Pair], kept: Occurrences
) -> BusyCalendar:
    """The calendar in which the events of a batch settle."""
    window, calendar = kept.window, Calendar(conn, UUID(batch.user_id), changed_event_ids(changed))
    conventions = batch.conventions or await _stored_conventions(conn, calendar.user_id)
    busy = BusyCalendar(batch.at, batch.timezone, conventions, window.days_ahead, window.per_series)
    calendar.covered = await kept.covered_span(conn, calendar.user_id)
    found: set[BusySlot] = set()
    for pair in changed:
        found.update(await calendar.clashing(busy.new_busy_spans(*pair)))
    busy.taken = await calendar.busy_spans(busy.hold(changed, found))
    return busy


async def _stored_conventions(conn: Connection, user_id: UUID) -> Conventions:
    row = await (await conn.execute(CONVENTIONS, (user_id,))).fetchone()
    return conventions_from(row["conventions"] if row else None)


@dataclass
class Calendar:
    """One user's busy time, without that of the own events ``but``.

    Outside ``covered``, the time for which series are in the table, they are worked out here and now.
    """

    conn: Connection
    user_id: UUID
    but: Sequence[str] = ()
    covered: OccurrenceSpan | None = None

    async def clashing(self, wanted: Sequence[OccurrenceSpan]) -> list[BusySlot]:
        """What overlaps these spans, each item once."""
        rows = await self._rows(CLASHING, wanted)
        found = [
            BusySlot(
                OccurrenceSpan(row["starts_at"], row["ends_at"]),
                row["item"],
                row["title"],
                row["source"],
                row["calendar"],
                row["whole_day"],
            )
            for row in rows
        ]
        return [*found, *await self._beyond(wanted)]

    async def busy_spans(self, wanted: Sequence[OccurrenceSpan]) -> list[OccurrenceSpan]:
        """The busy time that overlaps these spans, merged."""
        rows = await self._rows(SELECT_BUSY_SPANS, wanted)
        beyond = [slot.span for slot in await self._beyond(wanted)]
        return merge_spans([*(OccurrenceSpan(row["since"], row["until"]) for row in rows), *beyond])

    async def _rows(self, query: str, wanted: Sequence[OccurrenceSpan]) -> list[dict[str, Any]]:
        if not wanted:
            return []
        spans = {"since": [span.start for span in wanted], "until": [span.end for span in wanted]}
        values = {**spans, "user_id": self.user_id, "but": list(self.but), "most": MOST_CONFLICTS}
        return await (await self.conn.execute(query.encode(), values)).fetchall()

    async def _beyond(self, wanted: Sequence[OccurrenceSpan]) -> list[BusySlot]:
        beyond = [span for span in wanted if not self._covers(span)]
        if not beyond:
            return []
        values = {"user_id": self.user_id, "prefix": f"event.{self.user_id}"}
        rows = await (await self.conn.execute(SERIES.encode(), values)).fetchall()
        series = [Event.model_validate(row["value"]) for row in rows]
        return busy_slots([event for event in series if event.id not in self.but], beyond)

    def _covers(self, span: OccurrenceSpan) -> bool:
        return self.covered is not None and self.covered.start <= span.start and span.end <= self.covered.end


class BusyReader:
    """Busy time for the doors."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def occurring(self, user_id: UUID, within: OccurrenceSpan, most: int) -> list[Occurrence]:
        """What takes place within a time, earliest first, ``most`` times."""
        values = {"user_id": user_id, "since": within.start, "until": within.end, "most": most}
        async with self._database.one_statement(user_id) as conn:
            return [Occurrence(**row) for row in await (await conn.execute(OCCURRING, values)).fetchall()]

    async def busy_spans(self, user_id: UUID, within: OccurrenceSpan) -> list[OccurrenceSpan]:
        """The busy spans that overlap ``within``, merged and earliest first."""
        async with self._database.tenant(user_id) as conn:
            row = await (await conn.execute(WINDOW, (user_id,))).fetchone()
            covered = OccurrenceSpan(row["since"], row["until"]) if row else None
            return await Calendar(conn, user_id, covered=covered).busy_spans([within])
