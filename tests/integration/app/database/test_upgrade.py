"""From the baseline to this version, with what was in it: a database that older files made goes on."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row
from psycopg.types.json import Jsonb

from app.database.baseline import LAST_OF_BASELINE, MigrationError, replaced_files
from app.database.migrate import SCHEMA, _ensure_roles, _ensure_vector, migrate
from app.database.migration_steps import Recorded, plan
from app.http.accounts.model.users import main_thread
from app.http.auth import issue_key
from tests.support.servers.live_server import live_server, settings_for
from tests.support.servers.plain import plain_client

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
SHAPE = """
select 'relation', oid::text, relfilenode::text, relacl::text from pg_class where relnamespace = 'summit'::regnamespace
union all
select 'function', oid::text, md5(prosrc), proacl::text from pg_proc where pronamespace = 'summit'::regnamespace
order by 1, 2
"""


async def lay(url: str, applied: frozenset[str]) -> None:
    """The schema of the baseline, recorded as the files that made it before version 0.1.0."""
    async with await AsyncConnection.connect(url, autocommit=True, row_factory=dict_row) as conn:
        await _ensure_roles(conn)
        await _ensure_vector(conn)
        await conn.execute(SCHEMA)
        await run_baseline(conn, {})
        await conn.execute("delete from summit.migrations where name not like '%/%'")
        for name in applied:
            await conn.execute("insert into summit.migrations (name, sha256) values (%s, '')", (name,))


async def run_baseline(conn: AsyncConnection[DictRow], recorded: Recorded) -> None:
    """What is missing as far as the baseline in a database with these steps applied."""
    await conn.execute("set search_path = summit, public")
    for step in plan(recorded):
        if step.is_pending(recorded) and ("/" in step.name or step.name <= LAST_OF_BASELINE):
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


def shape(url: str) -> list[tuple[str, ...]]:
    """What tells a table, an index or a function that was made anew or changed."""
    with psycopg.connect(url) as conn:
        return conn.execute(SHAPE).fetchall()


def marks(url: str) -> set[str]:
    """Which of our files are recorded as applied."""
    with psycopg.connect(url) as conn:
        return {name for (name,) in conn.execute("select name from summit.migrations where name not like '%/%'")}


async def test_a_database_of_the_baseline_is_only_marked(empty_database_url: str) -> None:
    await lay(empty_database_url, replaced_files())
    before = shape(empty_database_url)
    async with await AsyncConnection.connect(empty_database_url, autocommit=True, row_factory=dict_row) as conn:
        libraries = {step.name: step.sha256 for step in plan({}) if "/" in step.name}
        await run_baseline(conn, libraries | dict.fromkeys(replaced_files(), ""))
    assert shape(empty_database_url) == before
    ten = {step.name for step in plan({}) if "/" not in step.name and step.name <= LAST_OF_BASELINE}
    assert marks(empty_database_url) == replaced_files() | ten


def test_what_was_in_a_database_of_the_baseline_is_served(empty_database_url: str, tmp_path: Path) -> None:
    asyncio.run(lay(empty_database_url, replaced_files()))
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


def test_a_database_that_stopped_before_the_baseline_is_told_what_to_start_first(empty_database_url: str) -> None:
    asyncio.run(lay(empty_database_url, replaced_files() - {"0300_memory_models.sql", "0479_orders_no_memories.sql"}))
    before = shape(empty_database_url), marks(empty_database_url)
    with pytest.raises(MigrationError, match=r"lacks 0300_memory_models\.sql.*Start the server of commit"):
        asyncio.run(migrate(empty_database_url, lambda _: None))
    assert (shape(empty_database_url), marks(empty_database_url)) == before
