"""Notifications of a user, and what the user did about them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from app.database.database import Database
from app.database.model import Page
from app.database.paging import decode_latest, page
from app.records.model.notices import Notification, NotificationOutcome

COLUMNS = (
    "id, kind, record_kind, record_id, title, text, due_at, fired_at, late_seconds, event_seq, outcome, "
    "acknowledged_at, snoozed_until"
)
GET = f"select {COLUMNS} from notifications where user_id = %s and id = %s"  # noqa: S608
LATEST_NOTIFICATIONS = f"""
select {COLUMNS} from notifications
where user_id = %(user_id)s and (%(at)s::timestamptz is null or (fired_at, id) < (%(at)s, %(id)s))
  and (not %(open_only)s or outcome is null)
order by fired_at desc, id desc limit %(limit)s
"""  # noqa: S608
UNACKNOWLEDGED = f"""
select {COLUMNS} from notifications where user_id = %s and outcome is null and event_seq <= %s
order by event_seq desc limit %s
"""  # noqa: S608
MAILED = "update notifications set mailed_at = now() where user_id = %s and id = %s"
# What was done or snoozed stays so when a device acknowledges it later.
SETTLE = f"""
update notifications set
    outcome = case when %(outcome)s = 'acknowledged' then coalesce(outcome, 'acknowledged') else %(outcome)s end,
    acknowledged_at = coalesce(acknowledged_at, now()), snoozed_until = coalesce(%(until)s, snoozed_until)
where user_id = %(user_id)s and id = %(id)s returning {COLUMNS}
"""  # noqa: S608


class Notifications:
    """A user's notifications."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list(self, user_id: UUID, limit: int, cursor: str | None, *, open_only: bool = False) -> Page:
        """The latest first."""
        at, last = decode_latest(cursor)
        values = {"user_id": user_id, "at": at, "id": last, "limit": limit + 1, "open_only": open_only}
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(LATEST_NOTIFICATIONS, values)).fetchall()
        return page([Notification(**row) for row in rows], limit, lambda one: (one.fired_at.isoformat(), one.id))

    async def get(self, user_id: UUID, notification_id: UUID) -> Notification | None:
        """One notification."""
        return await self._one(user_id, GET, (user_id, notification_id))

    async def list_unacknowledged(self, user_id: UUID, up_to: int, most: int) -> Sequence[Notification]:
        """The latest ones nobody acknowledged, of events up to ``up_to``; oldest first."""
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(UNACKNOWLEDGED, (user_id, up_to, most))).fetchall()
        return [Notification(**row) for row in reversed(rows)]

    async def get_unmailed(self, user_id: UUID, notification_id: UUID) -> Notification | None:
        """One notification, unless it was mailed."""
        return await self._one(user_id, f"{GET} and mailed_at is null", (user_id, notification_id))

    async def mark_mailed(self, user_id: UUID, notification_id: UUID) -> None:
        """It was handed to the mail server."""
        async with self._database.one_statement(user_id) as conn:
            await conn.execute(MAILED, (user_id, notification_id))

    async def settle(
        self,
        user_id: UUID,
        notification_id: UUID,
        outcome: NotificationOutcome,
        snoozed_until: datetime | None = None,
    ) -> Notification | None:
        """Write down what the user did about it; the row as it is then."""
        values = {"user_id": user_id, "id": notification_id, "outcome": outcome, "until": snoozed_until}
        return await self._one(user_id, SETTLE, values)

    async def _one(self, user_id: UUID, query: str, values: Any) -> Notification | None:
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(query, values)).fetchone()
        return Notification(**row) if row else None
