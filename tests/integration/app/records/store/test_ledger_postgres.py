"""What the ledger in Postgres promises beyond the suite: concurrency, fencing, atomicity and rows that stay."""

from __future__ import annotations

import asyncio
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import sql

from agents.contract import Proposal
from app.database.database import Database
from app.database.signals import Signals
from app.principal import Fence, StaleLease
from app.turns.model.turns import Turn
from app.turns.store.inbox import Inbox
from tests.support.ledgers import Desk, desk_at
from tests.support.servers.turn_server import inbox_at, new_turn

MILK = Proposal(op="create", kind="todo", fields={"task": "milk"})
REFUSED = Proposal(op="create", kind="todo", fields={"task": "x", "priority": 99})
TABLES = ("changes", "store", "turn_events")


@pytest.fixture
async def desk(database: Database) -> Desk:
    return await desk_at(database)


@pytest.fixture
async def inbox(database: Database) -> Inbox:
    return inbox_at(database, Signals(database))


async def _running(inbox: Inbox, desk: Desk) -> Turn:
    return (await inbox.accept(new_turn(desk.user, "hi"))).turn


async def _counts(database: Database, user: UUID) -> list[int]:
    async with database.tenant(user) as conn:
        found = []
        for table in TABLES:
            query = sql.SQL("select count(*) as n from {}").format(sql.Identifier(table))
            found += [row["n"] for row in await (await conn.execute(query)).fetchall()]
        return found


async def test_twenty_parallel_batches_of_one_user(database: Database, desk: Desk) -> None:
    made = await asyncio.gather(*[desk.apply(MILK, MILK, turn=uuid4()) for _ in range(20)])
    cursors = sorted(change.cursor for changes in made for change in changes)
    assert len(set(cursors)) == 40
    assert await _counts(database, desk.user) == [40, 40, 40]


async def test_parallel_edits_of_one_record_by_version_let_one_win(desk: Desk) -> None:
    made = await desk.add()
    edits = [
        Proposal(op="update", kind="todo", record_id=made.record_id, fields={"notes": f"{n}"}, expected_version=1)
        for n in range(10)
    ]
    outcomes = await asyncio.gather(*[desk.apply(edit) for edit in edits])
    assert sorted(change.status for (change,) in outcomes) == ["applied"] + ["failed"] * 9


async def test_a_stale_fence_writes_nothing(database: Database, desk: Desk, inbox: Inbox) -> None:
    turn = await _running(inbox, desk)
    desk.fence = Fence(turn.id, turn.generation)
    assert (await desk.apply(MILK, turn=turn.id))[0].status == "applied"
    before = await _counts(database, desk.user)
    for fence in (Fence(turn.id, turn.generation + 1), Fence(uuid4(), 1)):
        desk.fence = fence
        with pytest.raises(StaleLease):
            await desk.apply(MILK, turn=turn.id, agent="update_notes")
    assert await _counts(database, desk.user) == before


async def test_a_sealed_turn_waits_for_the_write_under_way_and_lets_no_other_in(
    database: Database, desk: Desk, inbox: Inbox
) -> None:
    turn = await _running(inbox, desk)
    desk.fence = Fence(turn.id, turn.generation)
    writes = [asyncio.create_task(desk.apply(MILK, turn=turn.id, agent=f"agent {n}")) for n in range(8)]
    await asyncio.sleep(0.005)
    await inbox.seal(turn)
    sealed = await _counts(database, desk.user)
    await asyncio.gather(*writes, return_exceptions=True)
    assert await _counts(database, desk.user) == sealed
    assert sealed[0] == sealed[1]


async def test_each_applied_change_is_told_once(database: Database, desk: Desk) -> None:
    turn = uuid4()
    for _ in range(3):
        changes = await desk.apply(
            MILK, Proposal(op="create", kind="todo", fields={"task": "x", "priority": 99}), turn=turn
        )
    async with database.tenant(desk.user) as conn:
        rows = await (await conn.execute("select type, data from turn_events order by seq")).fetchall()
    told = [(row["type"], row["data"]["id"]) for row in rows if row["type"].startswith("change.")]
    assert told == [("change.applied", changes[0].id), ("change.failed", changes[1].id)]


@pytest.mark.parametrize("statement", ["update changes set title = 'x'", "delete from changes", "truncate changes"])
async def test_rows_are_never_changed_or_removed(database: Database, desk: Desk, statement: str) -> None:
    await desk.add()
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        async with database.tenant(desk.user) as conn:
            await conn.execute(statement.encode())


@pytest.mark.parametrize("table", TABLES)
async def test_a_write_that_breaks_at_any_table_leaves_nothing(
    database: Database, database_url: str, desk: Desk, table: str
) -> None:
    """The database itself refuses one table's rows: nothing of the other tables may stay."""
    with psycopg.connect(database_url, autocommit=True) as conn:
        conn.execute(
            "create function summit.break_it() returns trigger language plpgsql as "
            "$$ begin raise exception 'scripted'; end $$"
        )
        trigger = "create trigger broken after insert on summit.{} for each row execute function summit.break_it()"
        conn.execute(sql.SQL(trigger).format(sql.Identifier(table)))
    with pytest.raises(psycopg.errors.RaiseException):
        await desk.apply(MILK)
    assert await _counts(database, desk.user) == [0, 0, 0]


async def test_a_connection_killed_in_the_middle_leaves_all_or_nothing(
    database: Database, database_url: str, desk: Desk
) -> None:
    turns = [uuid4() for _ in range(30)]
    writes = [asyncio.create_task(desk.apply(MILK, MILK, turn=turn)) for turn in turns]
    with psycopg.connect(database_url, autocommit=True) as conn:
        for _ in range(5):
            await asyncio.sleep(0.01)
            conn.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity "
                "where datname = current_database() and pid <> pg_backend_pid()"
            )
    await asyncio.gather(*writes, return_exceptions=True)
    applied = {str(turn): 0 for turn in turns}
    for change in await desk.of_turn(*turns):
        applied[str(change.turn_id)] += 1
    assert set(applied.values()) <= {0, 2}
    again = await asyncio.gather(*[desk.apply(MILK, MILK, turn=turn) for turn in turns])
    assert {len(changes) for changes in again} == {2}
    assert await _counts(database, desk.user) == [60, 60, 60]
