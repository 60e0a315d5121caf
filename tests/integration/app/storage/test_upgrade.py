"""From an older schema to this one, with what was in it. No version was tagged before this one: the older schemas are
the migrations as far as they went at certain points of the history; rows are written as that schema had them.
"""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import AsyncConnection
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from app.auth import issue_key
from app.ports import main_thread
from app.storage.migrate import SCHEMA, _ensure_roles, _ensure_vector, migrate
from app.storage.migration_steps import FILES, plan
from tests.support.servers.live_server import live_server, settings_for
from tests.support.servers.plain import plain_client

# The last file that each had: the first schema; credits and providers; memory; sessions and uploads; runs and projects.
OLDER = ("0102_tenancy.sql", "0161_providers.sql", "0241_memory_queue.sql", "0293_recent_recordings.sql", "0361_runs")
OWNER = UUID("6d1c8a8e-6a3f-4b8e-9a8c-0f1f5d2a7b11")
TODO = {
    "id": "0b8e3a52-6f0c-4d51-8e1b-9f5b0b8f7a10",
    "task": "water the ferns",
    "kind": "todo",
    "status": "not started",
    "version": 1,
    "created_at": "2026-01-01T10:00:00+00:00",
    "updated_at": "2026-01-01T10:00:00+00:00",
}


async def lay(url: str, last: str) -> None:
    """The schema as it was when ``last`` was the latest of our files."""
    async with await AsyncConnection.connect(url, autocommit=True, row_factory=dict_row) as conn:
        await _ensure_roles(conn)
        await _ensure_vector(conn)
        await conn.execute(SCHEMA)
        await conn.execute("set search_path = summit, public")
        for step in plan({}):
            if not step.name.endswith(".sql") or step.name.startswith("procrastinate") or step.name[:4] <= last[:4]:
                await step.run(conn)


def furnish(url: str) -> str:
    """An account, its key, a conversation and a task; returns the key."""
    key = issue_key()
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("set search_path = summit, public")
        conn.execute("insert into users (user_id, name) values (%s, 'Ada')", (OWNER,))
        conn.execute("insert into counters (user_id) values (%s)", (OWNER,))
        conn.execute(
            "insert into threads (user_id, id, title, is_main) values (%s, %s, 'Main', true)",
            (OWNER, main_thread(OWNER)),
        )
        conn.execute("insert into threads (user_id, id, title) values (%s, %s, 'Garden')", (OWNER, uuid4()))
        conn.execute(
            "insert into api_keys (user_id, id, name, digest, hint, scopes) values (%s, %s, 'old', %s, %s, %s)",
            (OWNER, uuid4(), hashlib.sha256(key.text.encode()).digest(), key.hint, ["read", "write", "admin"]),
        )
        conn.execute(
            "insert into store (prefix, key, value) values (%s, %s, %s)", (f"todo.{OWNER}", TODO["id"], Jsonb(TODO))
        )
    return key.text


def test_every_point_is_one_of_the_history() -> None:
    names = [path.name for path in FILES.glob("*.sql")]
    assert all(any(name.startswith(point) for name in names) for point in OLDER)


@pytest.mark.parametrize("last", OLDER)
def test_what_was_in_an_older_schema_is_served_by_this_one(empty_database_url: str, tmp_path: Path, last: str) -> None:
    asyncio.run(lay(empty_database_url, last))
    key = furnish(empty_database_url)
    asyncio.run(migrate(empty_database_url, lambda _: None))
    headers = {"Authorization": f"Bearer {key}"}
    with (
        live_server(settings_for(empty_database_url, tmp_path)) as url,
        plain_client(url, headers, seconds=60) as ada,
    ):
        todos = ada.get("/v1/todos")
        assert todos.status_code == 200, todos.text
        assert [one["task"] for one in todos.json()["items"]] == ["water the ferns"]
        assert {one["title"] for one in ada.get("/v1/threads").json()["items"]} == {"Main", "Garden"}
        done = ada.patch(f"/v1/todos/{TODO['id']}", json={"status": "done"})
        assert done.status_code == 200, done.text
        assert ada.post(f"/v1/changes/{done.headers['X-Change-Id']}/undo").status_code == 200
        said = ada.post("/v1/turns", json={"text": "add buy soil"}).json()
        assert said["status"] == "done", said
        assert ada.get("/v1/audit").status_code == 200


OLD_MEMORIES = """
with turn as (
    insert into turns (user_id, id, thread_id, seq, body_hash, captured_at, timezone, state, result)
    values (%(user)s, %(turn)s, %(thread)s, %(seq)s, '', now(), 'UTC', 'done', %(result)s)
)
insert into memory_documents (user_id, source, id, title, captured_at, digest)
values (%(user)s, 'message', %(turn)s::text, '', now(), '')
"""


def test_orders_that_an_older_version_took_for_memories_are_looked_at_again(empty_database_url: str) -> None:
    asyncio.run(lay(empty_database_url, "0460"))
    furnish(empty_database_url)
    turns = {targets: uuid4() for targets in ((), ("update_todos",), ("update_profile",), ("recall", "update_notes"))}
    with psycopg.connect(empty_database_url, autocommit=True) as conn:
        conn.execute("set search_path = summit, public")
        for seq, (targets, turn) in enumerate(turns.items(), 1):
            values = {"user": OWNER, "thread": main_thread(OWNER), "turn": turn, "seq": seq}
            conn.execute(OLD_MEMORIES, {**values, "result": Jsonb({"targets": targets})})
    asyncio.run(migrate(empty_database_url, lambda _: None))
    with psycopg.connect(empty_database_url, autocommit=True) as conn:
        conn.execute("set search_path = summit, public")
        waiting = {
            document for (document,) in conn.execute("select document from memory_queue where source = 'message'")
        }
        forced = conn.execute(
            "select bool_and(relforcerowsecurity) from pg_class "
            "where relname in ('turns', 'memory_queue', 'memory_documents')"
        ).fetchone()
    assert waiting == {str(turns["update_todos",]), str(turns["recall", "update_notes"])}
    assert forced == (True,)
