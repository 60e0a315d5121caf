"""P7: reminders fire once, whoever dies or stands still on the way."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from agents.contract import Proposal
from app.database.database import Database
from app.http.accounts.store.users import Users
from app.records.model.notices import Notification
from app.records.store.due_rows import DueRows
from app.records.store.ledger import PostgresLedger
from app.records.store.notifications import Notifications
from app.records.store.reminders import PostgresOutbox
from tests.support.ledgers import LISBON, NOW, Desk, desk_at
from tests.support.waiting import HANG_SECONDS

AT = NOW + timedelta(hours=1)
LATER = AT + timedelta(minutes=14)


def outbox_at(database: Database, **values: Any) -> PostgresOutbox:
    return PostgresOutbox(database, lambda _: None, **{"zone": LISBON, "lease_seconds": HANG_SECONDS, **values})


async def reminded_desk(database: Database) -> Desk:
    """A new user at a ledger that keeps the outbox."""
    desk = await desk_at(database)
    return replace(desk, ledger=PostgresLedger(database, derivers=[DueRows(LISBON)]))


@pytest.fixture
async def desk(database: Database) -> Desk:
    return await reminded_desk(database)


@pytest.fixture
async def outbox(database: Database) -> PostgresOutbox:
    return outbox_at(database)


async def expected(database: Database, user: UUID) -> list[datetime]:
    async with database.tenant(user) as conn:
        rows = await conn.execute("select due_at from reminders where state = 'pending' order by due_at")
        return [row["due_at"] for row in await rows.fetchall()]


async def tell(outbox: PostgresOutbox, user: UUID, now: datetime, day: str = "") -> Sequence[Notification]:
    return await outbox.deliver(user, await outbox.claim(user, now, 50), now, day)


async def test_a_reminder_waits_from_the_commit_of_its_task(database: Database, desk: Desk) -> None:
    await desk.add(task="call mom", remind_at=AT.isoformat())
    assert await expected(database, desk.user) == [AT]


async def test_it_follows_every_change_of_its_task(database: Database, desk: Desk) -> None:
    added = await desk.add(task="call mom", remind_at=AT.isoformat())
    task = added.record_id
    await desk.do("update", record_id=task, remind_at=LATER.isoformat())
    assert await expected(database, desk.user) == [LATER]
    await desk.do("update", record_id=task, notes="she likes lilies")
    assert await expected(database, desk.user) == [LATER]
    done = await desk.do("complete", record_id=task)
    assert await expected(database, desk.user) == []
    await desk.undo(done)
    assert await expected(database, desk.user) == [LATER]
    await desk.do("update", record_id=task, snooze_until=(LATER + timedelta(days=1)).isoformat())
    assert await expected(database, desk.user) == [LATER + timedelta(days=1)]
    gone = await desk.do("delete", record_id=task)
    assert await expected(database, desk.user) == []
    await desk.undo(gone)
    assert await expected(database, desk.user) == [LATER + timedelta(days=1)]


async def test_a_message_that_arrives_after_its_time_still_reminds(database: Database, desk: Desk) -> None:
    offline = replace(desk, at=NOW - timedelta(hours=4))
    await offline.add(task="said offline, yesterday", remind_at=(NOW - timedelta(hours=3)).isoformat())
    assert await expected(database, desk.user) == [NOW - timedelta(hours=3)]


async def test_what_is_told_is_a_row_and_an_event_with_the_same_words(
    database: Database, desk: Desk, outbox: PostgresOutbox
) -> None:
    added = await desk.add(task="call mom", remind_at=AT.isoformat())
    (told,) = await tell(outbox, desk.user, LATER)
    assert told.text == "Reminder: “call mom”, 14 minutes late. It was due today at 10:30."
    assert (told.kind, told.record_id, told.due_at, told.late_seconds) == ("reminder", added.record_id, AT, 14 * 60)
    notifications = Notifications(database)
    assert await notifications.get(desk.user, told.id) == told
    assert (await notifications.list(desk.user, 10, None)).items == [told]
    async with database.tenant(desk.user) as conn:
        rows = await conn.execute("select seq, turn_id, data from turn_events where type = 'reminder.fired'")
        (event,) = await rows.fetchall()
    assert (event["seq"], event["turn_id"]) == (told.event_seq, None)
    assert (event["data"]["id"], event["data"]["text"]) == (str(told.id), told.text)
    assert await tell(outbox, desk.user, LATER + timedelta(days=9)) == []


async def test_nothing_is_told_before_its_time(desk: Desk, outbox: PostgresOutbox) -> None:
    await desk.add(task="call mom", remind_at=AT.isoformat())
    early = AT - timedelta(milliseconds=1)
    assert await outbox.due(early, 10) == []
    assert await outbox.claim(desk.user, early, 50) == []
    assert await outbox.due(AT, 10) == [(desk.user, AT)]


async def test_two_processes_at_once_tell_each_of_two_hundred_once(database: Database, desk: Desk) -> None:
    for number in range(200):
        await desk.add(task=f"task {number}", remind_at=(AT + timedelta(seconds=number)).isoformat())
    outboxes = [outbox_at(database) for _ in range(4)]

    async def work(outbox: PostgresOutbox) -> list[Notification]:
        told: list[Notification] = []
        while claimed := await outbox.claim(desk.user, LATER, 7):
            told += await outbox.deliver(desk.user, claimed, LATER)
        return told

    told = [one for share in await asyncio.gather(*map(work, outboxes)) for one in share]
    assert len({one.title for one in told}) == len(told) == 200
    assert len({one.event_seq for one in told}) == 200


async def let_leases_run_out(database: Database, desk: Desk) -> None:
    async with database.tenant(desk.user) as conn:
        await conn.execute("update reminders set lease_until = now() - interval '1 s' where lease_until is not null")


async def test_a_process_that_lost_its_lease_tells_nothing(database: Database, desk: Desk) -> None:
    await desk.add(task="call mom", remind_at=AT.isoformat())
    frozen, quick = outbox_at(database), outbox_at(database)
    held = await frozen.claim(desk.user, LATER, 50)
    assert await quick.claim(desk.user, LATER, 50) == []
    assert await quick.due(LATER, 10) == []
    await let_leases_run_out(database, desk)
    assert len(await tell(quick, desk.user, LATER)) == 1
    assert await frozen.deliver(desk.user, held, LATER) == []


async def test_a_lease_that_is_taken_over_before_it_is_told_is_void_for_the_first(
    database: Database, desk: Desk
) -> None:
    await desk.add(task="call mom", remind_at=AT.isoformat())
    frozen, quick = outbox_at(database), outbox_at(database)
    held = await frozen.claim(desk.user, LATER, 50)
    await let_leases_run_out(database, desk)
    taken = await quick.claim(desk.user, LATER, 50)
    assert await frozen.deliver(desk.user, held, LATER) == []
    assert len(await quick.deliver(desk.user, taken, LATER)) == 1


@pytest.mark.parametrize("change", [{"remind_at": (LATER + timedelta(days=1)).isoformat()}, {"status": "done"}])
async def test_what_was_moved_or_done_between_claim_and_telling_is_not_told(
    desk: Desk, outbox: PostgresOutbox, change: dict[str, Any]
) -> None:
    added = await desk.add(task="call mom", remind_at=AT.isoformat())
    held = await outbox.claim(desk.user, LATER, 50)
    changed = await desk.do("update", record_id=added.record_id, **change)
    assert changed.status == "applied"
    assert await outbox.deliver(desk.user, held, LATER) == []


async def test_an_edit_after_its_time_does_not_take_an_untold_reminder_away(
    database: Database, desk: Desk, outbox: PostgresOutbox
) -> None:
    earlier = replace(desk, at=NOW - timedelta(days=2))
    pills: dict[str, Any] = {
        "task": "take pills",
        "remind_at": (NOW - timedelta(days=1)).isoformat(),
        "recurrence": "FREQ=DAILY",
    }
    added = await earlier.add(**pills)
    async with database.tenant(desk.user) as conn:
        await conn.execute("delete from reminders")
        await conn.execute(
            "insert into reminders (user_id, kind, record_id, due_at, stated, fire_at) "
            "values (%(user)s, 'todo', %(record)s, %(at)s, true, %(at)s)",
            {"user": desk.user, "record": added.record_id, "at": NOW - timedelta(days=1)},
        )
    await desk.do("update", record_id=added.record_id, notes="with water")
    assert await expected(database, desk.user) == [NOW - timedelta(days=1)]


async def test_a_round_done_early_and_undone_late_still_reminds(database: Database, desk: Desk) -> None:
    earlier = replace(desk, at=NOW - timedelta(hours=2))
    pills: dict[str, Any] = {
        "task": "take pills",
        "remind_at": (NOW - timedelta(hours=1)).isoformat(),
        "recurrence": "FREQ=DAILY",
    }
    added = await earlier.add(**pills)
    done = await desk.do("complete", record_id=added.record_id)
    assert await expected(database, desk.user) == [NOW + timedelta(hours=23)]
    await desk.undo(done)
    assert await expected(database, desk.user) == [NOW - timedelta(hours=1)]


async def test_an_old_series_begins_with_its_next_round(database: Database, desk: Desk) -> None:
    await desk.add(task="take pills", remind_at="2024-11-18T10:30:00+00:00", recurrence="FREQ=DAILY")
    assert await expected(database, desk.user) == [AT]


async def test_a_series_rolls_on_and_tells_the_latest_of_the_missed_rounds(
    database: Database, desk: Desk, outbox: PostgresOutbox
) -> None:
    await desk.add(task="take pills", remind_at=AT.isoformat(), recurrence="FREQ=DAILY")
    (first,) = await tell(outbox, desk.user, AT)
    assert first.text == "Reminder: “take pills”."
    assert await expected(database, desk.user) == [AT + timedelta(days=1)]
    (second,) = await tell(outbox, desk.user, LATER + timedelta(days=3))
    assert second.text == (
        "Reminder: “take pills”, 14 minutes late. It was due today at 10:30; 2 earlier ones passed while I was away."
    )
    assert second.due_at == AT + timedelta(days=3)
    assert await expected(database, desk.user) == [AT + timedelta(days=4)]


async def test_completing_a_round_moves_the_reminder_to_the_next(database: Database, desk: Desk) -> None:
    added = await desk.add(task="take pills", remind_at=AT.isoformat(), recurrence="FREQ=DAILY")
    await desk.do("complete", record_id=added.record_id)
    assert await expected(database, desk.user) == [AT + timedelta(days=1)]


async def test_quiet_hours_hold_a_nudge_and_never_a_stated_time(
    database: Database, desk: Desk, outbox: PostgresOutbox
) -> None:
    await Users(database).update_settings(desk.user, {"quiet_hours": {"start": "10:00", "end": "12:00"}})
    await desk.add(task="stated", remind_at=AT.isoformat())
    fields = {"task": "my day", "kind": "reminder", "tags": ["briefing"], "remind_at": AT.isoformat()}
    await desk.apply(Proposal(op="create", kind="todo", fields=fields))
    assert [one.title for one in await tell(outbox, desk.user, AT)] == ["stated"]
    noon = NOW.replace(hour=12, minute=0)
    assert await tell(outbox, desk.user, noon - timedelta(seconds=1)) == []
    assert await outbox.due(noon, 10) == [(desk.user, noon)]
    (nudge,) = await tell(outbox, desk.user, noon, "Your day: quiet.")
    assert (nudge.kind, nudge.text.startswith("Your day: quiet.")) == ("briefing", True)


async def test_quiet_hours_of_an_instruction_count_too(database: Database, desk: Desk, outbox: PostgresOutbox) -> None:
    await Users(database).update_settings(desk.user, {"quiet_hours": {"start": "10:00", "end": "12:00"}})
    policy = {"rules": [{"rule": "quiet_hours", "start": "12:00", "end": "13:00"}]}
    await desk.add("instruction", text="no pings at lunch", policy=policy)
    await desk.add(task="sleeps", snooze_until=NOW.date().isoformat())
    assert await tell(outbox, desk.user, AT) == []
    one = NOW.replace(hour=13, minute=0)
    assert await outbox.due(one, 10) == [(desk.user, one)]
    assert [told.title for told in await tell(outbox, desk.user, one)] == ["sleeps"]


async def test_an_instruction_reminds_before_events_as_long_as_it_stands(
    database: Database, desk: Desk, outbox: PostgresOutbox
) -> None:
    policy = {"rules": [{"rule": "default", "kind": "event", "field": "remind_before", "value": 30}]}
    await desk.add("event", title="before it", start=LATER.isoformat())
    ruled = await desk.add("instruction", text="remind me 30 minutes before meetings", policy=policy)
    begin = NOW + timedelta(hours=3)
    await desk.add("event", title="standup", start=begin.isoformat(), zone=LISBON, recurrence="FREQ=DAILY")
    await desk.add("event", title="too soon", start=(NOW + timedelta(minutes=10)).isoformat())
    moved = await desk.add("event", title="dentist", start=LATER.isoformat())
    await desk.do("update", "event", moved.record_id, start=(begin + timedelta(days=1)).isoformat())
    due, day = begin - timedelta(minutes=30), timedelta(days=1)
    assert await expected(database, desk.user) == [due, due + day]
    (told,) = await tell(outbox, desk.user, due)
    assert (told.record_kind, told.text) == ("event", "Reminder: “standup” begins in 30 minutes, today at 12:30.")
    assert await expected(database, desk.user) == [due + day, due + day]
    await desk.do("delete", "event", moved.record_id)
    (late,) = await tell(outbox, desk.user, due + day + timedelta(minutes=10))
    assert late.text == "Reminder: “standup” begins in 20 minutes, today at 12:30 (10 minutes late)."
    await desk.do("delete", "instruction", ruled.record_id)
    assert await tell(outbox, desk.user, due + 2 * day) == []
    assert await expected(database, desk.user) == []


async def test_users_do_not_wait_for_one_another(database: Database, outbox: PostgresOutbox) -> None:
    desks = [await reminded_desk(database) for _ in range(3)]
    for place, one in enumerate(desks):
        await one.add(task="call mom", remind_at=(AT + timedelta(minutes=place)).isoformat())
    found = await outbox.due(LATER, 10)
    assert found == [(one.user, AT + timedelta(minutes=place)) for place, one in enumerate(desks)]
    assert await outbox.due(LATER, 1) == found[:1]
    told = Counter([one.title for desk in desks for one in await tell(outbox, desk.user, LATER)])
    assert told == {"call mom": 3}


async def test_what_was_done_stays_done_when_a_device_acknowledges_it_later(
    database: Database, desk: Desk, outbox: PostgresOutbox
) -> None:
    await desk.add(task="call mom", remind_at=AT.isoformat())
    (told,) = await tell(outbox, desk.user, AT)
    notifications = Notifications(database)
    assert [one.id for one in await notifications.list_unacknowledged(desk.user, told.event_seq, 9)] == [told.id]
    assert await notifications.list_unacknowledged(desk.user, told.event_seq - 1, 9) == []
    done = await notifications.settle(desk.user, told.id, "done")
    acknowledged = await notifications.settle(desk.user, told.id, "acknowledged")
    assert done is not None
    assert acknowledged == done
    assert done.outcome == "done"
    assert await notifications.list_unacknowledged(desk.user, told.event_seq, 9) == []
