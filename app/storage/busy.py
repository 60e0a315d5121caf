"""Busy time read back: from the table of occurrences, and from the series themselves where the table ends."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from agents.diary import Diary, Pair, Slot, slots_of
from agents.occurrences import Span
from agents.ports import Batch
from agents.records import Event
from app.storage.database import Connection
from app.storage.occurrences import SERIES, Occurrences

MOST_SLOTS = 5000
BETWEEN = """
select distinct o.source, o.item, o.title, o.starts_at, o.ends_at
from unnest(%(since)s::timestamptz[], %(until)s::timestamptz[]) as wanted (since, until)
cross join lateral occurrences_between(%(user_id)s, wanted.since, wanted.until) o
where o.busy order by o.starts_at limit %(most)s
"""


async def open_diary(conn: Connection, batch: Batch, changed: Sequence[Pair], kept: Occurrences) -> Diary | None:
    """The diary in which the events of a batch settle; None when it has none."""
    if not changed:
        return None
    user_id = UUID(batch.user_id)
    window = kept.window
    diary = Diary(batch.at, batch.timezone, batch.conventions, window.days_ahead, window.per_series)
    covered = await kept.covered(conn, user_id)
    wanted = sorted({span for pair in changed for span in diary.claimed(*pair)})
    diary.slots = await busy_slots(conn, user_id, wanted, covered)
    around = diary.windows(changed)
    diary.slots = list({*diary.slots, *await busy_slots(conn, user_id, around, covered)})
    return diary


async def busy_slots(conn: Connection, user_id: UUID, wanted: Sequence[Span], covered: Span | None) -> list[Slot]:
    """What overlaps any of these spans; outside ``covered``, for which series are in the table, they are expanded."""
    if not wanted:
        return []
    values = {"since": [span.start for span in wanted], "until": [span.end for span in wanted]}
    rows = await conn.execute(BETWEEN, {**values, "user_id": user_id, "most": MOST_SLOTS})
    found = [
        Slot(Span(row["starts_at"], row["ends_at"]), row["item"], row["title"], row["source"])
        for row in await rows.fetchall()
    ]
    beyond = [span for span in wanted if covered is None or span.start < covered.start or span.end > covered.end]
    return found if not beyond else list({*found, *await _expanded(conn, user_id, beyond)})


async def _expanded(conn: Connection, user_id: UUID, wanted: Sequence[Span]) -> list[Slot]:
    values = {"user_id": user_id, "prefix": f"event.{user_id}"}
    rows = await (await conn.execute(SERIES.encode(), values)).fetchall()
    return slots_of([Event.model_validate(row["value"]) for row in rows], wanted)
