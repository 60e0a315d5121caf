"""Tenants, their settings and the digests of their keys."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from psycopg.types.json import Jsonb

from app.database.database import Database
from app.errors import Conflict
from app.http.accounts.model.users import ApiKey, Scope, User, main_thread

CREATE = "insert into users (user_id, name) values (%s, %s) on conflict (user_id) do nothing"
COUNT = "insert into counters (user_id) values (%s) on conflict do nothing"
MAIN_THREAD = "insert into threads (user_id, id, title, is_main) values (%s, %s, 'Main', true) on conflict do nothing"
GET = "select user_id as id, name, settings, created_at from users where user_id = %s"
MERGE = "update users set settings = jsonb_strip_nulls(settings || %s) where user_id = %s"
ADD_KEY = """
insert into api_keys (user_id, id, name, digest, hint, scopes, expires_at) values (%s, %s, %s, %s, %s, %s, %s)
on conflict (user_id, id) do update set digest = excluded.digest, hint = excluded.hint
where api_keys.created_at > now() - interval '24 hours'
returning user_id, id, name, hint, scopes, created_at, expires_at
"""
OPEN = "insert into sessions (user_id, key_id, digest, expires_at) values (%s, %s, %s, %s)"
OVER = "delete from sessions where user_id = %s and expires_at <= now()"
KEYS = """
select user_id, id, name, hint, scopes, created_at, expires_at from api_keys where user_id = %s order by created_at, id
"""


class Users:
    """Users over Postgres; lookups across tenants go through definer functions that return no content."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, name: str, user_id: UUID | None = None) -> User:
        """A new tenant with its main thread; an existing ``user_id`` is returned unchanged."""
        made = user_id or uuid4()
        async with self._database.tenant(made) as conn:
            await conn.execute(CREATE, (made, name))
            await conn.execute(COUNT, (made,))
            await conn.execute(MAIN_THREAD, (made, main_thread(made)))
            row = await (await conn.execute(GET, (made,))).fetchone()
        if row is None:
            raise LookupError(f"user {made} was not created")
        return User(**row)

    async def get(self, user_id: UUID) -> User | None:
        """One tenant."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(GET, (user_id,))).fetchone()
        return User(**row) if row else None

    async def list(self) -> list[User]:
        """Every tenant (administration only)."""
        async with self._database.system() as conn:
            rows = await (
                await conn.execute("select user_id as id, name, settings, created_at from all_users()")
            ).fetchall()
        return [User(**row) for row in rows]

    async def update_settings(self, user_id: UUID, values: dict[str, Any]) -> User:
        """Merge settings; None removes one."""
        async with self._database.tenant(user_id) as conn:
            await conn.execute(MERGE, (Jsonb(values), user_id))
            row = await (await conn.execute(GET, (user_id,))).fetchone()
        if row is None:
            raise LookupError(f"There is no user {user_id}.")
        return User(**row)

    async def create_key(
        self,
        user_id: UUID,
        name: str,
        digest: bytes,
        hint: str,
        scopes: Sequence[Scope],
        expires_at: datetime | None,
        key_id: UUID | None = None,
    ) -> ApiKey:
        """Keep a key's SHA-256, never the key; ``key_id`` again replaces it within a day, then raises Conflict."""
        values = (user_id, key_id or uuid4(), name, digest, hint, list(scopes), expires_at)
        async with self._database.tenant(user_id) as conn:
            row = await (await conn.execute(ADD_KEY, values)).fetchone()
        if row is None:
            raise Conflict(
                "This request made another API key before.", hint="Use a new Idempotency-Key for each new key."
            )
        return _key(row)

    async def find_key(self, digest: bytes) -> ApiKey | None:
        """The key with this digest, of any tenant; expired ones are returned too."""
        async with self._database.system() as conn:
            row = await (await conn.execute("select * from find_key(%s)", (digest,))).fetchone()
        return _key(row) if row else None

    async def keys(self, user_id: UUID) -> Sequence[ApiKey]:
        """The tenant's keys."""
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(KEYS, (user_id,))).fetchall()
        return [_key(row) for row in rows]

    async def delete_key(self, user_id: UUID, key_id: UUID) -> bool:
        """Revoke a key at once."""
        async with self._database.tenant(user_id) as conn:
            gone = await conn.execute(
                "delete from api_keys where user_id = %s and id = %s returning id", (user_id, key_id)
            )
            return await gone.fetchone() is not None

    async def open_session(self, user_id: UUID, key_id: UUID, digest: bytes, expires_at: datetime) -> None:
        """Keep a session of a key by its token's digest; the user's sessions that have ended are dropped."""
        async with self._database.tenant(user_id) as conn:
            await conn.execute(OVER, (user_id,))
            await conn.execute(OPEN, (user_id, key_id, digest, expires_at))

    async def find_session(self, digest: bytes) -> ApiKey | None:
        """The key behind a session that has not ended; it expires with whichever of both ends first."""
        async with self._database.system() as conn:
            row = await (await conn.execute("select * from find_session(%s)", (digest,))).fetchone()
        return _key(row) if row else None

    async def close_session(self, user_id: UUID, digest: bytes) -> None:
        """End a session at once."""
        async with self._database.tenant(user_id) as conn:
            await conn.execute("delete from sessions where user_id = %s and digest = %s", (user_id, digest))

    async def any_key(self) -> bool:
        """Whether any tenant has a key: then loopback needs one too."""
        async with self._database.system() as conn:
            row = await (await conn.execute("select any_key() as found")).fetchone()
        return bool(row and row["found"])


def _key(row: dict[str, Any]) -> ApiKey:
    return ApiKey(**{**row, "scopes": tuple(row["scopes"])})
