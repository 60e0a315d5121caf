"""Calendars of elsewhere are read again when that is due: a look a minute, and a job for each."""

from __future__ import annotations

from uuid import UUID

from procrastinate import JobContext
from procrastinate.exceptions import AlreadyEnqueued

from app.calendars.model.calendars import CalendarKeeping
from app.database.job_context import SERVICES
from app.principal import Principal, acting_as

REFRESH = "summit:refresh_calendar"
MOST_AT_ONCE = 200


async def refresh_calendar(context: JobContext, *, user_id: str, calendar_id: str) -> None:
    """Read one calendar again, unless it was read meanwhile."""
    user = UUID(user_id)
    with acting_as(Principal(user)):
        await _keeper(context).refresh(user, UUID(calendar_id))


async def look_for_calendars(context: JobContext, timestamp: int) -> None:  # noqa: ARG001 - the schedule passes it
    """Put a job into the queue for each calendar that is due and has none waiting."""
    for user_id, calendar_id in await _keeper(context).due(MOST_AT_ONCE):
        job = context.app.configure_task(REFRESH, queueing_lock=queueing_lock(calendar_id))
        try:
            await job.defer_async(user_id=str(user_id), calendar_id=str(calendar_id))
        except AlreadyEnqueued:
            continue


def queueing_lock(calendar_id: UUID) -> str:
    """At most one job of a calendar waits."""
    return f"calendar:{calendar_id}"


def _keeper(context: JobContext) -> CalendarKeeping:
    keeper: CalendarKeeping = context.additional_context[SERVICES].calendars
    return keeper
