"""A timer that rang is no open task: it is archived with the notification, by a change that can be undone."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from agents.contract import Change, Proposal
from agents.timers import TIMER_TAG
from app.database.database import Database
from app.records.store.due_rows import DueRows
from app.records.store.ledger import PostgresLedger
from app.records.store.pending_reminders import schedule_held
from app.records.store.reminders import PostgresOutbox
from tests.integration.app.records.store.test_outbox import AT, expected, outbox_at, reminded_desk, tell
from tests.support.ledgers import LISBON, Desk


@pytest.fixture
async def desk(database: Database) -> Desk:
    return await reminded_desk(database)


@pytest.fixture
async def outbox(database: Database, desk: Desk) -> PostgresOutbox:
    assert isinstance(desk.ledger, PostgresLedger)
    return outbox_at(database, apply=desk.ledger.apply_within)


async def timer(desk: Desk, **fields: Any) -> Change:
    (made,) = await desk.apply(pasta_timer(fields))
    assert made.status == "applied", made.error
    return made


def pasta_timer(fields: dict[str, Any], **values: Any) -> Proposal:
    usual = {"task": "pasta", "kind": "reminder", "tags": [TIMER_TAG], "remind_at": AT.isoformat()}
    return Proposal(op="create", kind="todo", fields={**usual, **fields}, **values)


async def last_change(desk: Desk, change: Change) -> Change:
    assert isinstance(desk.ledger, PostgresLedger)
    found = await desk.ledger.last_of_record(str(desk.user), "todo", change.record_id or "")
    assert found is not None
    return found


async def status(desk: Desk, change: Change) -> str:
    record = await desk.record(change)
    assert record is not None
    return str(record["status"])


async def test_a_timer_that_rang_is_archived_and_says_why(desk: Desk, outbox: PostgresOutbox) -> None:
    pasta = await timer(desk)
    (told,) = await tell(outbox, desk.user, AT)
    assert told.text == "Reminder: “pasta”."
    assert await status(desk, pasta) == "archived"
    closed = await last_change(desk, pasta)
    assert (closed.op, closed.agent, closed.turn_id, closed.reason) == ("archive", "reminders", None, "it rang")
    assert closed.created_at == AT


async def test_what_is_to_be_done_stays_open(desk: Desk, outbox: PostgresOutbox) -> None:
    call = await timer(desk, tags=[])
    task = await timer(desk, kind="todo")
    series = await timer(desk, recurrence="FREQ=DAILY")
    assert len(await tell(outbox, desk.user, AT)) == 3
    assert [await status(desk, one) for one in (call, task, series)] == ["not started"] * 3


async def test_the_last_time_of_a_series_puts_it_away(desk: Desk, outbox: PostgresOutbox) -> None:
    series = await timer(desk, recurrence="FREQ=DAILY;COUNT=2")
    await tell(outbox, desk.user, AT)
    assert await status(desk, series) == "not started"
    await tell(outbox, desk.user, AT + timedelta(days=1))
    assert await status(desk, series) == "archived"


async def test_a_snooze_brings_it_back_until_it_rings_again(
    database: Database, desk: Desk, outbox: PostgresOutbox
) -> None:
    pasta = await timer(desk)
    await tell(outbox, desk.user, AT)
    again = AT + timedelta(minutes=5)
    late = replace(desk, at=AT + timedelta(minutes=1))
    snoozed = await late.do("update", record_id=pasta.record_id, snooze_until=again.isoformat())
    assert snoozed.fields["status"] == "not started"
    assert await expected(database, desk.user) == [again]
    assert len(await tell(outbox, desk.user, again)) == 1
    assert await status(desk, pasta) == "archived"


async def test_undoing_it_opens_the_timer_and_it_does_not_ring_again(
    database: Database, desk: Desk, outbox: PostgresOutbox
) -> None:
    pasta = await timer(desk)
    await tell(outbox, desk.user, AT)
    (undone,) = await replace(desk, at=AT + timedelta(minutes=1)).undo(await last_change(desk, pasta))
    assert undone.status == "applied"
    assert await status(desk, pasta) == "not started"
    assert await tell(outbox, desk.user, AT + timedelta(hours=1)) == []


async def test_several_that_ring_together_are_all_put_away(desk: Desk, outbox: PostgresOutbox) -> None:
    timers = [await timer(desk, task=f"egg {number}") for number in range(3)]
    assert len(await tell(outbox, desk.user, AT)) == 3
    assert [await status(desk, one) for one in timers] == ["archived"] * 3


async def test_one_that_waits_for_a_yes_is_no_task_to_put_away(
    database: Database, desk: Desk, outbox: PostgresOutbox
) -> None:
    careful = replace(desk, ledger=PostgresLedger(database, derivers=[DueRows(LISBON)], on_held=schedule_held))
    (held,) = await careful.apply(pasta_timer({}, hold="you want to be asked first"), turn=uuid4())
    (told,) = await tell(outbox, desk.user, AT)
    assert told.text == "Reminder: “pasta”. It still needs your confirmation."
    assert (await desk.again(held)).status == "needs_confirmation"
