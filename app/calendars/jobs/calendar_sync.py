"""Calendars of elsewhere are kept in step on a queue of their own: one job a calendar at a time, a look every 2 s."""

from __future__ import annotations

from uuid import UUID

from procrastinate import Blueprint, JobContext, RetryStrategy
from procrastinate.exceptions import AlreadyEnqueued

from app.calendars.model.synced import CalendarSyncing
from app.database.job_context import CALENDARS_IN_STEP, SERVICES
from app.database.job_retries import TakenUpAgain
from app.principal import Principal, acting_as

SYNC = "sync_calendar"
LOOK = "look_for_calendars_to_sync"
AT_ONCE = 200


def add_calendar_sync(made: Blueprint) -> None:
    """The tasks of this module and their schedule."""
    made.task(name=SYNC, queue=CALENDARS_IN_STEP, pass_context=True, retry=TakenUpAgain())(sync_calendar)
    again = RetryStrategy(max_attempts=3, wait=1)
    look = made.task(name=LOOK, queueing_lock=LOOK, pass_context=True, retry=again)(look_for_calendars_to_sync)
    made.periodic(cron="* * * * * */2")(look)  # the sixth field is the seconds


async def sync_calendar(context: JobContext, *, user_id: str, calendar_id: str) -> None:
    """Carry over what changed on either side."""
    user = UUID(user_id)
    with acting_as(Principal(user)):
        await _syncing(context).sync(user, UUID(calendar_id))


async def look_for_calendars_to_sync(context: JobContext, timestamp: int) -> None:  # noqa: ARG001 - the schedule passes it
    """Put a job into the queue for each calendar that is to be looked at and has none waiting."""
    for user_id, calendar_id in await _syncing(context).due(AT_ONCE):
        name = f"calendar_sync:{calendar_id}"
        job = context.app.configure_task(f"summit:{SYNC}", queueing_lock=name, lock=name)
        try:
            await job.defer_async(user_id=str(user_id), calendar_id=str(calendar_id))
        except AlreadyEnqueued:
            continue


def _syncing(context: JobContext) -> CalendarSyncing:
    syncing: CalendarSyncing = context.additional_context[SERVICES].calendar_sync
    return syncing
