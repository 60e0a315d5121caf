"""Recordings that are coming in, over Postgres; their bytes lie in the clip folder."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from app.database.database import Database
from app.turns.model.uploads import Extended, NewUpload, Upload, UploadWanted
from app.voice.model import NewMemo
from app.voice.store.recordings import LOCK, Reception

MEMO = """
insert into memos (user_id, id, captured_at, timezone, state, container, size, sha256)
select %(user_id)s, %(memo_id)s, %(captured_at)s, coalesce(%(timezone)s, u.settings->>'timezone', %(usual_timezone)s),
       'receiving', '', 0, ''
from users u where u.user_id = %(user_id)s
on conflict do nothing returning id
"""
BEGIN = """
insert into uploads (user_id, memo_id, form, act, wanted)
values (%(user_id)s, %(memo_id)s, %(form)s, %(act)s, %(wanted)s)
"""
GET = """
select u.memo_id, u.form, u.received, u.act, u.wanted, m.captured_at, m.timezone
from uploads u join memos m on m.user_id = u.user_id and m.id = u.memo_id
where u.user_id = %s and u.memo_id = %s
"""
PLACE = "select received from uploads where user_id = %s and memo_id = %s and not closed for update"
CLOSE_UPLOAD = "update uploads set closed = true where user_id = %s and memo_id = %s"
SET_RECEIVED = "update uploads set received = %s, updated_at = now() where user_id = %s and memo_id = %s"
SET_MEMO_SIZE = "update memos set size = %s where user_id = %s and id = %s and state = 'receiving'"
FINISH = """
update memos set state = 'received', container = %(container)s, size = %(size)s, sha256 = %(sha256)s, updated_at = now()
where user_id = %(user_id)s and id = %(id)s and state = 'receiving' returning id
"""
FAIL = """
update memos set state = 'failed', reason = %s, updated_at = now() where user_id = %s and id = %s
  and state = 'receiving' returning id
"""
FORGET = "delete from uploads where user_id = %s and memo_id = %s returning memo_id"
DROP = "delete from memos where user_id = %s and id = %s and state = 'receiving'"


class PostgresUploads:
    """What is known of recordings that are coming in."""

    def __init__(self, database: Database, reception: Reception, usual_timezone: str = "UTC") -> None:
        self._database = database
        self._reception = reception
        self._usual_timezone = usual_timezone

    async def begin(self, user_id: UUID, new: NewUpload) -> bool:
        """Keep a memo that is being received; False where there is a memo with this id."""
        wanted = {**asdict(new.wanted), "thread_id": str(new.wanted.thread_id) if new.wanted.thread_id else None}
        values: dict[str, Any] = {**vars(new), "user_id": user_id, "usual_timezone": self._usual_timezone}
        async with self._database.tenant(user_id) as conn:
            made = await (await conn.execute(MEMO, values)).fetchone()
            if made:
                await conn.execute(BEGIN, {**values, "wanted": Jsonb(wanted)})
        return made is not None

    async def get(self, user_id: UUID, memo_id: UUID) -> Upload | None:
        """One that is not whole yet."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(GET, (user_id, memo_id))).fetchone()
        return Upload(**{**row, "wanted": _parse_wanted(row["wanted"])}) if row else None

    async def extend(
        self, user_id: UUID, memo_id: UUID, offset: int, size: int, write: Callable[[], None]
    ) -> Extended | None:
        """Run ``write``, which makes ``size`` bytes at ``offset`` durable, if that is where the next belong.

        None where no more are taken at all.
        The row is locked while the bytes are written, so that two cannot write one place.
        """
        async with self._database.tenant(user_id) as conn:
            row = await (await conn.execute(PLACE, (user_id, memo_id))).fetchone()
            if row is None:
                return None
            received: int = row["received"]
            if taken := received == offset:
                await asyncio.to_thread(write)
                received += size
                await conn.execute(SET_RECEIVED, (received, user_id, memo_id))
                await conn.execute(SET_MEMO_SIZE, (received, user_id, memo_id))
        return Extended(received, taken)

    async def close(self, user_id: UUID, memo_id: UUID) -> Upload | None:
        """Take no more bytes from here on; what there is."""
        async with self._database.tenant(user_id) as conn:
            await conn.execute(CLOSE_UPLOAD, (user_id, memo_id))
        return await self.get(user_id, memo_id)

    async def finish(self, user_id: UUID, memo: NewMemo) -> None:
        """It is whole, and no turn waits for it: have it transcribed."""
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOCK, (user_id,))
            if await (await conn.execute(FINISH, {**vars(memo), "user_id": user_id})).fetchone():
                await self._reception.add_to_ledger(conn, user_id, memo.id)
                await self._reception.defer_transcription(conn, user_id, memo.id)
            await conn.execute(FORGET, (user_id, memo.id))
        self._reception.wake(user_id)

    async def forget(self, user_id: UUID, memo_id: UUID, *, with_memo: bool = False) -> bool:
        """No longer one that comes in; ``with_memo`` forgets that there was any."""
        async with self._database.tenant(user_id) as conn:
            known = await (await conn.execute(FORGET, (user_id, memo_id))).fetchone()
            if known and with_memo:
                await conn.execute(DROP, (user_id, memo_id))
        return known is not None

    async def fail(self, user_id: UUID, memo_id: UUID, reason: str) -> None:
        """What came is kept as a memo that nothing can make words of."""
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOCK, (user_id,))
            if await (await conn.execute(FAIL, (reason, user_id, memo_id))).fetchone():
                await self._reception.add_to_ledger(conn, user_id, memo_id)
            await conn.execute(FORGET, (user_id, memo_id))
        self._reception.wake(user_id)

    async def idle(self, seconds: float, most: int) -> Sequence[tuple[UUID, UUID]]:
        """(user, memo) of all tenants for which nothing came in so long."""
        async with self._database.system() as conn:
            rows = await (
                await conn.execute("select owner, memo from idle_uploads(%s, %s)", (seconds, most))
            ).fetchall()
        return [(row["owner"], row["memo"]) for row in rows]


def _parse_wanted(stored: dict[str, Any]) -> UploadWanted:
    return UploadWanted(UUID(stored["thread_id"]) if stored["thread_id"] else None, stored["strategy"], stored["speak"])
