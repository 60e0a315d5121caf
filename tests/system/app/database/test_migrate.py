from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import sql

from app.database.baseline import MigrationError
from app.database.database import Database
from app.database.migrate import migrate
from app.database.migration_steps import file_steps
from app.database.roles import APP_ROLE, SYSTEM_ROLE
from tests.support.databases import url_of
from tests.support.memory import MEMORY
from tests.support.servers import forked
from tests.support.waiting import HANG_SECONDS

PROCESSES = 8
FIRST_OF_KEYS = """
select c.relname, a.attname from pg_index i
join pg_class c on c.oid = i.indrelid
join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
where i.indisprimary and c.relnamespace = 'summit'::regnamespace
  and c.relname not like 'procrastinate%' and c.relname not like '%migrations'
"""
# LangGraph's own: what they begin with begins with the user, or holds it as the second word.
KEYED_OTHERWISE = {
    "store": "prefix",
    "checkpoints": "thread_id",
    "checkpoint_blobs": "thread_id",
    "checkpoint_writes": "thread_id",
}

START_AND_MIGRATE = """
    import asyncio, sys
    from pathlib import Path
    from app.database.embedded import EmbeddedServer
    from app.database.migrate import migrate
    print("loaded", flush=True)
    sys.stdin.readline()
    server = EmbeddedServer.start(Path(sys.argv[1]), lambda line: None, durable=False)
    asyncio.run(migrate(server.url, lambda line: None))
    print("ready", flush=True)
    sys.stdin.read()
    server.stop()
"""


def _silent(_line: str) -> None:
    pass


async def test_migrating_again_changes_nothing_and_says_nothing(database_url: str) -> None:
    said: list[str] = []
    before = _applied(database_url)
    await migrate(database_url, said.append)
    assert _applied(database_url) == before
    assert said == []


def _applied(url: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url) as conn:
        return conn.execute("select name, sha256, applied_at from summit.migrations order by name").fetchall()


def test_the_command_brings_a_database_to_this_version_and_ends(empty_database_url: str, tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "DATABASE_URL": empty_database_url}
    first, again = (forked.summit("migrate", environment=environment) for _ in range(2))
    assert (first.returncode, first.stdout) == (0, "The database is at this version.\n")
    assert "Preparing the database." in first.stderr
    assert (again.returncode, again.stderr) == (0, "")
    assert len(_applied(empty_database_url)) > 10


def test_the_command_says_what_to_start_first_where_older_files_are_missing(
    empty_database_url: str, tmp_path: Path
) -> None:
    with psycopg.connect(empty_database_url, autocommit=True) as conn:
        conn.execute("create schema summit; create table summit.migrations (name text, sha256 text)")
        conn.execute("insert into summit.migrations values ('0001_langgraph_tenancy.sql', '')")
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "DATABASE_URL": empty_database_url}
    done = forked.summit("migrate", environment=environment)
    assert done.returncode == 1
    assert done.stderr.startswith("summit: This database was made before Summit 0.1.0 and lacks 0100_tables.sql")
    assert "Traceback" not in done.stderr


async def test_twelve_migrations_of_one_database_at_once_all_succeed(empty_database_url: str) -> None:
    await asyncio.gather(*(migrate(empty_database_url, _silent) for _ in range(12)))
    async with Database(empty_database_url) as database:
        assert await database.check_role() == []


async def test_databases_of_one_server_may_be_migrated_at_once_from_nothing(fresh_server_url: str) -> None:
    urls = [_create(fresh_server_url, f"neighbour_{number}") for number in range(4)]
    await asyncio.gather(*(migrate(url, _silent) for url in urls))
    async with Database(urls[-1]) as database:
        assert await database.check_role() == []


def _create(server_url: str, name: str, owner: str = "postgres") -> str:
    with psycopg.connect(server_url, autocommit=True) as conn:
        conn.execute(
            sql.SQL("create database {} template template0 owner {}").format(
                sql.Identifier(name), sql.Identifier(owner)
            )
        )
    return url_of(server_url, name)


