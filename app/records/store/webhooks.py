"""Webhooks, and what is on its way to them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from uuid import UUID, uuid4

from app.database.database import Connection, Database
from app.database.model import Page
from app.database.paging import decode_latest, page
from app.database.secrets import KeyRing
from app.errors import Conflict
from app.records.model.notices import Delivery, Notification, Parcel, Webhook, WebhookFormat

COLUMNS = "id, url, format, created_at"
DELIVERY = "id, webhook_id, notification_id, state, attempts, status, error, next_at, created_at, finished_at"
LIST = f"select {COLUMNS} from webhooks where user_id = %s order by created_at, id"  # noqa: S608
GET = f"select {COLUMNS} from webhooks where user_id = %s and id = %s"  # noqa: S608
LOCK = "select 1 from counters where user_id = %s for update"
# A request that is sent again finds its row; its secret was perhaps never seen, so the new one counts.
CREATE = f"""
insert into webhooks (user_id, id, url, format, secret) values (%s, %s, %s, %s, %s)
on conflict (user_id, id) do update set secret = excluded.secret returning {COLUMNS}
"""  # noqa: S608
DELETE = "delete from webhooks where user_id = %s and id = %s returning id"
DELIVERIES = f"""
select {DELIVERY} from webhook_deliveries
where user_id = %(user_id)s and webhook_id = %(webhook_id)s
  and (%(at)s::timestamptz is null or (created_at, id) < (%(at)s, %(id)s))
order by created_at desc, id desc limit %(limit)s
"""  # noqa: S608
SPREAD = """
insert into webhook_deliveries (user_id, id, webhook_id, notification_id, next_at)
select w.user_id, gen_random_uuid(), w.id, told.id, now()
from webhooks w, unnest(%s::uuid[]) as told (id) where w.user_id = %s returning id
"""
PARCEL = """
select d.id, d.attempts, d.notification_id, w.id as webhook_id, w.url, w.format, w.secret
from webhook_deliveries d join webhooks w on w.user_id = d.user_id and w.id = d.webhook_id
where d.user_id = %s and d.id = %s and d.state = 'pending'
"""
SETTLE = """
update webhook_deliveries set state = %(state)s, attempts = attempts + 1, status = %(status)s, error = %(error)s,
    next_at = %(next_at)s, finished_at = case when %(state)s = 'pending' then null else now() end
where user_id = %(user_id)s and id = %(id)s and state = 'pending' returning id
"""
RETRY_DELIVERY = f"""
update webhook_deliveries set state = 'pending', attempts = 0, next_at = now(), finished_at = null
where user_id = %s and webhook_id = %s and id = %s and state = 'dead' returning {DELIVERY}
"""  # noqa: S608

Defer = Callable[[Connection, UUID, UUID, datetime | None], Awaitable[None]]
"""Adds the job of a delivery in a transaction, to be done now or at a moment."""


class Webhooks:
    """Addresses that receive notifications, and the deliveries to them. Secrets are sealed by ``keys``."""

    def __init__(self, database: Database, keys: KeyRing, defer: Defer, *, most: int) -> None:
        self._database = database
        self._keys = keys
        self._defer = defer
        self._most = most

    async def create(
        self, user_id: UUID, url: str, form: WebhookFormat, secret: str, webhook_id: UUID | None = None
    ) -> Webhook:
        """Register an address; raises Conflict when there are too many."""
        made = webhook_id or uuid4()
        sealed = self._keys.seal(secret, user_id, place_of(made))
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOCK, (user_id,))
            known = await (await conn.execute(LIST, (user_id,))).fetchall()
            if len([one for one in known if one["id"] != made]) >= self._most:
                raise Conflict(f"There are {len(known)} webhooks already.", hint="Delete one that is not needed.")
            row = await (await conn.execute(CREATE, (user_id, made, url, form, sealed))).fetchone()
        return Webhook(**(row or {}))

    async def list(self, user_id: UUID) -> Sequence[Webhook]:
        """Every address, the oldest first."""
        async with self._database.one_statement(user_id) as conn:
            return [Webhook(**row) for row in await (await conn.execute(LIST, (user_id,))).fetchall()]

    async def get(self, user_id: UUID, webhook_id: UUID) -> Webhook | None:
        """One address."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(GET, (user_id, webhook_id))).fetchone()
        return Webhook(**row) if row else None

    async def delete(self, user_id: UUID, webhook_id: UUID) -> bool:
        """Forget an address, with what is on its way to it."""
        async with self._database.one_statement(user_id) as conn:
            return await (await conn.execute(DELETE, (user_id, webhook_id))).fetchone() is not None

    async def deliveries(self, user_id: UUID, webhook_id: UUID, limit: int, cursor: str | None) -> Page:
        """What was and is on its way, the latest first."""
        at, last = decode_latest(cursor)
        values = {"user_id": user_id, "webhook_id": webhook_id, "at": at, "id": last, "limit": limit + 1}
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(DELIVERIES, values)).fetchall()
        return page([Delivery(**row) for row in rows], limit, lambda one: (one.created_at.isoformat(), one.id))

    async def again(self, user_id: UUID, webhook_id: UUID, delivery_id: UUID) -> Delivery | None:
        """Send a dead delivery again; None when it is not dead."""
        async with self._database.tenant(user_id) as conn:
            row = await (await conn.execute(RETRY_DELIVERY, (user_id, webhook_id, delivery_id))).fetchone()
            if row is None:
                return None
            await self._defer(conn, user_id, delivery_id, None)
        return Delivery(**row)

    async def spread(self, conn: Connection, user_id: UUID, notifications: Sequence[Notification]) -> None:
        """Let every webhook of a user hear of notifications, once the transaction commits."""
        found = await conn.execute(SPREAD, ([one.id for one in notifications], user_id))
        for row in await found.fetchall():
            await self._defer(conn, user_id, row["id"], None)

    async def parcel(self, user_id: UUID, delivery_id: UUID) -> Parcel | None:
        """What has to be sent where; None when nothing has (any more)."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(PARCEL, (user_id, delivery_id))).fetchone()
        if row is None:
            return None
        return Parcel(**{**row, "secret": self._keys.unseal(row["secret"], user_id, place_of(row["webhook_id"]))})

    async def mark_delivered(self, user_id: UUID, delivery_id: UUID, status: int) -> None:
        """It arrived."""
        await self._settle(user_id, delivery_id, "delivered", status)

    async def mark_failed(
        self, user_id: UUID, delivery_id: UUID, status: int | None, error: str, next_at: datetime | None
    ) -> None:
        """It did not arrive; the next attempt is deferred with the row, and without one the delivery is dead."""
        state = "pending" if next_at else "dead"
        await self._settle(user_id, delivery_id, state, status, error=error, next_at=next_at)

    async def _settle(
        self,
        user_id: UUID,
        delivery_id: UUID,
        state: str,
        status: int | None,
        *,
        error: str | None = None,
        next_at: datetime | None = None,
    ) -> None:
        values = {"state": state, "status": status, "error": error, "next_at": next_at}
        async with self._database.tenant(user_id) as conn:
            row = await (await conn.execute(SETTLE, {**values, "user_id": user_id, "id": delivery_id})).fetchone()
            if row and next_at:
                await self._defer(conn, user_id, delivery_id, next_at)


def place_of(webhook_id: UUID) -> str:
    """The row's part of what a secret is sealed to."""
    return f"webhooks:{webhook_id}"
