"""Voice memos: their states and transcripts; the bytes lie in the clip folder."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from psycopg import sql
from psycopg.types.json import Jsonb

from app.ports import Memo, MemoState, Page
from app.storage.database import Database
from app.storage.paging import decode_latest, page

COLUMNS = (
    "id, title, transcript, language, segments, engine, confidence, captured_at, timezone, state, reason, retryable, "
    "tries, turn_id, container, size, duration_ms, created_at, updated_at"
)
GET = f"select {COLUMNS} from memos where user_id = %s and id = %s"  # noqa: S608
LATEST = f"""
select {COLUMNS} from memos where user_id = %(user_id)s
  and (%(at)s::timestamptz is null or (captured_at, id) < (%(at)s::timestamptz, %(id)s::uuid))
order by captured_at desc, id desc limit %(limit)s
"""  # noqa: S608


class PostgresMemos:
    """Memos over Postgres."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, user_id: UUID, memo_id: UUID) -> Memo | None:
        """One memo."""
        async with self._database.glance(user_id) as conn:
            row = await (await conn.execute(GET, (user_id, memo_id))).fetchone()
        return Memo(**row) if row else None

    async def list(self, user_id: UUID, limit: int, cursor: str | None) -> Page:
        """Memos, the latest first."""
        at, last = decode_latest(cursor)
        values = {"user_id": user_id, "at": at, "id": last, "limit": limit + 1}
        async with self._database.glance(user_id) as conn:
            rows = await (await conn.execute(LATEST, values)).fetchall()
        return page([Memo(**row) for row in rows], limit, lambda memo: (memo.captured_at.isoformat(), memo.id))

    async def set_state(self, user_id: UUID, memo_id: UUID, state: MemoState, **values: Any) -> None:
        """Move a memo on; ``values`` are columns such as transcript, segments, reason, retryable."""
        columns = {"state": state, **values}
        if "segments" in columns:
            columns["segments"] = Jsonb(columns["segments"])
        pairs = sql.SQL(", ").join(sql.SQL("{} = %s").format(sql.Identifier(name)) for name in columns)
        query = sql.SQL("update memos set {}, updated_at = now() where user_id = %s and id = %s").format(pairs)
        async with self._database.tenant(user_id) as conn:
            await conn.execute(query, (*columns.values(), user_id, memo_id))
