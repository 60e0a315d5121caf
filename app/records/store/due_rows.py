"""The rows of the reminders' outbox that follow from to-dos, notes and events: one for the next moment of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any, ClassVar
from uuid import UUID

from agents.conventions import as_time, conventions_from
from agents.records import Kind
from agents.reminders import Due, first_due, next_due, told_at
from app.database.database import Connection
from app.records.store.derived import Touched
from app.records.store.reminder_lead_times import before_event, lead_of, lead_rules

# A moment that had passed this long when it was set is history, not a reminder that comes late.
HISTORY = timedelta(days=1)
REMINDING: tuple[Kind, ...] = ("todo", "note")
"""The kinds that are told of at their own time; an event is told of before, where an instruction asks for it."""
INSTANT = timedelta(microseconds=1)
SELECT_KNOWN_REMINDERS = """
select record_id, max(due_at) filter (where state = 'fired') as fired,
       min(due_at) filter (where state = 'pending') as pending
from reminders where user_id = %s and kind = %s and record_id = any(%s) group by record_id
"""
SETTINGS = "select settings from users where user_id = %s"
# The row of a moment that stays keeps its lease: it may be on its way.
FORGET = """
delete from reminders r where r.user_id = %(user_id)s and r.kind = %(kind)s and r.state = 'pending'
  and r.record_id = any(%(records)s)
  and not exists (select from unnest(%(ids)s::text[], %(dues)s::timestamptz[]) as kept (id, due)
                  where kept.id = r.record_id and kept.due = r.due_at)
"""
INSERT_REMINDERS = """
insert into reminders (user_id, kind, record_id, due_at, stated, fire_at)
select %(user_id)s, %(kind)s, id, due, stated, due
from unnest(%(ids)s::text[], %(dues)s::timestamptz[], %(stated)s::bool[]) as coming (id, due, stated)
on conflict (user_id, kind, record_id, due_at) do nothing
"""


@dataclass(frozen=True)
class Known:
    """The state of a record in the outbox: the last reminder that fired, and the pending one."""

    fired: datetime | None = None
    pending: datetime | None = None


class DueRows:
    """Derives reminders from records; ``zone`` counts where neither the record nor its user has one."""

    kinds: ClassVar[frozenset[Kind]] = frozenset({"event", *REMINDING})

    def __init__(self, zone: str) -> None:
        self._zone = zone

    async def derive(self, conn: Connection, user_id: UUID, touched: Sequence[Touched]) -> None:
        """Let the outbox expect what the touched to-dos, notes and events say now, and nothing else of them."""
        await self._events(conn, user_id, {one.record_id: one.record for one in touched if one.kind == "event"})
        for kind in REMINDING:
            await self._told_by_themselves(conn, user_id, kind, [one for one in touched if one.kind == kind])

    async def _told_by_themselves(
        self, conn: Connection, user_id: UUID, kind: Kind, touched: Sequence[Touched]
    ) -> None:
        records = {one.record_id: one.record for one in touched if not _is_plain(one.record)}
        if not records:
            return
        timed = {record_id: record for record_id, record in records.items() if record and _may_remind(record)}
        dues = await self._dues(conn, user_id, kind, timed) if timed else {}
        await expect(conn, user_id, kind, list(records), dues)

    async def _events(self, conn: Connection, user_id: UUID, events: Mapping[str, dict[str, Any] | None]) -> None:
        if not events:
            return
        rules, dues = await lead_rules(conn, user_id), {}
        for record_id, event in events.items():
            lead = lead_of(event, rules) if event else None
            if event and lead and (due := before_event(event, lead, datetime.fromisoformat(event["updated_at"]))):
                dues[record_id] = due
        await expect(conn, user_id, "event", list(events), dues)

    async def _dues(
        self, conn: Connection, user_id: UUID, kind: Kind, timed: Mapping[str, dict[str, Any]]
    ) -> dict[str, Due]:
        rows = await conn.execute(SELECT_KNOWN_REMINDERS, (user_id, kind, list(timed)))
        owner = await (await conn.execute(SETTINGS, (user_id,))).fetchone()
        known = {row["record_id"]: Known(row["fired"], row["pending"]) for row in await rows.fetchall()}
        settings = owner["settings"] if owner else {}
        zone, morning = settings.get("timezone") or self._zone, _morning(settings)
        found = dict[str, Due | None]()
        for record_id, record in timed.items():
            floor = _floor(record, first_due(record, zone, morning), known.get(record_id, Known()))
            found[record_id] = next_due(record, zone, morning, after=floor)
        return {record_id: due for record_id, due in found.items() if due}


async def expect(conn: Connection, user_id: UUID, kind: str, records: list[str], dues: Mapping[str, Due]) -> None:
    """Let ``dues`` (by record id) be all that the outbox expects of the ``records`` of one kind."""
    values = {
        "user_id": user_id,
        "kind": kind,
        "records": records,
        "ids": list(dues),
        "dues": [due.at for due in dues.values()],
        "stated": [due.stated for due in dues.values()],
    }
    await conn.execute(FORGET, values)
    if dues:
        await conn.execute(INSERT_REMINDERS, values)


def _is_plain(record: Mapping[str, Any] | None) -> bool:
    """Whether the outbox cannot know a record: it is new and says no time."""
    return record is not None and record["version"] == 1 and not _may_remind(record)


def _may_remind(record: Mapping[str, Any]) -> bool:
    return bool(told_at(record) or record.get("snooze_until"))


def _morning(settings: Mapping[str, Any]) -> time:
    return as_time(conventions_from(settings.get("conventions")).morning)


def _floor(record: Mapping[str, Any], first: Due | None, known: Known) -> datetime:
    """After which moment the next one is looked for."""
    at = datetime.fromisoformat(record["updated_at"])  # when the change was said
    if known.pending and known.pending <= at:
        return known.pending - INSTANT  # due already and not told yet: it is still owed
    history = at - HISTORY
    begins = first.at if first else None
    if not record.get("recurrence") or (begins and begins > max(history, known.fired or history)):
        return history
    return max(at, known.fired) if known.fired else at
