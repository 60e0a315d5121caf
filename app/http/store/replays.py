"""Answers kept for the idempotency keys of POSTs other than turns."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from app.database.database import Database

FIND = """
select body_hash, status, body from replays
where user_id = %s and key = %s and created_at > now() - interval '24 hours'
"""
RESERVE = """
insert into replays (user_id, key, body_hash, owner) values (%s, %s, %s, %s)
on conflict (user_id, key) do update
set body_hash = excluded.body_hash, owner = excluded.owner, status = null, body = null, created_at = now()
where replays.created_at <= now() - interval '24 hours'
   or replays.status is null and replays.body_hash = excluded.body_hash
      and replays.created_at <= now() - interval '30 seconds'
returning key
"""
KEEP = """
update replays set status = %s, body = %s
where user_id = %s and key = %s and owner = %s and status is null returning key
"""
RELEASE = "delete from replays where user_id = %s and key = %s and owner = %s and status is null"
FORGET = "delete from replays where user_id = %s and created_at <= now() - interval '24 hours'"


class Replays:
    """Replays over Postgres, for 24 hours."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def reserve(self, user_id: UUID, key: str, body_hash: bytes, owner: UUID) -> bool:
        """Whether the key is the owner's now: unused, outdated, or left by an owner of the same request that died."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(RESERVE, (user_id, key, body_hash, owner))).fetchone()
        return row is not None

    async def find(self, user_id: UUID, key: str) -> tuple[bytes, int | None, dict[str, Any] | None] | None:
        """(body hash, status, body) of the request that used the key; status and body are None until it is done."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(FIND, (user_id, key))).fetchone()
        return (bytes(row["body_hash"]), row["status"], row["body"]) if row else None

    async def keep(self, user_id: UUID, key: str, owner: UUID, status: int, body: dict[str, Any]) -> bool:
        """Remember an answer and forget the outdated ones; False when another owner took the key over."""
        async with self._database.tenant(user_id) as conn:
            row = await (await conn.execute(KEEP, (status, Jsonb(body), user_id, key, owner))).fetchone()
            await conn.execute(FORGET, (user_id,))
        return row is not None

    async def release(self, user_id: UUID, key: str, owner: UUID) -> None:
        """Give a reserved key back unused."""
        async with self._database.tenant(user_id) as conn:
            await conn.execute(RELEASE, (user_id, key, owner))
