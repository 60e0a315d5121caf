"""Both sides of events brought together in the ledger's transaction: what changed there alone is carried over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from psycopg.types.json import Jsonb

from agents.contract import ALREADY, Change, Proposal
from agents.ports import Batch
from app.calendars.model.synced import KINDS, TASK_FORMS, Base, Form, Holds, Merged, MergeRules, State
from app.database.database import Connection
from app.records.store.ledger import PostgresLedger

AGENT = "calendar"
REASONS: Mapping[Holds, str] = {
    "events": "changed in the calendar {calendar}",
    "tasks": "changed in the task list {calendar}",
}
RECORDS = "select key, value from store where user_id = %s and prefix = %s and key = any(%s)"
ZONE = "select settings->>'timezone' as zone from users where user_id = %s"
USED = """
select distinct record_id from changes where user_id = %s and kind = %s and record_id = any(%s)
"""
SETTLE = """
update synced_events set record_id = %(record_id)s, version = %(version)s, base_local = %(base_local)s,
    base_remote = %(base_remote)s, pending = %(pending)s, goes_out = %(goes_out)s, conflict_id = %(conflict_id)s,
    conflict_at = case when %(conflict_id)s::uuid is null then null else coalesce(conflict_at, now()) end
where user_id = %(user_id)s and calendar_id = %(calendar_id)s and name = %(name)s and instance = %(instance)s
"""
NOTHING_AGREED = Base(None, None)
PROBLEM = "update synced_items set problem = %s where user_id = %s and calendar_id = %s and name = %s"


@dataclass(frozen=True)
class InstanceRow:
    """A row of ``synced_events``: one instance, as it is known."""

    name: str
    instance: str
    record_id: str
    remote: State
    base_local: State
    base_remote: State
    pending: Mapping[str, Any] | None
    conflict_id: UUID | None


@dataclass(frozen=True)
class CalendarRef:
    """Whose calendar it is."""

    user_id: UUID
    calendar_id: UUID
    calendar: str
    form: Form = "caldav"

    @property
    def holds(self) -> Holds:
        """Whether its files are of events or of tasks."""
        return "tasks" if self.form in TASK_FORMS.values() else "events"


@dataclass(frozen=True)
class Pair:
    """One instance with the event here as it is now, and what follows."""

    part: InstanceRow
    record: Mapping[str, Any] | None
    local: State
    version: int
    merged: Merged
    base: Base


class Reconciler:
    """Merges within a transaction of the caller's, who holds the user's lock.

    What names no zone, as a whole day does, is in the user's; ``usual_zone`` is that of users who have not set one.
    """

    def __init__(self, ledger: PostgresLedger, rules: Mapping[Form, MergeRules], usual_zone: str) -> None:
        self._ledger = ledger
        self._usual_zone = usual_zone
        self.rules = rules

    async def settle(
        self, conn: Connection, place: CalendarRef, parts: Sequence[InstanceRow], *, take_over: bool = False
    ) -> list[Change]:
        """Bring instances together, or make this side like the other; the changes here that follow."""
        records = await self.records(conn, place.user_id, place.holds, [part.record_id for part in parts])
        pairs = [self._pair(place, part, records.get(part.record_id), take_over=take_over) for part in parts]
        acting = [pair for pair in pairs if pair.merged.op]
        zone = await self._zone(conn, place.user_id) if acting else ""
        proposals = await self._proposals(conn, place, acting, zone) if acting else []
        changes = await self._apply(conn, place, proposals, zone) if proposals else {}
        done = {id(pair): (proposals[number], changes[number]) for number, pair in enumerate(acting)}
        for pair in pairs:
            await self._keep(conn, place, pair, *done.get(id(pair), (None, None)))
        return [change for change in changes.values() if change.status == "applied"]

    async def records(
        self, conn: Connection, user_id: UUID, holds: Holds, ids: Sequence[str]
    ) -> dict[str, dict[str, Any]]:
        """Events, or tasks, here by id."""
        rows = await (await conn.execute(RECORDS, (user_id, prefix_of(user_id, holds), list(ids)))).fetchall()
        return {row["key"]: row["value"] for row in rows}

    async def _zone(self, conn: Connection, user_id: UUID) -> str:
        row = await (await conn.execute(ZONE, (user_id,))).fetchone()
        return (row and row["zone"]) or self._usual_zone

    def _pair(self, place: CalendarRef, part: InstanceRow, record: dict[str, Any] | None, *, take_over: bool) -> Pair:
        rules = self.rules[place.form]
        local = rules.state(record)
        base = _base_of(part, local)
        merged = rules.take_over(local, part.remote) if take_over else rules.merge(base, local, part.remote)
        return Pair(part, record, local, record["version"] if record else 0, merged, base)

    async def _proposals(
        self, conn: Connection, place: CalendarRef, pairs: Sequence[Pair], zone: str
    ) -> list[Proposal]:
        created = [pair.part.record_id for pair in pairs if pair.merged.op == "create"]
        rows = (
            await (await conn.execute(USED, (place.user_id, KINDS[place.holds], created))).fetchall() if created else []
        )
        used = {row["record_id"] for row in rows}
        return [_proposal(place, pair, used, self.rules[place.form], zone) for pair in pairs]

    async def _apply(
        self, conn: Connection, place: CalendarRef, proposals: list[Proposal], zone: str
    ) -> dict[int, Change]:
        batch = Batch(
            user_id=str(place.user_id),
            origin=str(uuid4()),
            agent=AGENT,
            proposals=proposals,
            at=datetime.now(ZoneInfo(zone)),
            timezone=zone,
        )
        return {change.seq: change for change in await self._ledger.apply_within(conn, batch)}

    async def _keep(
        self, conn: Connection, place: CalendarRef, pair: Pair, wanted: Proposal | None, change: Change | None
    ) -> None:
        part, local, version, base = pair.part, pair.local, pair.version, pair.base
        rules = self.rules[place.form]
        if change is None or (change.error or "").endswith(ALREADY):
            agreed = Base(pair.merged.local, pair.merged.remote)
        elif change.status == "applied":
            local, version = rules.state(change.after), change.after["version"] if change.after else 0
            agreed = Base(rules.agreed_state(pair.merged, local), part.remote)
        else:  # it stays as it is here until it changes there again
            agreed = Base(base.local, part.remote)
            values = (f"Summit does not take it over: {change.error}.", place.user_id, place.calendar_id, part.name)
            await conn.execute(PROBLEM, values)
        clash = bool(pair.merged.clash)
        agreed = base if clash else agreed
        await conn.execute(
            SETTLE,
            {
                "user_id": place.user_id,
                "calendar_id": place.calendar_id,
                "name": part.name,
                "instance": part.instance,
                "record_id": (wanted.record_id if wanted else None) or part.record_id,
                "version": version,
                "base_local": as_jsonb(agreed.local),
                "base_remote": as_jsonb(agreed.remote),
                "pending": as_jsonb(part.pending) if agreed == Base(part.base_local, part.base_remote) else None,
                "goes_out": not clash and bool(rules.differing(agreed.local, local)),
                "conflict_id": (part.conflict_id or uuid4()) if clash else None,
            },
        )


def _base_of(part: InstanceRow, local: State) -> Base:
    """What both sides last agreed on; a write of ours whose answer was lost has arrived if it is there."""
    base, pending = Base(part.base_local, part.base_remote), part.pending
    if pending is None or not (pending["remote"] == part.remote or (base == NOTHING_AGREED and local is None)):
        return base
    # Deleted here after its first write, and changed there: without this it would be new there, and come back.
    return Base(pending["local"], pending["remote"])


def as_jsonb(value: Mapping[str, Any] | None) -> Jsonb | None:
    """A column of JSON; no value is no JSON."""
    return None if value is None else Jsonb(dict(value))


def prefix_of(user_id: UUID, holds: Holds) -> str:
    """Where the store keeps records of that kind."""
    return f"{KINDS[holds]}.{user_id}"


def _proposal(place: CalendarRef, pair: Pair, used: set[str], rules: MergeRules, zone: str) -> Proposal:
    merged, part = pair.merged, pair.part
    if merged.op is None:
        raise ValueError("there is nothing to propose")
    op, fields = rules.to_ledger_change(merged.op, merged.fields or {}, pair.record, zone)
    return Proposal(
        op=op,
        kind=KINDS[place.holds],
        # An id that stood for something gone is not used again: versions never go back.
        record_id=str(uuid4()) if op == "create" and part.record_id in used else part.record_id,
        fields=dict(fields),
        reason=REASONS[place.holds].format(calendar=place.calendar),
    )
