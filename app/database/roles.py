"""The two roles that Summit works under, made and granted on any PostgreSQL whose login role may do so."""

from __future__ import annotations

import asyncio

from psycopg import AsyncConnection, errors, sql
from psycopg.rows import DictRow

APP_ROLE = "summit_app"  # owns nothing; every query of a request or turn runs under it
SYSTEM_ROLE = "summit_system"  # owner of the few functions that look across tenants
MEMBERSHIP_WITH_OPTIONS = 160000  # server version since which a grant says whether SET ROLE is allowed

MISSING = """
select name, exists (select from pg_roles where rolname = name) as present
from unnest(%(roles)s::text[]) as name
where not exists (select from pg_roles where rolname = name)
   or not pg_has_role(current_user, name, %(privilege)s)
"""

CREATE = """
do $$ begin
    create role {role} nologin nosuperuser nobypassrls nocreatedb nocreaterole;
exception when duplicate_object or unique_violation then null;
end $$
"""


async def roles_ready(conn: AsyncConnection[DictRow]) -> bool:
    """Whether both roles exist and the login role may become them."""
    return not await _missing(conn)


async def ensure_roles(conn: AsyncConnection[DictRow]) -> None:
    """Create both roles and let the login role become them; safe against others doing the same elsewhere.

    Raises psycopg's InsufficientPrivilege when the login role may not.
    """
    for attempt in range(10):
        try:
            await _grant_missing(conn)
        except (errors.UniqueViolation, errors.InternalError_):
            # Roles belong to the whole server: another database's migration touched the same row just now.
            await asyncio.sleep(0.02 * (attempt + 1))
        else:
            return
    await _grant_missing(conn)


async def _grant_missing(conn: AsyncConnection[DictRow]) -> None:
    for row in await _missing(conn):
        await _create_and_grant(conn, row["name"], present=row["present"])


async def _missing(conn: AsyncConnection[DictRow]) -> list[DictRow]:
    privilege = "SET" if conn.info.server_version >= MEMBERSHIP_WITH_OPTIONS else "MEMBER"
    found = await conn.execute(MISSING, {"roles": [APP_ROLE, SYSTEM_ROLE], "privilege": privilege})
    return await found.fetchall()


async def _create_and_grant(conn: AsyncConnection[DictRow], role: str, *, present: bool) -> None:
    name = sql.Identifier(role)
    if not present:
        await conn.execute(sql.SQL(CREATE).format(role=name))
    options = " with inherit true, set true" if conn.info.server_version >= MEMBERSHIP_WITH_OPTIONS else ""
    await conn.execute(sql.SQL("grant {} to current_user" + options).format(name))
