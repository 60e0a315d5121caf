"""A note, an idea, a list or a question that is due is told of like a reminder: once, late or not, by its rhythm."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest

from agents.records import NoteCategory
from app.database.database import Database
from app.records.store.due_rows import DueRows
from app.records.store.ledger import PostgresLedger
from app.records.store.pending_reminders import schedule_held
from app.records.store.reminders import PostgresOutbox
from tests.integration.app.records.store.test_outbox import AT, LATER, expected, outbox_at, tell
from tests.support.ledgers import LISBON, PATIENCE, Desk, desk_at

DAY = timedelta(days=1)
FRIDAY = datetime(2026, 11, 20, 9, tzinfo=UTC)


@pytest.fixture
async def desk(database: Database) -> Desk:
    desk = await desk_at(database)
    ledger = PostgresLedger(database, patience=PATIENCE, derivers=[DueRows(LISBON)], on_held=schedule_held)
    return replace(desk, ledger=ledger)


@pytest.fixture
async def outbox(database: Database) -> PostgresOutbox:
    return outbox_at(database)


@pytest.mark.parametrize("category", get_args(NoteCategory))
async def test_it_is_told_once_at_its_time(desk: Desk, outbox: PostgresOutbox, category: NoteCategory) -> None:
    note = await desk.add("note", category=category, summary="paint the shed", deadline=AT.isoformat())
    assert await tell(outbox, desk.user, AT - timedelta(seconds=1)) == []
    (told,) = await tell(outbox, desk.user, AT)
    assert (told.text, told.record_kind, told.record_id) == ("Reminder: “paint the shed”.", "note", note.record_id)
    assert await tell(outbox, desk.user, AT + 9 * DAY) == []
    await desk.do("update", "note", note.record_id, content="in green")
    assert await tell(outbox, desk.user, AT + 9 * DAY) == []


async def test_it_says_how_late_it_is(desk: Desk, outbox: PostgresOutbox) -> None:
    await desk.add("note", content="paint the shed", deadline=AT.isoformat())
    (told,) = await tell(outbox, desk.user, LATER)
    assert told.text == "Reminder: “paint the shed”, 14 minutes late. It was due today at 10:30."
    assert told.late_seconds == 14 * 60


@pytest.mark.parametrize(
    ("now", "text"),
    [
        (FRIDAY, "Reminder: “paint the shed” is due today."),
        (FRIDAY + timedelta(hours=14), "Reminder: “paint the shed” is due today."),
        (FRIDAY + DAY, "Reminder: “paint the shed” was due yesterday."),
    ],
)
async def test_what_is_due_on_a_day_is_told_in_its_morning(
    database: Database, desk: Desk, outbox: PostgresOutbox, now: datetime, text: str
) -> None:
    await desk.add("note", content="paint the shed", deadline="2026-11-20")
    assert await expected(database, desk.user) == [FRIDAY]
    assert [told.text for told in await tell(outbox, desk.user, now)] == [text]


async def test_what_is_due_on_a_day_waits_for_the_end_of_quiet_hours(desk: Desk, outbox: PostgresOutbox) -> None:
    await desk.add("instruction", text="quiet hours from 8 to 10")
    await desk.add("note", content="paint the shed", deadline="2026-11-20")
    await desk.add("note", content="call the painter", deadline=FRIDAY.isoformat())
    assert [told.title for told in await tell(outbox, desk.user, FRIDAY)] == ["call the painter"]
    assert [told.title for told in await tell(outbox, desk.user, FRIDAY + timedelta(hours=1))] == ["paint the shed"]


async def test_a_repeating_one_is_told_each_time_and_done_for_one_time_only(
    database: Database, desk: Desk, outbox: PostgresOutbox
) -> None:
    note = await desk.add("note", content="water the plants", deadline="2026-11-20", recurrence="weekly")
    assert len(await tell(outbox, desk.user, FRIDAY)) == 1
    assert await expected(database, desk.user) == [FRIDAY + 7 * DAY]
    (late,) = await tell(outbox, desk.user, FRIDAY + 15 * DAY)
    assert late.text == "Reminder: “water the plants” was due yesterday (1 earlier round passed while I was away)."
    assert await expected(database, desk.user) == [FRIDAY + 21 * DAY]
    done = await desk.do("complete", "note", note.record_id)
    assert (done.status, done.fields) == ("applied", {"deadline": "2026-11-27"})  # the ledger's clock is the 18th
    assert (await desk.record(note) or {})["status"] == "active"


async def test_its_row_follows_every_change(database: Database, desk: Desk) -> None:
    note = (await desk.add("note", content="paint the shed")).record_id
    assert await expected(database, desk.user) == []
    await desk.do("update", "note", note, deadline=AT.isoformat())
    assert await expected(database, desk.user) == [AT]
    await desk.do("update", "note", note, snooze_until="2026-11-20")
    assert await expected(database, desk.user) == [FRIDAY]
    archived = await desk.do("archive", "note", note)
    assert await expected(database, desk.user) == []
    await desk.undo(archived)
    assert await expected(database, desk.user) == [FRIDAY]
    await desk.do("delete", "note", note)
    assert await expected(database, desk.user) == []


async def test_a_rhythm_without_a_day_begins_after_today(database: Database, desk: Desk) -> None:
    note = await desk.add("note", content="water the plants", recurrence="daily")
    assert note.fields["recurrence"] == "FREQ=DAILY"
    assert (note.fields["deadline"], note.fields["zone"]) == ("2026-11-19", LISBON)
    other = await desk.add("note", content="stretch")
    changed = await desk.do("update", "note", other.record_id, recurrence="weekdays")
    assert changed.fields == {"recurrence": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "deadline": "2026-11-19"}
    assert await expected(database, desk.user) == [FRIDAY - DAY, FRIDAY - DAY]


@pytest.mark.parametrize("day", [{}, {"deadline": "2026-11-20"}])
async def test_a_rule_that_cannot_happen_is_refused(desk: Desk, day: dict[str, str]) -> None:
    refused = await desk.do("create", "note", content="x", recurrence="FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", **day)
    assert (refused.status, refused.error) == ("failed", "recurrence: this recurrence never happens")


async def test_one_that_waits_for_a_yes_is_told_all_the_same(desk: Desk, outbox: PostgresOutbox) -> None:
    await desk.hold("create", "note", content="paint the shed", deadline=AT.isoformat())
    (told,) = await tell(outbox, desk.user, AT)
    assert told.text == "Reminder: “paint the shed”. It still needs your confirmation."


async def test_a_note_kept_before_notes_had_a_due_day_is_like_it_was(database: Database, desk: Desk) -> None:
    note = await desk.add("note", content="paint the shed")
    new = ("priority", "deadline", "zone", "recurrence")
    async with database.tenant(desk.user) as conn:  # as an older version has stored it
        await conn.execute("update store set value = value - %s::text[]", (list(new),))
    same = await desk.do("update", "note", note.record_id, content="paint the shed")
    assert (same.status, same.error) == ("failed", "“paint the shed” is like that already")
    assert [undone.status for undone in await desk.undo(note)] == ["applied"]
