"""The outbox of reminders: found for all tenants, leased to one process, delivered with their notification."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from langgraph.store.base import GetOp, Item

from agents.contract import Change, Proposal
from agents.dates_in_words import telling_times
from agents.policies.rules import Default
from agents.ports import Batch
from agents.records import Kind
from agents.store import namespace
from agents.timers import RANG, is_timer
from app.database.database import Connection, Database
from app.database.store import bound_store
from app.records.model.notices import Claimed, Notification
from app.records.store.announcing import Teller, announce
from app.records.store.appointments import IMPORTED, Appointments, appointments_of
from app.records.store.due_rows import REMINDING, expect
from app.records.store.notification_rows import (
    NotificationRow,
    UserClock,
    clock_of,
    event_notification,
    held_notification,
    imported_notification,
    todo_notification,
)
from app.records.store.pending_reminders import STILL_OPEN, held_rows
from app.records.store.reminder_lead_times import lead_of, leads_in, policies_of

DUE = "select owner, at from reminders_due(%s, %s)"
CLAIM = """
update reminders r set lease_until = now() + make_interval(secs => %(lease)s), lease_generation = lease_generation + 1
from (select kind, record_id, due_at from reminders
      where user_id = %(user_id)s and state = 'pending' and fire_at <= %(now)s
        and (lease_until is null or lease_until < now())
      order by fire_at limit %(most)s for update skip locked) as due
where r.user_id = %(user_id)s and (r.kind, r.record_id, r.due_at) = (due.kind, due.record_id, due.due_at)
returning r.user_id, r.kind, r.record_id, r.due_at, r.stated, r.lease_generation as generation
"""
# The user's lock, as the ledger takes it: records stand still until the commit.
LOCK = """
select c.event_seq, u.settings
from counters c join users u using (user_id) where c.user_id = %(user_id)s for update of c
"""
HELD_REMINDERS_SQL = """
from unnest(%(ids)s::text[], %(dues)s::timestamptz[], %(generations)s::bigint[]) as held (id, due, generation)
where r.user_id = %(user_id)s and (r.record_id, r.due_at) = (held.id, held.due)
  and r.state = 'pending' and r.lease_generation = held.generation
