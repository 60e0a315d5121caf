"""What takes place on a day: the user's own appointments and those of imported calendars, repetitions included."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from agents.rendering.day_summary import Happening
from app.database.database import Database
from app.records.store.occurrences import LOCK, Occurrences

SELECT_BETWEEN = """
select title, starts_at, whole_day from occurrences_between(%s, %s, %s)
order by not whole_day, starts_at, title limit %s
"""


class Days:
    """What takes place on a day."""

    def __init__(self, database: Database, occurrences: Occurrences) -> None:
        self._database = database
        self._occurrences = occurrences

    async def happenings(self, user_id: UUID, since: datetime, until: datetime, most: int) -> list[Happening]:
        """Appointments of any calendar that overlap a stretch of time, whole days first, by the clock of ``since``."""
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOCK, (user_id,))
            await self._occurrences.covered_span(conn, user_id)
            rows = await (await conn.execute(SELECT_BETWEEN, (user_id, since, until, most))).fetchall()
        return [Happening(row["title"], row["starts_at"].astimezone(since.tzinfo), row["whole_day"]) for row in rows]
