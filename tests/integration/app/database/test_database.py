from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import pytest
from psycopg.pq import PipelineStatus, TransactionStatus

from app.database.database import Database
from app.errors import OutOfReach, StorageFull
from app.principal import NoPrincipal, Principal, acting_as
from tests.support.waiting import HANG_SECONDS

WHO = "select current_user as role, current_setting('summit.user_id', true) as user_id"


async def test_a_transaction_acts_as_the_given_user_and_forgets_it_afterwards(database: Database) -> None:
    user = uuid4()
    async with database.tenant(user) as conn:
        row = await (await conn.execute(WHO)).fetchone()
    assert row == {"role": "summit_app", "user_id": str(user)}
    async with database.pool.connection() as conn:
        row = await (await conn.execute(WHO)).fetchone()
    assert row is not None
    assert not row["user_id"]


async def test_a_transaction_acts_as_the_current_principal(database: Database) -> None:
    principal = Principal(uuid4())
    with acting_as(principal):
        async with database.tenant() as conn:
            row = await (await conn.execute(WHO)).fetchone()
    assert row is not None
    assert row["user_id"] == str(principal.user_id)


async def test_without_a_principal_there_is_no_tenant(database: Database) -> None:
    with pytest.raises(NoPrincipal, match="acting_as"):
        async with database.tenant():
            pass


async def test_the_principal_of_an_inner_block_ends_with_it(database: Database) -> None:
    outer, inner = Principal(uuid4()), Principal(uuid4())
    with acting_as(outer):
        with acting_as(inner):
            pass
        async with database.tenant() as conn:
            row = await (await conn.execute(WHO)).fetchone()
    assert row is not None
    assert row["user_id"] == str(outer.user_id)


async def _write_and_fail(database: Database, user: UUID) -> None:
    async with database.tenant(user) as conn:
        await conn.execute("insert into store (prefix, key, value) values (%s, 'a', '{}')", (f"todo.{user}",))
        raise ZeroDivisionError


async def test_a_failed_transaction_keeps_nothing(database: Database) -> None:
    user = uuid4()
    with pytest.raises(ZeroDivisionError):
        await _write_and_fail(database, user)
    async with database.tenant(user) as conn:
        assert await (await conn.execute("select * from store")).fetchall() == []


async def test_a_cancelled_task_leaves_no_connection_in_the_middle_of_something(database_url: str) -> None:
    dice, user = random.Random(1), uuid4()
    async with Database(database_url, pool_size=3) as database:
        for _ in range(40):
            work = [asyncio.create_task(_think(database, user, dice.random() / 250)) for _ in range(3)]
            await asyncio.sleep(dice.random() / 150)
            for task in work:
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)
        async with AsyncExitStack() as stack:
            conns = [await stack.enter_async_context(database.pool.connection()) for _ in range(3)]
            found = {(conn.info.pipeline_status, conn.info.transaction_status) for conn in conns}
    assert found == {(PipelineStatus.OFF, TransactionStatus.IDLE)}


async def _think(database: Database, user: UUID, seconds: float) -> None:
    async with database.tenant(user) as conn:
        await (await conn.execute("select pg_sleep(%s)", (seconds,))).fetchone()
    async with database.one_statement(user) as conn:
        await (await conn.execute("select pg_sleep(%s)", (seconds,))).fetchone()


async def _tenant(database: Database, statement: str) -> None:
    async with database.tenant(uuid4()) as conn:
        await conn.execute(statement)


async def _one_statement(database: Database, statement: str) -> None:
    async with database.one_statement(uuid4()) as conn:
        await (await conn.execute(statement)).fetchall()


async def _rows(database: Database, statement: str) -> None:
    await database.rows(statement, ())


async def _system(database: Database, statement: str) -> None:
    async with database.system() as conn:
        await conn.execute(statement)


async def _pipeline(database: Database, statement: str) -> None:
    with acting_as(Principal(uuid4())):
        async with database.pipeline() as cursor:
            await cursor.execute(statement)


