"""The numbers of /metrics that every server must tell alike."""

from __future__ import annotations

from dataclasses import astuple
from uuid import uuid4

import psycopg

from app.database.backlog import BacklogReader
from app.database.database import Database
from app.database.model import Backlog
from app.http.accounts.store.users import Users

TURN = """
insert into summit.turns (user_id, id, thread_id, seq, body_hash, text, captured_at, timezone, state, created_at)
select user_id, gen_random_uuid(), id, %s, '', 'hello', now(), 'UTC', %s, now() - make_interval(secs => %s)
from summit.threads where user_id = %s limit 1
"""
REMINDER = """
insert into summit.reminders (user_id, kind, record_id, due_at, stated, fire_at, state)
values (%(user)s, 'todo', %(name)s, now() - make_interval(secs => %(age)s), true,
        now() - make_interval(secs => %(age)s), %(state)s)
"""
DELIVERY = """
insert into summit.webhook_deliveries (user_id, id, webhook_id, notification_id, state)
values (%s, gen_random_uuid(), %s, gen_random_uuid(), %s)
"""
WEBHOOK = "insert into summit.webhooks (user_id, id, url, format, secret) values (%s, %s, '', 'json', '')"
JOB = "insert into summit.procrastinate_jobs (queue_name, task_name, status) values ('default', 'x', %s)"


def fill(conn: psycopg.Connection, user: object) -> None:
    hook = uuid4()
    conn.execute("set search_path = summit, public")  # the triggers of the queue look there
    thread = "insert into summit.threads (user_id, id) values (%s, gen_random_uuid())"
    conn.execute(thread, (user,))
    for place, (state, age) in enumerate((("queued", 40), ("queued", 20), ("running", 30), ("done", 900))):
        conn.execute(TURN, (place, state, age, user))
    for name, age, state in (("late", 120, "pending"), ("coming", -60, "pending"), ("told", 999, "fired")):
        conn.execute(REMINDER, {"user": user, "name": name, "age": age, "state": state})
    conn.execute(WEBHOOK, (user, hook))
    for state in ("pending", "dead", "delivered"):
        conn.execute(DELIVERY, (user, hook, state))
    for status in ("todo", "doing", "failed"):
        conn.execute(JOB, (status,))


async def test_it_counts_what_waits_of_all_users(database: Database, database_url: str) -> None:
    users = [(await Users(database).create(name, uuid4())).id for name in ("Ada", "Ben")]
    with psycopg.connect(database_url, autocommit=True) as conn:
        for user in users:
            fill(conn, user)
    found = await BacklogReader(database, 0).read()
    assert found is not None
    assert (40 <= found.oldest_turn_seconds < 60, 120 <= found.oldest_reminder_seconds < 140) == (True, True)
    counted = [value for value in astuple(found) if isinstance(value, int)]
    assert counted == [4, 2, 2, 2, 2, 2, 2, 2]


async def test_a_second_scrape_is_told_the_same_for_a_while(database: Database, database_url: str) -> None:
    patient, eager = BacklogReader(database, 60), BacklogReader(database, 0)
    user = (await Users(database).create("Ada", uuid4())).id
    before = [await patient.read(), await eager.read()]
    assert before == [Backlog(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)] * 2
    with psycopg.connect(database_url, autocommit=True) as conn:
        fill(conn, user)
    assert await patient.read() == before[0]
    assert await eager.read() != before[1]


async def test_a_database_that_does_not_answer_is_said_and_breaks_nothing(database_url: str) -> None:
    async with Database(database_url) as database:
        pass
    assert await BacklogReader(database, 0).read() is None
