"""Answers kept for the idempotency keys of POSTs other than turns."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from app.storage.database import Database

FIND = """
select body_hash, status, body from replays
where user_id = %s and key = %s and created_at > now() - interval '24 hours'
"""
KEEP = """
insert into replays (user_id, key, body_hash, status, body) values (%s, %s, %s, %s, %s)
on conflict (user_id, key) do update
set body_hash = excluded.body_hash, status = excluded.status, body = excluded.body, created_at = now()
where replays.created_at <= now() - interval '24 hours'
"""
FORGET = "delete from replays where user_id = %s and created_at <= now() - interval '24 hours'"


class PostgresReplays:
    """Replays over Postgres, for 24 hours."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, user_id: UUID, key: str) -> tuple[bytes, int, dict[str, Any]] | None:
        """(body hash, status, body) of the request that used the key."""
        async with self._database.glance(user_id) as conn:
            row = await (await conn.execute(FIND, (user_id, key))).fetchone()
        return (bytes(row["body_hash"]), row["status"], row["body"]) if row else None

    async def keep(self, user_id: UUID, key: str, body_hash: bytes, status: int, body: dict[str, Any]) -> None:
        """Remember an answer, and forget the outdated ones."""
        async with self._database.tenant(user_id) as conn:
            await conn.execute(KEEP, (user_id, key, body_hash, status, Jsonb(body)))
            await conn.execute(FORGET, (user_id,))
