"""Another master key: every stored secret is sealed anew, and the old key is kept until the last one is.

Each user's rows are one transaction, and what is sealed under the newest key is left alone: however often this is
interrupted, it goes on where it was.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from psycopg import sql

from app.calendars.store import synced_calendars
from app.database.database import Connection, Database
from app.database.secrets import CannotUnseal, KeyRing
from app.models.store import providers
from app.records.store import webhooks
from app.work.mail.store import accounts as mail_accounts

GRACE_SECONDS = 1.0
"""Servers seal with the new key as soon as it is in the file; what they had begun is in the database by then."""


@dataclass(frozen=True)
class Vault:
    """A column of sealed secrets; ``place`` is the row's part of what each is bound to."""

    table: str
    key: str
    column: str
    place: Callable[[Any], str]


VAULTS = (
    Vault("providers", "slug", "api_key", providers.place_of),
    Vault("webhooks", "id", "secret", webhooks.place_of),
    Vault("calendar_accounts", "id", "password", synced_calendars.place_of),
    Vault("mail_accounts", "id", "password", mail_accounts.place_of),
)


@dataclass
class Resealed:
    """How many secrets were sealed anew, and which cannot be read: they are forged, or their key is not there."""

    count: int = 0
    unreadable: list[str] = field(default_factory=list)


async def rotate(
    database: Database, keys: KeyRing, owners: Iterable[UUID], *, grace_seconds: float = GRACE_SECONDS
) -> Resealed:
    """Put a new key on top unless an earlier rotation did, seal everything under it, and retire the others at the end.

    As long as a secret cannot be read, no key is retired.
    """
    keys.begin_rotation()
    everybody = list(owners)
    found = await reseal(database, keys, everybody)
    await asyncio.sleep(grace_seconds)
    late = await reseal(database, keys, everybody)
    if not late.unreadable:
        keys.end_rotation()
    return Resealed(found.count + late.count, late.unreadable)


async def reseal(database: Database, keys: KeyRing, owners: Iterable[UUID]) -> Resealed:
    """Seal what is still under an older key."""
    found = Resealed()
    for owner in owners:
        async with database.tenant(owner) as conn:
            for vault in VAULTS:
                await _reseal(conn, keys, vault, owner, found)
    return found


async def _reseal(conn: Connection, keys: KeyRing, vault: Vault, owner: UUID, found: Resealed) -> None:
    names = {name: sql.Identifier(getattr(vault, name)) for name in ("table", "key", "column")}
    select = (
        "select {key} as key, {column} as sealed from {table} where user_id = %s and {column} is not null for update"
    )
    update = sql.SQL("update {table} set {column} = %s where user_id = %s and {key} = %s").format(**names)
    for row in await (await conn.execute(sql.SQL(select).format(**names), (owner,))).fetchall():
        sealed, place = bytes(row["sealed"]), vault.place(row["key"])
        try:
            secret = keys.unseal(sealed, owner, place)
        except (CannotUnseal, ValueError):
            found.unreadable.append(f"{vault.table} {row['key']} of user {owner}")
            continue
        if not keys.sealed_by_newest(sealed):
            await conn.execute(update, (keys.seal(secret, owner, place), owner, row["key"]))
            found.count += 1
