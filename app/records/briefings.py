"""Read a user's day from the records for a briefing."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from agents.conventions import conventions_from
from agents.dates_in_words import telling_times
from agents.records import ToDo
from agents.rendering.day_summary import say_day_ahead
from app.http.accounts.store.users import Users
from app.records.model.records import RecordReader
from app.records.store.day_view import Days

MAX_ITEMS = 200
OPEN_TASK_STATES = ("not started", "in progress")


class Briefings:
    """Puts a day into words; ``zone`` counts for users who have set none."""

    def __init__(self, records: RecordReader, days: Days, users: Users, zone: str) -> None:
        self._records = records
        self._days = days
        self._users = users
        self._zone = zone

    async def of_day(self, user_id: UUID, now: datetime) -> str:
        """The words for the day that ``now`` falls on where the user is."""
        user = await self._users.get(user_id)
        settings = user.settings if user else {}
        local = now.astimezone(ZoneInfo(settings.get("timezone") or self._zone))
        first = datetime.combine(local.date(), time(), local.tzinfo)
        last = datetime.combine(local.date() + timedelta(days=1), time(), local.tzinfo)
        happenings = await self._days.happenings(user_id, first, last, MAX_ITEMS)
        due = await self._due(user_id, last)
        with telling_times(conventions_from(settings.get("conventions")).clock):
            return say_day_ahead(happenings, due, local)

    async def _due(self, user_id: UUID, last: datetime) -> list[ToDo]:
        due: list[ToDo] = []
        for status in OPEN_TASK_STATES:
            wanted = {"status": status, "due_before": last.astimezone(UTC), "sort": "deadline"}
            due += (await self._records.list(user_id, "todo", wanted, MAX_ITEMS, None)).items
        return due
