"""Recordings at the moment at which they become memos: a row of the ledger and a job, committed with the memo."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Protocol
from uuid import UUID, uuid4

from agents.contract import Proposal
from agents.ports import Batch
from app.database.database import Connection
from app.records.store.history import RECORDER
from app.records.store.ledger import PostgresLedger

RECORDING_REASON = "recorded"
SELECT_MEMO = "select captured_at, timezone, title, external_id from memos where user_id = %s and id = %s"
LOCK = "select 1 from counters where user_id = %s for update"
"""The user's lock, which the ledger takes; whoever changes memos with it takes it before their rows."""


class Reception(Protocol):
    """What follows when a recording became a memo, in the transaction ``conn`` that made it one."""

    async def add_to_ledger(self, conn: Connection, user_id: UUID, memo_id: UUID) -> None:
        """Put the memo into the ledger."""

    async def defer_transcription(self, conn: Connection, user_id: UUID, memo_id: UUID) -> None:
        """Have it transcribed once ``conn`` commits."""

    def wake(self, user_id: UUID) -> None:
        """Tell those who follow the user, after the commit."""


class NullReception:
    """For those who only read memos."""

    async def add_to_ledger(self, conn: Connection, user_id: UUID, memo_id: UUID) -> None:
        """See Reception."""

    async def defer_transcription(self, conn: Connection, user_id: UUID, memo_id: UUID) -> None:
        """See Reception."""

    def wake(self, user_id: UUID) -> None:
        """See Reception."""


class Recordings:
    """See Reception; ``defer`` makes the job, ``wake`` tells those who follow a user."""

    def __init__(
        self,
        ledger: PostgresLedger,
        defer: Callable[[Connection, UUID, UUID], Awaitable[None]],
        wake: Callable[[UUID], None],
    ) -> None:
        self._ledger = ledger
        self._defer = defer
        self._wake = wake

    async def add_to_ledger(self, conn: Connection, user_id: UUID, memo_id: UUID) -> None:
        """See Reception."""
        row = await (await conn.execute(SELECT_MEMO, (user_id, memo_id))).fetchone()
        fields = {**row, "captured_at": row["captured_at"].isoformat()} if row else {}
        made = Proposal(op="create", kind="memo", record_id=str(memo_id), fields=fields, reason=RECORDING_REASON)
        batch = Batch(
            user_id=str(user_id),
            origin=str(uuid4()),
            agent=RECORDER,
            proposals=[made],
            at=datetime.now(UTC),
            timezone="UTC",
        )
        await self._ledger.apply_within(conn, batch)

    async def defer_transcription(self, conn: Connection, user_id: UUID, memo_id: UUID) -> None:
        """See Reception."""
        await self._defer(conn, user_id, memo_id)

    def wake(self, user_id: UUID) -> None:
        """See Reception."""
        self._wake(user_id)