"""
FIRE = f"update reminders r set state = 'fired', lease_until = null {HELD_REMINDERS_SQL} returning r.record_id"  # noqa: S608
DELAY = f"update reminders r set fire_at = %(until)s, lease_until = null {HELD_REMINDERS_SQL}"  # noqa: S608

AGENT = "reminders"
Applying = Callable[[Connection, Batch], Awaitable[Sequence[Change]]]
"""Applies a batch of changes in the transaction of the notifications."""


class PostgresOutbox:
    """See app.records.model.notices.Outbox.

    ``zone`` counts for users who have set none; with ``apply`` timers that rang are closed.
    """

    def __init__(
        self,
        database: Database,
        wake: Callable[[UUID], None],
        *,
        zone: str,
        lease_seconds: float,
        tellers: Sequence[Teller] = (),
        appointments: Appointments | None = None,
        apply: Applying | None = None,
    ) -> None:
        self._database = database
        self._wake = wake
        self._zone = zone
        self._lease_seconds = lease_seconds
        self._tellers = tellers
        self._appointments = appointments or Appointments()
        self._apply = apply

    async def due(self, moment: datetime, most: int) -> Sequence[tuple[UUID, datetime]]:
        """(user, earliest time) of the users with reminders due up to a time, earliest first."""
        async with self._database.system() as conn:
            rows = await (await conn.execute(DUE, (moment, most))).fetchall()
        return [(row["owner"], row["at"]) for row in rows]

    async def claim(self, user_id: UUID, now: datetime, most: int) -> Sequence[Claimed]:
        """Lease what is due of one user; what another process holds is left to it."""
        values = {"user_id": user_id, "now": now, "most": most, "lease": self._lease_seconds}
        async with self._database.tenant(user_id) as conn:
            rows = await (await conn.execute(CLAIM, values)).fetchall()
        return sorted((Claimed(**row) for row in rows), key=lambda claimed: claimed.due_at)

    async def deliver(
        self, user_id: UUID, claimed: Sequence[Claimed], now: datetime, day: str = ""
    ) -> Sequence[Notification]:
        """Commit notifications, events, the next rounds and the jobs that tell them elsewhere, at once."""
        async with self._database.tenant(user_id) as conn:
            told = await self._deliver(conn, user_id, claimed, now, day)
        if told:
            self._wake(user_id)
        return told

    async def _deliver(
        self, conn: Connection, user_id: UUID, claimed: Sequence[Claimed], now: datetime, day: str
    ) -> list[Notification]:
        owner = await (await conn.execute(LOCK, {"user_id": user_id})).fetchone()
        if owner is None:
            return []
        plain = all(one.stated and one.kind in REMINDING for one in claimed)
        policies = [] if plain else await policies_of(conn, user_id)
        rules, clock = leads_in(policies), clock_of(owner["settings"], self._zone, now, policies)
        fired = await _fire(conn, user_id, await _delay_in_quiet_hours(conn, user_id, claimed, clock))
        records = await _records(conn, user_id, fired, rules)
        found = [tell(clock, one, records.get(one.record_id), day, rules) for one in fired]
        told = [one for one in found if one]
        notifications = [
            replace(one.notification, event_seq=seq) for seq, one in enumerate(told, owner["event_seq"] + 1)
        ]
        await announce(conn, user_id, notifications, self._tellers)
        await self._expect(conn, user_id, fired, told)
        await self._put_away(conn, clock, user_id, [one for one in told if _is_over(one, records)])
        return notifications

    async def _put_away(
        self, conn: Connection, clock: UserClock, user_id: UUID, over: Sequence[NotificationRow]
    ) -> None:
        """Archive timers with the notification that tells them: changes like any other, which can be undone."""
        if not over or self._apply is None:
            return
        told = [one.notification for one in over]
        proposals = [Proposal(op="archive", kind="todo", record_id=one.record_id, reason=RANG) for one in told]
        origin = str(told[0].id)
        batch = Batch(
            user_id=str(user_id),
            origin=origin,
            agent=AGENT,
            proposals=proposals,
            at=clock.local,
            timezone=clock.zone,
        )
        await self._apply(conn, batch)

    async def _expect(
        self, conn: Connection, user_id: UUID, fired: Sequence[Claimed], told: Sequence[NotificationRow]
    ) -> None:
        """The next rounds."""
        for kind in (*REMINDING, "event"):
            mine = [one for one in told if one.notification.record_kind == kind]
            coming = {one.notification.record_id: one.following for one in mine if one.following}
            await expect(conn, user_id, kind, [one.record_id for one in fired if one.kind == kind], coming)
        if any(one.kind == IMPORTED for one in fired):
            await self._appointments.renew_imported(conn, user_id)


def tell(
    clock: UserClock, claimed: Claimed, record: dict[str, Any] | None, day: str, rules: Sequence[Default]
) -> NotificationRow | None:
    """The notification of a record; None if the record is gone, or no instruction demands it any more."""
    if record is None:
        return None
    with telling_times(clock.form):
        return _build_notification(clock, claimed, record, day, rules)


def _build_notification(
    clock: UserClock, claimed: Claimed, record: dict[str, Any], day: str, rules: Sequence[Default]
) -> NotificationRow | None:
    if claimed.kind in REMINDING:
        return (
            held_notification(clock, claimed, record)
            if STILL_OPEN in record
            else todo_notification(clock, claimed, record, day)
        )
    if claimed.kind == IMPORTED:
        return imported_notification(clock, claimed, record)
    lead = lead_of(record, rules)
    return event_notification(clock, claimed, record, lead) if lead else None


def _is_over(told: NotificationRow, records: dict[str, dict[str, Any]]) -> bool:
    """Whether a timer has rung for the last time; one that nobody has said yes to is no task."""
    record = records[told.notification.record_id]
    mine = told.notification.record_kind == "todo" and STILL_OPEN not in record
    return mine and told.following is None and is_timer(record)


async def _delay_in_quiet_hours(
    conn: Connection, user_id: UUID, claimed: Sequence[Claimed], clock: UserClock
) -> list[Claimed]:
    """Put nudges off to the end of the quiet hours; return the reminders to fire now."""
    until = clock.quiet_until()
    waiting = [one for one in claimed if until and not one.stated]
    if waiting:
        await conn.execute(DELAY, {**_claim_values(user_id, waiting), "until": until})
    return [one for one in claimed if one not in waiting]


async def _fire(conn: Connection, user_id: UUID, claimed: Sequence[Claimed]) -> list[Claimed]:
    """Fire the reminders whose lease this process still holds, and return them."""
    rows = await (await conn.execute(FIRE, _claim_values(user_id, claimed))).fetchall() if claimed else []
    fired = {row["record_id"] for row in rows}
    return [one for one in claimed if one.record_id in fired]


def _claim_values(user_id: UUID, claimed: Sequence[Claimed]) -> dict[str, Any]:
    return {
        "user_id": user_id,
        "ids": [one.record_id for one in claimed],
        "dues": [one.due_at for one in claimed],
        "generations": [one.generation for one in claimed],
    }


async def _records(
    conn: Connection, user_id: UUID, fired: Sequence[Claimed], rules: Sequence[Default]
) -> dict[str, dict[str, Any]]:
    """What the reminders are about, as far as it is still there."""
    own = [one for one in fired if one.kind != IMPORTED]
    asked = [GetOp(namespace(cast("Kind", one.kind), str(user_id)), one.record_id) for one in own]
    found = await bound_store(conn).abatch(asked) if asked else []
    records = {item.key: item.value for item in found if isinstance(item, Item)}
    unmade = [one.record_id for one in own if one.kind in REMINDING and one.record_id not in records]
    held = await held_rows(conn, user_id, unmade)
    return {**records, **held, **await appointments_of(conn, user_id, fired, rules)}
