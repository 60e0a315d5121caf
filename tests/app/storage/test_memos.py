"""Voice memos: states that move on, and pages."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID, uuid4

import psycopg
import pytest

from app.ports import NewMemo
from app.storage.database import Database
from app.storage.memos import PostgresMemos
from app.storage.signals import Signals
from app.storage.users import PostgresUsers
from tests.app.turn_server import inbox_at, new_turn
from tests.ledgers import LISBON, NOW


@pytest.fixture
async def user(database: Database) -> UUID:
    return (await PostgresUsers(database).create("Ada")).id


async def _memo(database: Database, user: UUID, days: int = 0) -> UUID:
    new = NewMemo(uuid4(), "wav", 44, b"sum", NOW - timedelta(days=days), LISBON)
    await inbox_at(database, Signals(database)).accept(new_turn(user, None, memo=new))
    return new.id


async def test_a_memo_moves_on_and_keeps_what_was_learned(database: Database, user: UUID) -> None:
    memos = PostgresMemos(database)
    memo_id = await _memo(database, user)
    received = await memos.get(user, memo_id)
    assert received is not None
    assert (received.state, received.size, received.transcript) == ("received", 44, None)
    segments = [{"start_ms": 0, "end_ms": 9, "text": "hi", "confidence": None}]
    await memos.set_state(user, memo_id, "transcribed", transcript="hi", segments=segments)
    await memos.set_state(user, memo_id, "indexed")
    indexed = await memos.get(user, memo_id)
    assert indexed is not None
    assert (indexed.state, indexed.transcript, indexed.segments) == ("indexed", "hi", segments)
    with pytest.raises(psycopg.errors.CheckViolation):
        await memos.set_state(user, memo_id, "unheard of")  # type: ignore[arg-type]


async def test_pages_show_every_memo_once_the_latest_first(database: Database, user: UUID) -> None:
    memos = PostgresMemos(database)
    made = [await _memo(database, user, days) for days in (2, 0, 3, 1, 1)]
    found: list[UUID] = []
    cursor: str | None = None
    while cursor or not found:
        page = await memos.list(user, 2, cursor)
        found += [memo.id for memo in page.items]
        cursor = page.next
    assert sorted(found) == sorted(made)
    assert (found[0], found[-1]) == (made[1], made[2])
