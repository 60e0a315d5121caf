"""A reminder that waits for a yes is told at its time all the same, once, whatever becomes of the question."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from agents.contract import Change
from app.database.database import Database
from app.records.store.due_rows import DueRows
from app.records.store.ledger import PostgresLedger
from app.records.store.pending_reminders import schedule_held
from app.records.store.reminders import PostgresOutbox
from tests.integration.app.records.store.test_outbox import AT, LATER, expected, outbox_at, tell
from tests.support.ledgers import LISBON, PATIENCE, Desk, desk_at

GONE = timedelta(microseconds=1)


async def careful_desk(database: Database, patience: timedelta = PATIENCE) -> Desk:
    """A new user at a ledger that keeps the outbox, of what is held as well."""
    desk = await desk_at(database)
    ledger = PostgresLedger(database, patience=patience, derivers=[DueRows(LISBON)], on_held=schedule_held)
    return replace(desk, ledger=ledger)


async def held(desk: Desk) -> Change:
    return await desk.hold("create", task="take the bread out", kind="todo", remind_at=AT.isoformat())


@pytest.fixture
async def desk(database: Database) -> Desk:
    return await careful_desk(database)


@pytest.fixture
async def outbox(database: Database) -> PostgresOutbox:
    return outbox_at(database)


async def test_it_is_told_at_its_time_and_says_that_it_waits(
    database: Database, desk: Desk, outbox: PostgresOutbox
) -> None:
    await held(desk)
    assert await expected(database, desk.user) == [AT]
    (told,) = await tell(outbox, desk.user, AT)
    assert told.text == "Reminder: “take the bread out”. It still needs your confirmation."
    assert await expected(database, desk.user) == []
    assert await tell(outbox, desk.user, LATER) == []


async def test_a_yes_in_time_makes_it_a_reminder_like_any_other(
    database: Database, desk: Desk, outbox: PostgresOutbox
) -> None:
    await desk.answer(await held(desk))
    assert await expected(database, desk.user) == [AT]
    (told,) = await tell(outbox, desk.user, AT)
    assert told.text == "Reminder: “take the bread out”."


async def test_a_yes_after_its_time_does_not_tell_it_twice(
    database: Database, desk: Desk, outbox: PostgresOutbox
) -> None:
    waiting = await held(desk)
    assert len(await tell(outbox, desk.user, AT)) == 1
    (made,) = await desk.answer(waiting)
    assert made.status == "applied"
    assert await expected(database, desk.user) == []
    assert await tell(outbox, desk.user, LATER) == []


async def test_a_no_ends_it(database: Database, desk: Desk, outbox: PostgresOutbox) -> None:
    waiting = await held(desk)
    await desk.answer(waiting, yes=False)
    assert await expected(database, desk.user) == []
    assert await tell(outbox, desk.user, LATER) == []


async def test_nobody_said_yes_in_time(database: Database, outbox: PostgresOutbox) -> None:
    desk = await careful_desk(database, GONE)
    await held(desk)
    (told,) = await tell(outbox, desk.user, LATER)
    assert told.text == (
        "Reminder: “take the bread out”, 14 minutes late. It was due today at 10:30. "
        "Nobody said yes to it, so it is not among your tasks."
    )


async def test_what_was_confirmed_and_undone_is_told_to_nobody(
    database: Database, desk: Desk, outbox: PostgresOutbox
) -> None:
    (made,) = await desk.answer(await held(desk))
    await desk.undo(made)
    assert await expected(database, desk.user) == []
    assert await tell(outbox, desk.user, LATER) == []


async def test_other_held_changes_expect_nothing(database: Database, desk: Desk) -> None:
    await desk.hold("create", task="buy stamps")
    await desk.hold("create", "event", title="dentist", start="2026-11-20T15:00:00+00:00")
    assert await expected(database, desk.user) == []
