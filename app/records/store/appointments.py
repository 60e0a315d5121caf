"""Reminders before the appointments that are there already, own and imported ones, as the instructions ask now.

Changed events bring their reminders themselves; here are those that follow a changed instruction or imported calendar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar
from uuid import UUID

from agents.policies.rules import Default
from agents.records import Kind
from app.database.database import Connection
from app.records.model.notices import Claimed
from app.records.store.derived import Touched
from app.records.store.reminder_lead_times import before_event, lead_of, lead_rules

IMPORTED = "imported"
"""The kind of what stands in a calendar of elsewhere; such an id is that of the calendar, a colon and its own there."""
USUAL_DAYS = 35
LOCK = "select 1 from counters where user_id = %s for update"
SELECT_OWN_EVENTS = """
select key, value from store where user_id = %(user_id)s and prefix = %(prefix)s
  and (value->>'recurrence' is not null or instant_of(value->>'start', value->>'zone') > %(after)s)
"""
IMPORTED_WITHIN = """
o.user_id = %(user_id)s and o.source <> 'own' and not o.whole_day
  and o.starts_at > %(after)s and o.starts_at <= %(until)s
"""
TITLES = f"select distinct o.title from occurrences o where {IMPORTED_WITHIN}"  # noqa: S608
NEXT = f"""
select o.source || ':' || o.item as id, min(o.starts_at - asked.lead) as due
from occurrences o join unnest(%(titles)s::text[], %(leads)s::interval[]) as asked (title, lead) using (title)
where {IMPORTED_WITHIN} and o.starts_at - asked.lead > %(after)s group by id
"""  # noqa: S608
STARTS = """
select o.source || ':' || o.item as id, o.title, o.starts_at
from unnest(%(sources)s::text[], %(items)s::text[]) as asked (source, item)
join occurrences o on o.user_id = %(user_id)s and o.source = asked.source and o.item = asked.item
where not o.whole_day and o.starts_at > %(after)s
"""
# What came due and is not told yet is still owed, unless nothing is asked for any more.
FORGET = """
delete from reminders r where r.user_id = %(user_id)s and r.kind = %(kind)s and r.state = 'pending'
  and r.due_at > %(after)s
  and not exists (select from unnest(%(ids)s::text[], %(dues)s::timestamptz[]) as kept (id, due)
                  where kept.id = r.record_id and kept.due = r.due_at)
"""
INSERT_REMINDERS = """
insert into reminders (user_id, kind, record_id, due_at, stated, fire_at)
select %(user_id)s, %(kind)s, id, due, true, due
from unnest(%(ids)s::text[], %(dues)s::timestamptz[]) as coming (id, due)
on conflict do nothing
"""
FORGET_ALL = "delete from reminders where user_id = %s and kind = any(%s) and state = 'pending'"


@dataclass(frozen=True)
class Appointments:
    """Sets these reminders; for imported appointments ``days`` ahead, anew when their calendars are read, daily."""

    kinds: ClassVar[frozenset[Kind]] = frozenset({"instruction"})

    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    days: int = USUAL_DAYS

    async def derive(self, conn: Connection, user_id: UUID, touched: Sequence[Touched]) -> None:  # noqa: ARG002 - whichever it was, all rules count
        """An instruction that changed is about everything that is still to come."""
        await self._renew(conn, user_id, ("event", IMPORTED))

    async def renew_imported(self, conn: Connection, user_id: UUID) -> None:
        """After what is imported has changed, or time has passed."""
        await conn.execute(LOCK, (user_id,))
        await self._renew(conn, user_id, (IMPORTED,))

    async def _renew(self, conn: Connection, user_id: UUID, kinds: Sequence[str]) -> None:
        rules, after = await lead_rules(conn, user_id), self.clock()
        if not rules:
            await conn.execute(FORGET_ALL, (user_id, list(kinds)))
            return
        for kind in kinds:
            dues = await (_own if kind == "event" else self._next_imported)(conn, user_id, rules, after)
            values = {"user_id": user_id, "kind": kind, "after": after, "ids": list(dues), "dues": list(dues.values())}
            await conn.execute(FORGET, values)
            await conn.execute(INSERT_REMINDERS, values)

    async def _next_imported(
        self, conn: Connection, user_id: UUID, rules: Sequence[Default], after: datetime
    ) -> Mapping[str, datetime]:
        values = {"user_id": user_id, "after": after, "until": after + timedelta(days=self.days)}
        titles = [row["title"] for row in await (await conn.execute(TITLES.encode(), values)).fetchall()]
        leads = {title: lead for title in titles if (lead := lead_of({"title": title}, rules))}
        asked = {"titles": list(leads), "leads": list(leads.values())}
        rows = await (await conn.execute(NEXT.encode(), {**values, **asked})).fetchall()
        return {row["id"]: row["due"] for row in rows}


async def _own(conn: Connection, user_id: UUID, rules: Sequence[Default], after: datetime) -> Mapping[str, datetime]:
    values = {"user_id": user_id, "prefix": f"event.{user_id}", "after": after}
    rows = await (await conn.execute(SELECT_OWN_EVENTS, values)).fetchall()
    found = {row["key"]: _due(row["value"], rules, after) for row in rows}
    return {key: due for key, due in found.items() if due}


def _due(event: dict[str, Any], rules: Sequence[Default], after: datetime) -> datetime | None:
    lead = lead_of(event, rules)
    due = before_event(event, lead, after) if lead else None
    return due.at if due else None


async def appointments_of(
    conn: Connection, user_id: UUID, claimed: Iterable[Claimed], rules: Sequence[Default]
) -> dict[str, dict[str, Any]]:
    """The imported appointments that reminders are about, with ``title`` and ``start``; moved ones are left out."""
    due = {one.record_id: one.due_at for one in claimed if one.kind == IMPORTED}
    if not due:
        return {}
    names = [record_id.partition(":") for record_id in due]
    values = {"user_id": user_id, "sources": [name[0] for name in names], "items": [name[2] for name in names]}
    rows = await conn.execute(STARTS, {**values, "after": min(due.values())})
    return {
        row["id"]: {"title": row["title"], "start": row["starts_at"]}
        for row in await rows.fetchall()
        if (lead := lead_of(row, rules)) and row["starts_at"] - lead == due[row["id"]]
    }