async def _wrapped(database: Database, statement: str) -> None:
    """As the job queue does it, whose connector has errors of its own."""
    async with database.tenant(uuid4()) as conn:
        try:
            await (await conn.execute(statement)).fetchall()
        except Exception as error:
            raise RuntimeError("connector") from error


WAYS_IN = [_tenant, _one_statement, _rows, _system, _pipeline, _wrapped]
WayIn = Callable[[Database, str], Awaitable[None]]
FAIL = "do $$ begin raise exception 'scripted' using errcode = '{}'; end $$"


@pytest.mark.parametrize("name", ["tenant", "one_statement", "pipeline"])
async def test_what_stood_behind_an_error_works_afterwards_however_often_it_was_used(
    database_url: str, name: str
) -> None:
    async with Database(database_url, pool_size=1) as database:
        ways = {
            "tenant": database.tenant,
            "one_statement": database.one_statement,
            "pipeline": lambda _: database.pipeline(),
        }
        for uses in range(8):  # the driver prepares what was used a few times
            statement = f"select {uses} as number"
            for _ in range(uses):
                await _executed(ways[name], statement)
            with pytest.raises(OutOfReach):
                await _executed(ways[name], FAIL.format("read_only_sql_transaction"), statement)
            for _ in range(2):
                await _executed(ways[name], statement)


async def _executed(way: Callable[[UUID], Any], *statements: str) -> None:
    user = uuid4()
    with acting_as(Principal(user)):
        async with way(user) as within:
            for statement in statements:
                await within.execute(statement)


@pytest.mark.parametrize("way", WAYS_IN)
async def test_a_server_that_only_reads_will_write_again(database: Database, way: WayIn) -> None:
    with pytest.raises(OutOfReach):
        await way(database, FAIL.format("read_only_sql_transaction"))


@pytest.mark.parametrize("way", WAYS_IN)
@pytest.mark.parametrize("state", ["25P03", "25P04"], ids=["idle_in_transaction", "transaction_timeout"])
async def test_a_transaction_that_lasted_too_long_has_lost_its_server(
    database: Database, way: WayIn, state: str
) -> None:
    with pytest.raises(OutOfReach):
        await way(database, FAIL.format(state))


@pytest.mark.parametrize("way", WAYS_IN)
async def test_a_connection_that_breaks_says_that_the_database_is_out_of_reach(database: Database, way: WayIn) -> None:
    with pytest.raises(OutOfReach) as caught:
        await way(database, FAIL.format("admin_shutdown"))
    assert not isinstance(caught.value, StorageFull)
    assert database.seconds_since_full == float("inf")
    await _rows(database, "select 1")


@pytest.mark.parametrize("way", WAYS_IN)
async def test_a_full_disk_is_told_apart_and_remembered(database: Database, way: WayIn) -> None:
    with pytest.raises(StorageFull, match="no space left"):
        await way(database, FAIL.format("disk_full"))
    assert database.seconds_since_full < HANG_SECONDS


@pytest.mark.parametrize("way", WAYS_IN)
async def test_a_fault_of_our_own_is_not_put_down_to_the_database(database: Database, way: WayIn) -> None:
    with pytest.raises(Exception, match=r"division by zero|connector") as caught:
        await way(database, "select 1 / 0")
    assert not isinstance(caught.value, OutOfReach)


@pytest.mark.parametrize("way", WAYS_IN)
async def test_a_server_that_is_gone_is_out_of_reach(database: Database, way: WayIn) -> None:
    await database.close()
    with pytest.raises(OutOfReach):
        await way(database, "select 1")


async def test_each_database_has_an_identity_of_its_own(database_url: str, database: Database) -> None:
    async with Database(database_url) as again:
        assert await again.identity() == await database.identity() != ""
    other = database_url.replace(urlsplit(database_url).path, "/postgres")
    async with Database(other) as elsewhere:
        assert await elsewhere.identity() not in ("", await database.identity())
