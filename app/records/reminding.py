"""Tells due reminders, by the second: looks for what comes due, sleeps until then, and catches up after any outage."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from uuid import UUID

from app.counters import count_reminders
from app.records.model.notices import Outbox

log = logging.getLogger(__name__)

MOST_USERS = 200
MOST_AT_ONCE = 50
Clock = Callable[[], datetime]
Brief = Callable[[UUID, datetime], Awaitable[str]]


def utc_now() -> datetime:
    """The clock of this machine."""
    return datetime.now(UTC)


class ReminderLoop:
    """Any number of processes may run this: the outbox leases each reminder to one, and tells it once.

    ``brief`` gives the words of a user's day; ``look_seconds`` is the longest pause between two looks.
    """

    def __init__(self, outbox: Outbox, brief: Brief, *, look_seconds: float, clock: Clock = utc_now) -> None:
        self._outbox = outbox
        self._brief = brief
        self._look = timedelta(seconds=look_seconds)
        self._clock = clock

    async def run(self) -> None:
        """Go on until cancelled, also beyond a restart of the database."""
        while True:
            try:
                pause = await self.look()
            except Exception as error:  # noqa: BLE001 - whatever it was, reminders must go on
                log.warning("could not look for reminders (%s), trying again", type(error).__name__)
                pause = self._look
            await asyncio.sleep(pause.total_seconds())

    async def look(self) -> timedelta:
        """Tell what is due; returns how long nothing will be, at most one pause."""
        now = self._clock()
        found = await self._outbox.due(now + self._look, MOST_USERS)
        told = [await self._tell_safely(user_id, now) for user_id, at in found if at <= now]
        if any(told):
            return timedelta()  # what comes next for these users stands behind what was just told
        coming = min((at for _, at in found if at > now), default=now + self._look)
        return min(max(coming - self._clock(), timedelta()), self._look)  # also when the clock was set back

    async def _tell_safely(self, user_id: UUID, now: datetime) -> bool:
        """Deliver one user's reminders and return whether any fired; an error must not stop those of other users."""
        try:
            return await self._tell(user_id, now)
        except Exception:
            log.exception("could not tell the reminders of a user, trying again")
            return False

    async def _tell(self, user_id: UUID, now: datetime) -> bool:
        told = False
        while claimed := await self._outbox.claim(user_id, now, MOST_AT_ONCE):
            day = "" if all(one.stated for one in claimed) else await self._brief(user_id, now)
            for notification in await self._outbox.deliver(user_id, claimed, now, day):
                count_reminders(notification.late_seconds)
                told = True
        return told
