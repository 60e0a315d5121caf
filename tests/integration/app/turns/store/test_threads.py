"""Conversations: paging, renaming, archiving, deleting with everything that belongs to them."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from psycopg import sql

from app.database.database import Database
from app.database.paging import encode
from app.errors import InvalidInput
from app.http.accounts.model.users import main_thread
from app.turns.store.threads import Threads
from tests.support.servers.turn_server import TurnServer


@pytest.fixture
def threads(server: TurnServer) -> Threads:
    return Threads(server.database)


async def test_pages_show_every_thread_once_the_latest_first(server: TurnServer, threads: Threads) -> None:
    made = [(await threads.create(server.user, f"thread {number}")).id for number in range(7)]
    found: list[UUID] = []
    cursor: str | None = None
    while cursor or not found:
        page = await threads.list(server.user, 3, cursor)
        assert len(page.items) <= 3
        found += [thread.id for thread in page.items]
        cursor = page.next
    assert found == [*reversed(made), main_thread(server.user)]


@pytest.mark.parametrize("cursor", ["", "x", encode(["x", "y"]), encode([1, 2]), encode(["2026-01-01"]), "é", "W10="])
async def test_a_cursor_that_nobody_gave_out_is_refused(server: TurnServer, threads: Threads, cursor: str) -> None:
    with pytest.raises(InvalidInput):
        await threads.list(server.user, 3, cursor or "!")


async def test_renaming_and_archiving(server: TurnServer, threads: Threads) -> None:
    made = await threads.create(server.user, "Work")
    renamed = await threads.change(server.user, made.id, title="Home", status=None)
    archived = await threads.change(server.user, made.id, title=None, status="archived")
    assert renamed is not None
    assert archived is not None
    assert [(t.title, t.status) for t in (renamed, archived)] == [("Home", "active"), ("Home", "archived")]
    assert await threads.change(server.user, uuid4(), title="x", status=None) is None


async def test_messages_come_in_order_and_from_where_one_left_off(server: TurnServer, threads: Threads) -> None:
    for number in range(3):
        await server.say(f"task {number}")
    messages = await threads.messages(server.user, main_thread(server.user), 0, 100)
    assert [message.seq for message in messages] == [1, 2, 3, 4, 5, 6]
    assert [message.role for message in messages] == ["user", "assistant"] * 3
    rest = await threads.messages(server.user, main_thread(server.user), 4, 100)
    assert [message.content for message in rest] == ["task 2", "Added “task 2” to your tasks."]


async def test_a_deleted_thread_is_gone_with_its_checkpoints_and_its_changes_stay(
    database: Database, server: TurnServer, threads: Threads
) -> None:
    made = await threads.create(server.user, "Work")
    turn = await server.say("milk", thread_id=made.id)
    assert await threads.delete(server.user, made.id) is True
    assert await threads.delete(server.user, made.id) is False
    assert await threads.get(server.user, made.id) is None
    assert await threads.messages(server.user, made.id, 0, 10) == []
    assert [change.title for change in await server.changes(turn)] == ["milk"]
    async with database.tenant(server.user) as conn:
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes", "turns"):
            rows = await (await conn.execute(sql.SQL("select 1 from {}").format(sql.Identifier(table)))).fetchall()
            assert rows == [], table


async def test_the_main_thread_stays(server: TurnServer, threads: Threads) -> None:
    assert await threads.delete(server.user, main_thread(server.user)) is False
