"""Bring any PostgreSQL >= 15 with pgvector to the schema this Summit needs, whoever else starts at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from psycopg import AsyncConnection, errors
from psycopg.rows import DictRow, dict_row

from app.database.baseline import MigrationError
from app.database.migration_steps import MigrationStep, Recorded, plan
from app.database.roles import APP_ROLE, SYSTEM_ROLE, ensure_roles, roles_ready

__all__ = ["MigrationError", "migrate"]

OLDEST_SERVER = 150000
LOCK = 0x53554D4D4954  # "SUMMIT"; the key of the advisory lock in each database
LOCK_POLL_SECONDS = 0.05

SCHEMA = """
create schema if not exists summit;
grant usage on schema summit to summit_app;
grant usage on schema summit to summit_system;
alter default privileges in schema summit grant select, insert, update, delete on tables to summit_app;
alter default privileges in schema summit grant usage, select on sequences to summit_app;
alter default privileges in schema summit grant execute on functions to summit_app;
create table if not exists summit.migrations (
    name text primary key,
    sha256 text not null,
    applied_at timestamptz not null default now()
);
revoke insert, update, delete on summit.migrations from summit_app;
"""

ROLES_HELP = f"""The login role of DATABASE_URL may not create or use the roles {APP_ROLE} and {SYSTEM_ROLE}.
Ask an administrator of the server to run once (leave the options away on PostgreSQL 15):
  create role {APP_ROLE} nologin; create role {SYSTEM_ROLE} nologin;
  grant {APP_ROLE}, {SYSTEM_ROLE} to "<the login role>" with inherit true, set true;"""

VECTOR_HELP = """The extension `vector` (pgvector) is not in this database and could not be created.
Install pgvector on the server, then let an administrator run in this database: create extension vector;"""


async def migrate(url: str, say: Callable[[str], None]) -> None:
    """Apply what is missing in the database at ``url``; a few ms when nothing is.

    Any number of processes may call it at once. Raises MigrationError with what to do about it.
    """
    async with await AsyncConnection.connect(
        url, autocommit=True, row_factory=dict_row, application_name="summit-migrate"
    ) as conn:
        _check_server(conn)
        if await _up_to_date(conn):
            return
        async with _alone(conn, say):
            await _bring_up(conn, say)


def _check_server(conn: AsyncConnection[DictRow]) -> None:
    if conn.info.server_version < OLDEST_SERVER:
        raise MigrationError(f"PostgreSQL 15 or newer is needed; this server says {conn.info.server_version}.")


async def _up_to_date(conn: AsyncConnection[DictRow]) -> bool:
    return await roles_ready(conn) and not await _pending(conn)


async def _pending(conn: AsyncConnection[DictRow]) -> list[MigrationStep]:
    recorded = await _recorded_migrations(conn)
    steps = await asyncio.to_thread(plan, recorded)  # it reads files, which a host such as Studio refuses in its loop
    return [step for step in steps if step.is_pending(recorded)]


async def _recorded_migrations(conn: AsyncConnection[DictRow]) -> Recorded:
    found = await (await conn.execute("select to_regclass('summit.migrations') is not null as present")).fetchone()
    if not found or not found["present"]:
        return {}
    rows = await (await conn.execute("select name, sha256 from summit.migrations")).fetchall()
    return {row["name"]: row["sha256"] for row in rows}


@asynccontextmanager
async def _alone(conn: AsyncConnection[DictRow], say: Callable[[str], None]) -> AsyncIterator[None]:
    # Polled: a session blocked on the lock would hold a snapshot, and CREATE INDEX CONCURRENTLY waits for those.
    waiting = False
    while not await _try_lock(conn):
        if not waiting:
            say("Waiting for another process that prepares the database.")
            waiting = True
        await asyncio.sleep(LOCK_POLL_SECONDS)
    yield  # Closing the connection gives the lock back, whatever happened.


async def _try_lock(conn: AsyncConnection[DictRow]) -> bool:
    row = await (await conn.execute("select pg_try_advisory_lock(%s) as mine", (LOCK,))).fetchone()
    return bool(row and row["mine"])


async def _bring_up(conn: AsyncConnection[DictRow], say: Callable[[str], None]) -> None:
    await _ensure_roles(conn)
    await _ensure_vector(conn)
    await conn.execute(SCHEMA)
    await conn.execute("set search_path = summit, public")
    pending = await _pending(conn)
    if pending:
        say("Preparing the database.")
    for step in pending:
        await step.run(conn)


async def _ensure_roles(conn: AsyncConnection[DictRow]) -> None:
    try:
        await ensure_roles(conn)
    except errors.InsufficientPrivilege as error:
        raise MigrationError(ROLES_HELP) from error


async def _ensure_vector(conn: AsyncConnection[DictRow]) -> None:
    found = await conn.execute("select from pg_extension where extname = 'vector'")
    if await found.fetchone() is not None:
        return
    try:
        await conn.execute("create extension if not exists vector with schema public")
    except (errors.InsufficientPrivilege, errors.UndefinedFile, errors.FeatureNotSupported) as error:
        raise MigrationError(VECTOR_HELP) from error
