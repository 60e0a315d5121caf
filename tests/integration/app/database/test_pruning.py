"""What is old is forgotten, of every user, and nothing that still matters."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.rows import dict_row

from app.database.database import Database
from app.database.pruning import Keeping, Pruner
from app.database.signals import Signals
from app.http.accounts.store.users import Users
from app.principal import EVERYBODY
from app.records.store.event_log import EventLog

KEEPING = Keeping(outbox_days=30, notification_days=365, event_log_days=90, event_log_size=4)
REMINDER = """
insert into summit.reminders (user_id, kind, record_id, due_at, stated, fire_at, state)
select %s, 'todo', %s, at, true, at, %s from (select now() - make_interval(days => %s) as at) as past
"""
NOTIFICATION = """
insert into summit.notifications
       (user_id, id, kind, record_kind, record_id, title, text, due_at, fired_at, late_seconds, event_seq)
select %s, gen_random_uuid(), 'reminder', 'todo', %s, '', '', at, at, 0, 0
from (select now() - make_interval(days => %s) as at) as past
"""
DELIVERY = """
insert into summit.webhook_deliveries (user_id, id, webhook_id, notification_id, state, status, created_at, finished_at)
select %s, gen_random_uuid(), %s, gen_random_uuid(), %s, %s, at, case when %s <> 'pending' then at end
from (select now() - make_interval(days => %s) as at) as past
"""
WEBHOOK = "insert into summit.webhooks (user_id, id, url, format, secret) values (%s, %s, '', 'json', '')"
REPLAY = """
insert into summit.replays (user_id, key, body_hash, owner, created_at)
values (%s, %s, '', gen_random_uuid(), now() - make_interval(hours => %s))
"""
HEARD = """
insert into summit.heard_clips (user_id, id, duration_ms, heard_at)
values (%s, gen_random_uuid(), %s, now() - make_interval(hours => %s))
"""


@pytest.fixture
async def users(database: Database) -> list[UUID]:
    return [(await Users(database).create(name, uuid4())).id for name in ("Ada", "Ben")]


def left(url: str, column: str, table: str) -> list[str]:
    with psycopg.connect(url, row_factory=dict_row) as conn:
        rows = conn.execute(f"select {column}::text as kept from summit.{table} order by 1".encode()).fetchall()  # noqa: S608
    return [row["kept"] for row in rows]


async def test_told_reminders_and_settled_deliveries_go_and_what_waits_stays(
    database: Database, database_url: str, users: list[UUID]
) -> None:
    with psycopg.connect(database_url, autocommit=True) as conn:
        for user in users:
            hook = uuid4()
            conn.execute(WEBHOOK, (user, hook))
            for name, state, days in (("old", "fired", 31), ("new", "fired", 29), ("owed", "pending", 400)):
                conn.execute(REMINDER, (user, name, state, days))
            for status, state, days in ((1, "delivered", 31), (2, "dead", 31), (3, "dead", 29), (4, "pending", 99)):
                conn.execute(DELIVERY, (user, hook, state, status, state, days))
    gone = await Pruner(database, KEEPING).prune()
    assert (gone["reminders"], gone["webhook_deliveries"]) == (2, 4)
    assert left(database_url, "record_id", "reminders") == ["new", "new", "owed", "owed"]
    assert left(database_url, "status", "webhook_deliveries") == ["3", "3", "4", "4"]


async def test_notifications_are_listed_for_a_year_and_answers_kept_for_a_day(
    database: Database, database_url: str, users: list[UUID]
) -> None:
    with psycopg.connect(database_url, autocommit=True) as conn:
        for name, days in (("old", 366), ("new", 364)):
            conn.execute(NOTIFICATION, (users[0], name, days))
        for user in (*users, EVERYBODY):
            conn.execute(REPLAY, (user, "old", 25))
            conn.execute(REPLAY, (user, "new", 23))
        for hours in (25, 23):
            conn.execute(HEARD, (users[0], hours, hours))
    gone = await Pruner(database, KEEPING).prune()
    assert (gone["notifications"], gone["replays"], gone["heard_clips"]) == (1, 3, 1)
    assert left(database_url, "duration_ms", "heard_clips") == ["23"]
    assert left(database_url, "record_id", "notifications") == ["new"]
    assert left(database_url, "key", "replays") == ["new"] * 3


async def test_events_go_by_age_and_by_number_and_leave_no_gap(
    database: Database, database_url: str, users: list[UUID]
) -> None:
    ada, ben = users
    async with Signals(database) as signals:
        events = EventLog(database, signals)
        for user, many in ((ada, 6), (ben, 3)):
            await events.append(user, None, [("usage", {})] * many)
        with psycopg.connect(database_url, autocommit=True) as conn:
            conn.execute(
                "update summit.turn_events set ts = now() - interval '91 days' where user_id = %s and seq <= 2", (ben,)
            )
        await Pruner(database, KEEPING).prune()
        spans = [await events.span(user) for user in users]
    assert [(span.first, span.last) for span in spans] == [(3, 6), (3, 3)]


MEMO = """
insert into summit.memos (user_id, id, captured_at, timezone, state, container, size, sha256, deleted_at)
values (%s, %s, now(), 'UTC', 'transcribed', 'text', 0, '', now() - make_interval(days => %s))
"""


async def test_a_deleted_memo_goes_for_good_with_its_recording_once_its_days_are_over(
    database: Database, database_url: str, users: list[UUID]
) -> None:
    old, lately, dropped = uuid4(), uuid4(), []
    with psycopg.connect(database_url, autocommit=True) as conn:
        conn.execute(MEMO, (users[0], old, 31))
        conn.execute(MEMO, (users[0], lately, 29))

    async def drop(user_id: UUID, memo_id: UUID) -> None:
        dropped.append((user_id, memo_id))

    assert (await Pruner(database, KEEPING, drop).prune())["memos"] == 1
    assert dropped == [(users[0], old)]
    assert left(database_url, "id", "memos") == [str(lately)]


RECORDED = """
insert into summit.memos (user_id, id, captured_at, timezone, state, transcript, container, size, sha256, created_at)
values (%s, %s, now(), 'UTC', %s, %s, 'flac', 7, '', now() - make_interval(days => %s))
"""


async def test_a_recording_goes_after_its_days_where_they_are_set_and_its_words_stay(
    database: Database, database_url: str, users: list[UUID]
) -> None:
    old, new, unheard, dropped = uuid4(), uuid4(), uuid4(), []
    with psycopg.connect(database_url, autocommit=True) as conn:
        conn.execute(RECORDED, (users[0], old, "transcribed", "buy milk", 8))
        conn.execute(RECORDED, (users[0], new, "transcribed", "buy bread", 6))
        conn.execute(RECORDED, (users[1], unheard, "failed", None, 400))

    async def drop(user_id: UUID, memo_id: UUID) -> None:
        dropped.append((user_id, memo_id))

    assert (await Pruner(database, KEEPING, drop).prune())["recordings"] == 0
    weekly = Pruner(database, replace(KEEPING, audio_days=7.0), drop)
    assert (await weekly.prune())["recordings"] == 1
    assert (await weekly.prune())["recordings"] == 0
    assert dropped == [(users[0], old)]
    assert left(database_url, "transcript", "memos") == ["buy bread", "buy milk", None]
    assert sorted(left(database_url, "container", "memos")) == ["flac", "flac", "text"]
