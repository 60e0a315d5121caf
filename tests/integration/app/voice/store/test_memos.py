"""Voice memos: states that move on, pages, and their rows in the ledger."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID, uuid4

import psycopg
import pytest

from agents.contract import Lookback
from app.database.database import Database
from app.database.signals import Signals
from app.http.accounts.store.users import Users
from app.principal import Principal, acting_as
from app.records.store.ledger import PostgresLedger
from app.turns.undo import undo_change
from app.voice.model import MemoEdit, MemoState, NewMemo
from app.voice.store.memo_edits import MemoEdits
from app.voice.store.memo_rows import MemoRows
from app.voice.store.memos import Memos
from app.voice.store.recordings import NullReception, Recordings
from tests.support.ledgers import LISBON, NOW
from tests.support.servers.turn_server import inbox_at, new_turn


@pytest.fixture
async def user(database: Database) -> UUID:
    return (await Users(database).create("Ada")).id


async def _memo(database: Database, user: UUID, days: int = 0) -> UUID:
    new = NewMemo(uuid4(), "wav", 44, b"sum", NOW - timedelta(days=days), LISBON)
    await inbox_at(database, Signals(database)).accept(new_turn(user, None, memo=new))
    return new.id


async def test_a_memo_moves_on_and_keeps_what_was_learned(database: Database, user: UUID) -> None:
    memos = Memos(database)
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


@pytest.mark.parametrize("late", ["transcribing", "failed"])
async def test_a_late_word_of_a_worker_takes_no_transcript_away(
    database: Database, user: UUID, late: MemoState
) -> None:
    memos = Memos(database)
    memo_id = await _memo(database, user)
    await memos.set_state(user, memo_id, "transcribed", transcript="hi")
    await memos.set_state(user, memo_id, late, transcript=None)
    known = await memos.get(user, memo_id)
    assert known is not None
    assert (known.state, known.transcript) == ("transcribed", "hi")


async def test_pages_show_every_memo_once_the_latest_first(database: Database, user: UUID) -> None:
    memos = Memos(database)
    made = [await _memo(database, user, days) for days in (2, 0, 3, 1, 1)]
    found: list[UUID] = []
    cursor: str | None = None
    while cursor or not found:
        page = await memos.list(user, 2, cursor)
        found += [memo.id for memo in page.items]
        cursor = page.next
    assert sorted(found) == sorted(made)
    assert (found[0], found[-1]) == (made[1], made[2])


@pytest.fixture
def ledger(database: Database) -> PostgresLedger:
    return PostgresLedger(database, derivers=[MemoRows()])


async def _recorded(database: Database, ledger: PostgresLedger, user: UUID) -> UUID:
    reception = Recordings(ledger, NullReception().defer_transcription, lambda _user: None)
    new = NewMemo(uuid4(), "wav", 44, b"sum", NOW, LISBON)
    assert await Memos(database, reception, LISBON).add(user, new)
    assert not await Memos(database, reception, LISBON).add(user, new)
    return new.id


async def test_a_recording_is_in_the_ledger_before_it_is_heard_and_can_be_undone(
    database: Database, ledger: PostgresLedger, user: UUID
) -> None:
    memo_id = await _recorded(database, ledger, user)
    with acting_as(Principal(user)):
        [made] = await ledger.changes_after(str(user), 0, 9)
        assert (made.op, made.kind, made.record_id, made.status) == ("create", "memo", str(memo_id), "applied")
        assert made.title == f"memo of {NOW:%Y-%m-%d}"
        assert await ledger.history(str(user), Lookback(), 9) == [], "that it was recorded is no news to its user"
        gone = await undo_change(ledger, user, UUID(made.id), uuid4(), "UTC")
        assert (gone.status, await Memos(database).get(user, memo_id)) == ("applied", None)
        back = await undo_change(ledger, user, UUID(gone.id), uuid4(), "UTC")
        assert back.status == "applied"
    memo = await Memos(database).get(user, memo_id)
    assert memo is not None
    assert (memo.state, memo.retryable, memo.edited) == ("failed", True, False), "nobody hears it any more"


async def test_what_was_heard_is_back_when_its_correction_is_undone(
    database: Database, ledger: PostgresLedger, user: UUID
) -> None:
    memos, memo_id = Memos(database), await _recorded(database, ledger, user)
    edits = MemoEdits(database, ledger, lambda _user: None, LISBON)
    segments = [{"start_ms": 0, "end_ms": 9, "text": "call Ren", "confidence": 0.5}]
    await memos.set_state(user, memo_id, "transcribed", transcript="call Ren", title="call Ren", segments=segments)
    for words in ("call Renee", "call Irene"):
        change = await edits.edit(user, memo_id, MemoEdit(words, "A call"))
        assert change is not None
        edited = await memos.get(user, memo_id)
        assert edited is not None
        assert (edited.transcript, edited.title, edited.segments, edited.edited) == (words, "A call", [], True)
        with acting_as(Principal(user)):
            assert (await undo_change(ledger, user, UUID(change.id), uuid4(), "UTC")).status == "applied"
        memo = await memos.get(user, memo_id)
        assert memo is not None
        told = (memo.state, memo.transcript, memo.title, memo.segments, memo.edited)
        assert told == ("transcribed", "call Ren", "call Ren", segments, False)
    kept = [(version.transcript, version.current) for version in await memos.versions(user, memo_id)]
    assert kept == [("call Ren", True), ("call Renee", False), ("call Irene", False)]
