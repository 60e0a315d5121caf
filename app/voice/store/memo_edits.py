"""Memos written, corrected and deleted by their user: each is a change of the ledger, committed with its rows."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from langgraph.store.base import PutOp

from agents.contract import Change, Op, Proposal
from agents.ports import Batch
from agents.records import MemoRecord
from agents.store import namespace
from app.database.database import Connection, Database
from app.database.store import bound_store
from app.records.store.ledger import PostgresLedger
from app.voice.model import MemoEdit, TextMemo
from app.voice.store.recordings import LOCK

AGENT = "memos"
EDIT_REASON = "edited by hand"
ROW = """
select m.id, m.title, m.transcript, m.captured_at, m.timezone, m.created_at, m.deleted_at, s.value as record
from memos m left join store s on s.user_id = m.user_id and s.prefix = %(prefix)s and s.key = m.id::text
where m.user_id = %(user_id)s and m.id = %(id)s
"""
PLACE = """
insert into memos (user_id, id, captured_at, timezone, state, container, size, sha256)
select u.user_id, %(id)s, %(captured_at)s, coalesce(%(timezone)s, u.settings->>'timezone', %(usual)s), 'transcribed',
       'text', %(size)s, %(sha256)s
from users u where u.user_id = %(user_id)s
on conflict do nothing
"""
VERSION = "insert into memo_transcripts (user_id, id, memo_id, text) values (%s, %s, %s, %s)"
INSERT_TRANSCRIPT = """
insert into memo_transcripts (user_id, id, memo_id, text, segments, heard)
select user_id, gen_random_uuid(), id, transcript, segments, true from memos
where user_id = %s and id = %s and transcript <> '' and transcript_id is null
on conflict (user_id, memo_id) where heard do nothing
"""
RIGHT = """
update memos set state = 'transcribed', reason = null, updated_at = now()
where user_id = %s and id = %s and state = 'needs_you'
"""
"""Uncertain words that their user sends as they are need no yes any more; nothing of the memo itself changes."""


class MemoEdits:
    """Edits of memos over Postgres; ``wake`` tells those who follow a user, ``usual_timezone`` is that without one."""

    def __init__(
        self, database: Database, ledger: PostgresLedger, wake: Callable[[UUID], None], usual_timezone: str = "UTC"
    ) -> None:
        self._database = database
        self._ledger = ledger
        self._wake = wake
        self._usual_timezone = usual_timezone

    async def write(self, user_id: UUID, new: TextMemo) -> Change | None:
        """Keep a memo in words, or bring the one with its id up to it; None where it is like that already."""
        async with self._begin(user_id) as conn:
            row = await self._row(conn, user_id, new.id)
            if row and not row["deleted_at"]:
                edit = MemoEdit(new.transcript, new.title or None, new.captured_at, new.timezone)
                return await self._edit(conn, user_id, row, edit)
            await conn.execute(PLACE, self._new_row_values(user_id, new))
            version = await _keep_version(conn, user_id, new.id, new.transcript)
            edit = MemoEdit(None, new.title, new.captured_at, new.timezone)
            said = await self._record_fields(conn, user_id, new.id, edit, new.external_id)
            return await self._apply(conn, user_id, new.id, "create", {**said, "transcript_id": str(version)})

    async def post_again(self, user_id: UUID, memo_id: UUID, wanted: MemoEdit, external_id: str) -> Change | None:
        """The same for a recording that is posted again, which brings it back if it was deleted."""
        async with self._begin(user_id) as conn:
            row = await self._row(conn, user_id, memo_id)
            if row is None:
                return None
            if not row["deleted_at"]:
                return await self._edit(conn, user_id, row, wanted)
            fields = await self._record_fields(conn, user_id, memo_id, wanted, external_id)
            return await self._apply(conn, user_id, memo_id, "create", fields)

    async def edit(self, user_id: UUID, memo_id: UUID, wanted: MemoEdit) -> Change | None:
        """Correct what is known of a memo; None where it is like that already, or where there is none.

        Uncertain words that are given as they are need no yes any more.
        """
        async with self._begin(user_id) as conn:
            row = await self._row(conn, user_id, memo_id)
            return await self._edit(conn, user_id, row, wanted) if row and not row["deleted_at"] else None

    async def delete(self, user_id: UUID, memo_id: UUID) -> Change | None:
        """Hide a memo until it is purged; None where there is none."""
        async with self._begin(user_id) as conn:
            row = await self._row(conn, user_id, memo_id)
            if row is None or row["deleted_at"]:
                return None
            await self._adopt(conn, user_id, row)
            return await self._apply(conn, user_id, memo_id, "delete", {})

    @asynccontextmanager
    async def _begin(self, user_id: UUID) -> AsyncIterator[Connection]:
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOCK, (user_id,))
            yield conn
        self._wake(user_id)

    async def _edit(self, conn: Connection, user_id: UUID, row: dict[str, Any], wanted: MemoEdit) -> Change | None:
        fields: dict[str, Any] = {}
        if wanted.title is not None and wanted.title != row["title"]:
            fields["title"] = wanted.title
        if wanted.captured_at is not None and wanted.captured_at != row["captured_at"]:
            fields["captured_at"] = wanted.captured_at.isoformat()
        if wanted.timezone is not None and wanted.timezone != row["timezone"]:
            fields["timezone"] = wanted.timezone
        reworded = wanted.transcript is not None and wanted.transcript != row["transcript"]
        if wanted.transcript is not None and not reworded:
            await conn.execute(RIGHT, (user_id, row["id"]))
        if not fields and not reworded:
            return None
        await self._adopt(conn, user_id, row)
        if wanted.transcript is not None and reworded:
            await conn.execute(INSERT_TRANSCRIPT, (user_id, row["id"]))
            version = await _keep_version(conn, user_id, row["id"], wanted.transcript)
            fields["transcript_id"] = str(version)
        return await self._apply(conn, user_id, row["id"], "update", fields)

    async def _adopt(self, conn: Connection, user_id: UUID, row: dict[str, Any]) -> None:
        """Give a memo of an earlier version of Summit the record that it changes, with all that an undo brings back."""
        if row["record"] and row["record"].get("timezone"):
            return
        fresh = MemoRecord(
            id=str(row["id"]),
            created_at=row["created_at"],
            updated_at=row["created_at"],
            captured_at=row["captured_at"],
        )
        record = {**(row["record"] or fresh.model_dump(mode="json")), "timezone": row["timezone"]}
        await bound_store(conn).abatch([PutOp(namespace("memo", str(user_id)), fresh.id, record, index=False)])

    async def _apply(self, conn: Connection, user_id: UUID, memo_id: UUID, op: Op, fields: dict[str, Any]) -> Change:
        proposal = Proposal(op=op, kind="memo", record_id=str(memo_id), fields=fields, reason=EDIT_REASON)
        batch = Batch(
            user_id=str(user_id),
            origin=str(uuid4()),
            agent=AGENT,
            proposals=[proposal],
            at=datetime.now(UTC),
            timezone=self._usual_timezone,
        )
        return (await self._ledger.apply_within(conn, batch))[0]

    async def _record_fields(
        self, conn: Connection, user_id: UUID, memo_id: UUID, wanted: MemoEdit, external_id: str | None
    ) -> dict[str, Any]:
        """What a record of a memo says when it is made, or made again: what is not stated is as in its row."""
        row = await self._row(conn, user_id, memo_id) or {}
        return {
            "title": wanted.title or "",
            "external_id": external_id,
            "captured_at": (wanted.captured_at or row["captured_at"]).isoformat(),
            "timezone": wanted.timezone or row["timezone"],
        }

    async def _row(self, conn: Connection, user_id: UUID, memo_id: UUID) -> dict[str, Any] | None:
        values = {"user_id": user_id, "id": memo_id, "prefix": ".".join(namespace("memo", str(user_id)))}
        return await (await conn.execute(ROW, values)).fetchone()

    def _new_row_values(self, user_id: UUID, new: TextMemo) -> dict[str, Any]:
        words = new.transcript.encode()
        return {
            "user_id": user_id,
            "id": new.id,
            "captured_at": new.captured_at or datetime.now(UTC),
            "timezone": new.timezone,
            "usual": self._usual_timezone,
            "size": len(words),
            "sha256": hashlib.sha256(words).digest(),
        }


async def _keep_version(conn: Connection, user_id: UUID, memo_id: UUID, text: str) -> UUID:
    version = uuid4()
    await conn.execute(VERSION, (user_id, version, memo_id, text))
    return version
