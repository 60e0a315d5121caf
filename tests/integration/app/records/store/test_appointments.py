"""Reminders before appointments that were there before the instruction, and before those of imported calendars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from app.calendars.model.calendars import BusyTime, CalendarContents
from app.calendars.store.calendars import PostgresCalendars
from app.database.database import Database
from app.records.model.notices import Notification
from app.records.store.appointments import Appointments
from app.records.store.derived import Deriver
from app.records.store.due_rows import DueRows
from app.records.store.ledger import PostgresLedger
from app.records.store.reminders import PostgresOutbox
from tests.support.ledgers import LISBON, NOW, Desk, desk_at
from tests.support.waiting import HANG_SECONDS

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
HALF = HOUR / 2


async def no_job(*_: Any) -> None:
    """Nothing is deferred."""


def rule(**values: Any) -> dict[str, Any]:
    said = {"rule": "default", "kind": "event", "field": "remind_before", "value": 30, **values}
    return {"text": "always remind me before meetings", "policy": {"rules": [said]}}


def contents(*times: tuple[str, str, datetime], **values: Any) -> CalendarContents:
    """A calendar of appointments of an hour: (id, title, start)."""
    defaults: dict[str, Any] = {"whole_day": False, "busy": True}
    busy = [BusyTime(uid, title, start, start + HOUR, **{**defaults, **values}) for uid, title, start in times]
    return CalendarContents(
        name="Work",
        events=len(times),
        busy=busy,
        warnings=[],
        refresh_seconds=3600,
        read_until=NOW + 400 * DAY,
        content=b"x",
        digest=b"1",
    )


@dataclass
class Office:
    """A desk with imported calendars and reminders, in a time of its own."""

    database: Database
    now: datetime = NOW
    calendar: UUID = field(default_factory=uuid4)
    desk: Desk = field(init=False)

    async def open(self) -> Office:
        appointments = Appointments(lambda: self.now)
        derivers: list[Deriver] = [DueRows(LISBON), appointments]
        self.desk = replace(await desk_at(self.database), ledger=PostgresLedger(self.database, derivers=derivers))
        self.calendars = PostgresCalendars(self.database, 3, no_job, appointments)
        self.outbox = PostgresOutbox(
            self.database, lambda _: None, zone=LISBON, lease_seconds=HANG_SECONDS, appointments=appointments
        )
        return self

    async def imports(self, *times: tuple[str, str, datetime], **values: Any) -> None:
        await self.calendars.add_file(
            self.desk.user, self.calendar, "Work", contents(*times, **values), next_refresh=self.now
        )

    async def rereads(self, *times: tuple[str, str, datetime]) -> None:
        await self.calendars.keep(self.desk.user, self.calendar, contents(*times), self.now)

    async def expected(self) -> list[datetime]:
        async with self.database.tenant(self.desk.user) as conn:
            rows = await conn.execute("select due_at from reminders where state = 'pending' order by due_at")
            return [row["due_at"] for row in await rows.fetchall()]

    async def told(self, now: datetime) -> Sequence[Notification]:
        self.now = now
        claimed = await self.outbox.claim(self.desk.user, now, 50)
        return await self.outbox.deliver(self.desk.user, claimed, now)


@pytest.fixture
async def office(database: Database) -> Office:
    return await Office(database).open()


async def test_an_instruction_is_about_the_events_that_are_there_already(office: Office) -> None:
    desk = office.desk
    await desk.add("event", title="over", start=(NOW - HOUR).isoformat())
    await desk.add("event", title="soon", start=(NOW + HALF / 2).isoformat())
    await desk.add("event", title="dentist", start=(NOW + 3 * HOUR).isoformat())
    await desk.add("event", title="standup", start=(NOW - 20 * DAY).isoformat(), zone=LISBON, recurrence="FREQ=DAILY")
    await desk.add("event", title="holiday", start=(NOW + DAY).date().isoformat())
    assert await office.expected() == []
    asked = await desk.add("instruction", **rule())
    assert await office.expected() == [NOW + 3 * HOUR - HALF, NOW + DAY - HALF]
    (told,) = await office.told(NOW + 3 * HOUR - HALF)
    assert told.text == "Reminder: “dentist” begins in 30 minutes, today at 12:30."
    assert await office.told(NOW + 3 * HOUR) == []
    gone = await desk.do("delete", "instruction", asked.record_id)
    assert await office.expected() == []
    await desk.undo(gone)
    assert await office.expected() == [NOW + DAY - HALF]


async def test_another_length_counts_from_then_on(office: Office) -> None:
    await office.desk.add("event", title="dentist", start=(NOW + 3 * HOUR).isoformat())
    asked = await office.desk.add("instruction", **rule())
    await office.desk.do("update", "instruction", asked.record_id, **rule(value=60))
    assert await office.expected() == [NOW + 2 * HOUR]


async def test_imported_appointments_are_told_once_each_round(office: Office) -> None:
    start = NOW + 2 * HOUR
    await office.desk.add("instruction", **rule(about=["meeting"]))
    rounds = [("1", "team meeting", start + n * DAY) for n in range(3)]
    await office.imports(*rounds, ("2", "lunch", start))
    assert await office.expected() == [start - HALF]
    (told,) = await office.told(start - HALF)
    assert told.text == "Reminder: “team meeting” begins in 30 minutes, today at 11:30."
    assert (told.record_kind, told.record_id) == ("imported", f"{office.calendar}:1")
    await office.rereads(*rounds)
    assert await office.told(start - HALF) == []
    assert await office.expected() == [start + DAY - HALF]
    (late,) = await office.told(start + DAY - HALF / 2)
    assert late.text == "Reminder: “team meeting” begins in 15 minutes, today at 11:30 (15 minutes late)."


async def test_what_moves_or_goes_in_its_calendar_reminds_accordingly(office: Office) -> None:
    start = NOW + 2 * HOUR
    await office.imports(("1", "meeting", start))
    await office.desk.add("instruction", **rule())
    await office.rereads(("1", "meeting", start + HOUR))
    assert await office.expected() == [start + HOUR - HALF]
    await office.calendars.delete(office.desk.user, office.calendar)
    assert await office.expected() == []


async def test_one_that_was_not_told_in_time_is_told_though_its_calendar_was_read_before(office: Office) -> None:
    start = NOW + 2 * HOUR
    await office.desk.add("instruction", **rule())
    rounds = [("1", "meeting", start), ("1", "meeting", start + DAY)]
    await office.imports(*rounds)
    office.now = start - HALF / 3
    await office.rereads(*rounds)
    (late,) = await office.told(office.now)
    assert late.text == "Reminder: “meeting” begins in 10 minutes, today at 11:30 (20 minutes late)."
    assert await office.expected() == [start + DAY - HALF]


async def test_one_that_was_cancelled_after_its_time_is_not_told(office: Office) -> None:
    start = NOW + 2 * HOUR
    await office.desk.add("instruction", **rule())
    await office.imports(("1", "meeting", start))
    office.now = start - HALF / 3
    await office.rereads()
    assert await office.told(office.now) == []


async def test_far_ones_come_into_view_as_their_calendar_is_looked_at(office: Office) -> None:
    await office.desk.add("instruction", **rule())
    await office.imports(("1", "meeting", NOW + 40 * DAY))
    assert await office.expected() == []
    office.now = NOW + 10 * DAY
    await office.calendars.mark_unchanged(office.desk.user, office.calendar, office.now + DAY)
    assert await office.expected() == [NOW + 40 * DAY - HALF]


async def test_whole_days_and_calendars_without_an_instruction_remind_nobody(office: Office) -> None:
    await office.imports(("1", "meeting", NOW + 2 * HOUR))
    assert await office.expected() == []
    await office.desk.add("instruction", **rule())
    await office.rereads()
    await office.imports(("2", "holiday", NOW + DAY), whole_day=True)
    assert await office.expected() == []
