"""Jobs that read calendars again when that is due, and keep those of accounts in step: a look, and a job for each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any
from uuid import UUID

from procrastinate import App, RetryStrategy
from psycopg import AsyncConnection

from app.calendars.keeper import CalendarKeeper
from app.calendars.sync import CalendarSync
from app.database.jobs import Job, Queue, TakenUpAgain, defer, defer_once

REFRESH, SYNC = "refresh_calendar", "sync_calendar"
DUE_AT_ONCE = 200
REFRESHING, SYNCING = Queue("calendars"), Queue("calendar_sync", at_once=2)


def calendar_jobs(queue: App, keeper: CalendarKeeper, sync: CalendarSync) -> Sequence[Job]:
    """Return the jobs of calendars; at most one job of a calendar waits."""

    async def look_for_calendars() -> None:
        for user_id, calendar_id in await keeper.due(DUE_AT_ONCE):
            await defer_once(queue, REFRESH, _waiting(calendar_id), user_id=user_id, calendar_id=calendar_id)

    async def look_for_calendars_to_sync() -> None:
        for user_id, calendar_id in await sync.due(DUE_AT_ONCE):
            key = f"calendar_sync:{calendar_id}"
            await defer_once(queue, SYNC, key, lock=key, user_id=user_id, calendar_id=calendar_id)

    again = partial(RetryStrategy, max_attempts=3)
    return [
        Job(REFRESH, keeper.refresh, again(wait=5), REFRESHING),
        Job("look_for_calendars", look_for_calendars, again(wait=5), every="* * * * *"),
        Job(SYNC, sync.sync, TakenUpAgain(), SYNCING),
        Job("look_for_calendars_to_sync", look_for_calendars_to_sync, again(wait=1), every="* * * * * */2"),
    ]


async def defer_refresh(queue: App, conn: AsyncConnection[Any], user_id: UUID, calendar_id: UUID) -> None:
    """Have a calendar read once ``conn`` commits."""
    await defer(queue, REFRESH, conn, queueing_lock=_waiting(calendar_id), user_id=user_id, calendar_id=calendar_id)


def _waiting(calendar_id: UUID) -> str:
    return f"calendar:{calendar_id}"