@pytest.fixture
def fresh_server_url() -> Iterator[str]:
    """A server of this test's own: roles belong to a whole server."""
    from app.database.embedded import EmbeddedServer

    folder = Path(tempfile.mkdtemp(prefix="summit-test-", dir=MEMORY))
    server = EmbeddedServer.start(folder / "postgres", _silent, durable=False)
    try:
        yield server.url
    finally:
        server.stop()
        shutil.rmtree(folder)


async def test_a_login_role_without_superuser_rights_migrates_and_works(fresh_server_url: str) -> None:
    with psycopg.connect(fresh_server_url, autocommit=True) as conn:
        conn.execute("create role owner login createrole nosuperuser")
    url = _create(fresh_server_url, "owned", owner="owner")
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("create extension vector")
    as_owner = url_of(url, "owned", user="owner")
    await migrate(as_owner, _silent)
    await migrate(as_owner, _silent)
    await _works(as_owner)


async def _works(url: str) -> None:
    user, stranger = uuid4(), uuid4()
    async with Database(url) as database:
        assert await database.check_role() == []
        async with database.tenant(user) as conn:
            await conn.execute("insert into store (prefix, key, value) values (%s, 'a', '{}')", (f"todo.{user}",))
        async with database.tenant(stranger) as conn:
            assert await (await conn.execute("select * from store")).fetchall() == []


async def test_a_login_role_that_may_not_create_roles_is_told_what_to_ask_for(fresh_server_url: str) -> None:
    with psycopg.connect(fresh_server_url, autocommit=True) as conn:
        conn.execute("create role plain login nosuperuser")
    url = url_of(_create(fresh_server_url, "plain", owner="plain"), "plain", user="plain")
    with pytest.raises(MigrationError, match="create role summit_app nologin"):
        await migrate(url, _silent)


async def test_roles_made_by_an_administrator_serve_a_login_role_that_may_not_create_any(fresh_server_url: str) -> None:
    with psycopg.connect(fresh_server_url, autocommit=True) as conn:
        conn.execute("create role plain login nosuperuser")
        conn.execute("create role summit_app nologin; create role summit_system nologin")
        conn.execute("grant summit_app, summit_system to plain with inherit true, set true")
    url = _create(fresh_server_url, "plain", owner="plain")
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("create extension vector")
    as_plain = url_of(url, "plain", user="plain")
    await migrate(as_plain, _silent)
    await _works(as_plain)


async def test_a_second_login_role_without_the_roles_is_told_what_to_ask_for(fresh_server_url: str) -> None:
    url = _create(fresh_server_url, "shared")
    await migrate(url, _silent)
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("create role second login createrole nosuperuser")
    as_second = url_of(url, "shared", user="second")
    with pytest.raises(MigrationError, match="grant summit_app, summit_system to"):
        await migrate(as_second, _silent)
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("grant summit_app, summit_system to second with inherit true, set true")
    await migrate(as_second, _silent)


async def test_a_database_without_pgvector_is_told_what_to_install(fresh_server_url: str) -> None:
    with psycopg.connect(fresh_server_url, autocommit=True) as conn:
        conn.execute("create role owner login createrole nosuperuser")
    url = url_of(_create(fresh_server_url, "bare", owner="owner"), "bare", user="owner")
    with pytest.raises(MigrationError, match="create extension vector"):
        await migrate(url, _silent)


async def test_an_edited_migration_is_refused(database_url: str) -> None:
    with psycopg.connect(database_url, autocommit=True) as conn:
        conn.execute("update summit.migrations set sha256 = 'other' where name = '03_records.sql'")
    with pytest.raises(MigrationError, match=r"03_records\.sql was edited"):
        await migrate(database_url, _silent)


async def test_a_new_version_of_langgraphs_tables_runs_its_set_up_again(database_url: str) -> None:
    with psycopg.connect(database_url, autocommit=True) as conn:
        conn.execute("update summit.migrations set sha256 = 'older' where name = 'langgraph/store'")
    await migrate(database_url, _silent)
    assert "older" not in [checksum for _, checksum, _ in _applied(database_url)]


async def test_a_failing_file_leaves_nothing_behind(empty_database_url: str, tmp_path: Path) -> None:
    (tmp_path / "1.sql").write_text("create table half (a int);\nselect 1 / 0;\n")
    [step] = file_steps(tmp_path)
    async with await psycopg.AsyncConnection.connect(
        empty_database_url, autocommit=True, row_factory=psycopg.rows.dict_row
    ) as conn:
        with pytest.raises(psycopg.errors.DivisionByZero):
            await step.run(conn)
        found = await (await conn.execute("select to_regclass('half') as half")).fetchone()
    assert found == {"half": None}


async def test_a_file_may_ask_for_no_transaction(database_url: str, tmp_path: Path) -> None:
    (tmp_path / "1.sql").write_text(
        "-- no-transaction\ncreate index concurrently one on summit.store (key);\n"
        "create index concurrently two on summit.store (key);\n"
    )
    [step] = file_steps(tmp_path)
    async with await psycopg.AsyncConnection.connect(
        database_url, autocommit=True, row_factory=psycopg.rows.dict_row
    ) as conn:
        await step.run(conn)
        found = await (await conn.execute("select to_regclass('summit.two') is not null as there")).fetchone()
    assert found == {"there": True}


async def test_files_run_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in ("10_b.sql", "02_c.sql", "01_a.sql"):
        (tmp_path / name).write_text("select 1;")
    assert [step.name for step in file_steps(tmp_path)] == ["01_a.sql", "02_c.sql", "10_b.sql"]


async def test_the_app_role_may_work_with_rows_but_not_with_the_record_of_migrations(database: Database) -> None:
    user = uuid4()
    async with database.tenant(user) as conn:
        await conn.execute("select * from migrations")
        await conn.execute("select * from procrastinate_jobs")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        await _forget_migrations(database, user)


async def _forget_migrations(database: Database, user: UUID) -> None:
    async with database.tenant(user) as conn:
        await conn.execute("delete from migrations")


async def test_both_roles_can_neither_log_in_nor_bypass_anything(database_url: str) -> None:
    query = "select rolname from pg_roles where rolname = any(%s) and not (rolcanlogin or rolsuper or rolbypassrls)"
    with psycopg.connect(database_url) as conn:
        found = conn.execute(query, ([APP_ROLE, SYSTEM_ROLE],)).fetchall()
    assert sorted(found) == [(APP_ROLE,), (SYSTEM_ROLE,)]


def test_eight_processes_start_and_migrate_an_empty_folder_at_once() -> None:
    folder = Path(tempfile.mkdtemp(prefix="summit-test-", dir=MEMORY))
    command = [sys.executable, "-c", textwrap.dedent(START_AND_MIGRATE), str(folder / "postgres")]
    processes = [_piped(command) for _ in range(PROCESSES)]
    try:
        assert [_line(process) for process in processes] == ["loaded"] * PROCESSES
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
        assert [_line(process) for process in processes] == ["ready"] * PROCESSES
    finally:
        endings = [process.communicate(timeout=HANG_SECONDS)[1] for process in processes]
    assert [process.returncode for process in processes] == [0] * PROCESSES, endings
    assert not (folder / "postgres" / "cluster" / "postmaster.pid").exists()
    shutil.rmtree(folder)


def _piped(command: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


async def test_every_primary_key_begins_with_the_user(database_url: str) -> None:
    """A table can be spread over machines by user, and no user's rows lie between another's."""
    async with await psycopg.AsyncConnection.connect(database_url) as conn:
        found = await (await conn.execute(FIRST_OF_KEYS)).fetchall()
    first = {str(table): str(column) for table, column in found}
    assert len(first) > 30
    wrong = {table: column for table, column in first.items() if column != KEYED_OTHERWISE.get(table, "user_id")}
    assert wrong == {}
    assert first.keys() >= KEYED_OTHERWISE.keys()
