"""What is known of both sides of a calendar; each step is one transaction, under the user's lock and a fence."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4, uuid5

from psycopg.types.json import Jsonb

from app.calendars.model.synced import (
    KINDS,
    MASTER,
    OURS,
    TO_BE_NAMED,
    Claim,
    Incoming,
    KnownItem,
    MergeRules,
    Outgoing,
    OutgoingPart,
    ReadItem,
    State,
    Stored,
    Written,
)
from app.calendars.store.reconcile import USED, CalendarRef, InstanceRow, Reconciler, as_jsonb, prefix_of
from app.database.database import Connection, Database
from app.database.signals import Signals
from app.principal import StaleLease

LOCK = "select 1 from counters where user_id = %s for update"
FENCE = "select next_sync from synced_calendars where user_id = %s and id = %s and generation = %s for update"
# The ledger marks calendars whose events change; what is changed by keeping in step needs no other look.
UNMARK = "update synced_calendars set next_sync = %s where user_id = %s and id = %s"
CLAIM = """
update synced_calendars set generation = generation + 1, next_sync = now() + make_interval(secs => %s)
where user_id = %s and id = %s and direction <> 'off'
returning user_id, id as calendar_id, account_id, generation, url, name, token, writable, direction, collects, gone,
          failures, holds, (select a.provider from calendar_accounts a
                     where a.user_id = synced_calendars.user_id and a.id = account_id) as provider
"""
# The first write of a file whose answer was lost: if the file is told to be gone, the write had arrived.
BEGUN = "base_local is null and base_remote is null and pending->'remote' <> 'null'"
KNOWN = f"""
select i.name, i.etag, i.there, not i.there and exists (
    select from synced_events e where e.user_id = i.user_id and e.calendar_id = i.calendar_id and e.name = i.name
    and {BEGUN}) as begun,
    exists (select from synced_events e where e.user_id = i.user_id and e.calendar_id = i.calendar_id
            and e.name = i.name) as carried
from synced_items i where i.user_id = %s and i.calendar_id = %s
"""  # noqa: S608
ARRIVED = f"""
update synced_events set base_remote = pending->'remote'
where user_id = %s and calendar_id = %s and name = %s and {BEGUN}
"""  # noqa: S608
PARTS = """
select name, instance, record_id, remote, base_local, base_remote, pending, conflict_id from synced_events
where user_id = %s and calendar_id = %s and name = any(%s)
"""
ITEM = """
insert into synced_items (user_id, calendar_id, name, uid, etag, content, there, problem)
values (%(user_id)s, %(calendar_id)s, %(name)s, %(uid)s, %(etag)s, %(content)s, %(there)s, %(problem)s)
on conflict (user_id, calendar_id, name) do update set
    uid = case when excluded.uid = '' then synced_items.uid else excluded.uid end, etag = excluded.etag,
    content = coalesce(excluded.content, synced_items.content), there = excluded.there, problem = excluded.problem
"""
REMOTE = """
update synced_events set remote = %s where user_id = %s and calendar_id = %s and name = %s and instance = %s
"""
NEW_PART = """
insert into synced_events (user_id, calendar_id, name, instance, record_id, remote) values (%s, %s, %s, %s, %s, %s)
"""
# A file that was written with a mark is known by it until its name is.
RENAME = """
update synced_items set name = %(new)s
where user_id = %(user_id)s and calendar_id = %(calendar_id)s and name = (
    select i.name from synced_items i
    where i.user_id = %(user_id)s and i.calendar_id = %(calendar_id)s and not i.there and i.uid = any(%(uids)s)
    order by i.name limit 1)
  and not exists (select from synced_items o where o.user_id = %(user_id)s and o.calendar_id = %(calendar_id)s
                  and o.name = %(new)s)
"""
RENAMED = "update synced_items set name = %s where user_id = %s and calendar_id = %s and name = %s"
MAPPED = "select record_id from synced_events where user_id = %s and record_id = any(%s)"
# Tasks carry nothing by which they are known again once they are forgotten here: the same words are the same task.
TWINS = """
select s.key, s.value from store s where s.user_id = %s and s.prefix = %s and s.value->>'task' = any(%s)
  and not exists (select from synced_events e where e.user_id = s.user_id and e.record_id = s.key) order by s.key
"""
CHANGED = """
select e.name, e.instance, e.record_id, e.remote, e.base_local, e.base_remote, e.pending, e.conflict_id
from synced_events e join synced_items i using (user_id, calendar_id, name)
left join store s on s.user_id = e.user_id and s.prefix = %(prefix)s and s.key = e.record_id
where e.user_id = %(user_id)s and e.calendar_id = %(calendar_id)s
  and (coalesce((s.value->>'version')::bigint, 0) <> e.version or i.refused_at < now() - interval '1 hour')
order by e.name, e.instance limit %(limit)s
"""
LISTED_AGAIN = """
update synced_items set refused = null, refused_at = null where user_id = %s and calendar_id = %s and name = any(%s)
"""
# What came out of a calendar is not put into another one, also when it is kept in step no longer.
COLLECT = """
select s.key from store s join synced_calendars c on c.user_id = s.user_id and c.id = %(calendar_id)s
where s.user_id = %(user_id)s and s.prefix = %(prefix)s
  and coalesce(s.value->>'status', '') not in ('done', 'archived')
  and (c.collects = 'all' or exists (
      select from changes n where n.user_id = s.user_id and n.kind = %(kind)s and n.record_id = s.key
      and n.op = 'create' and n.status = 'applied' and n.cursor > c.collects_since))
  and not exists (select from synced_events e where e.user_id = s.user_id and e.record_id = s.key)
  and not exists (select from changes h where h.user_id = s.user_id and h.kind = %(kind)s and h.record_id = s.key
                  and h.op = 'create' and h.agent = 'calendar')
order by s.key limit %(limit)s
"""
OUT = """
select e.name, i.uid, i.etag, i.content as text, e.instance, e.record_id, e.base_local
from synced_events e join synced_items i using (user_id, calendar_id, name)
where e.user_id = %(user_id)s and e.calendar_id = %(calendar_id)s and e.name = any(%(names)s)
"""
OUT_NAMES = """
select distinct e.name from synced_events e
where e.user_id = %(user_id)s and e.calendar_id = %(calendar_id)s and e.goes_out and not e.name = any(%(gone)s)
  and not exists (select from synced_events o where o.user_id = e.user_id and o.calendar_id = e.calendar_id
                  and o.name = e.name and o.conflict_id is not null)
order by e.name limit %(limit)s
"""
PENDING = """
update synced_events set pending = %s, version = %s
where user_id = %s and calendar_id = %s and name = %s and instance = %s
"""
SENT = """
update synced_events set base_local = nullif(pending->'local', 'null'), base_remote = nullif(pending->'remote', 'null'),
    remote = nullif(pending->'remote', 'null'), pending = null, goes_out = false
where user_id = %s and calendar_id = %s and name = %s and pending is not null
"""
SENT_ITEM = """
update synced_items set etag = %s, content = coalesce(%s, content), there = %s, refused = null, refused_at = null
where user_id = %s and calendar_id = %s and name = %s
"""
NOT_SENT = """
update synced_events set goes_out = false, pending = null where user_id = %s and calendar_id = %s and name = %s
"""
NOT_SENT_ITEM = """
update synced_items set refused = %s, refused_at = now() where user_id = %s and calendar_id = %s and name = %s
"""
HOLD = "update synced_calendars set gone = %s where user_id = %s and id = %s"
GO_ON_FROM = "update synced_calendars set token = %s where user_id = %s and id = %s"
FINISH = """
update synced_calendars set token = %(token)s, failures = 0, error = null, error_at = null, last_synced = now(),
    next_sync = case when next_sync <= now() then next_sync else now() + make_interval(secs => %(seconds)s) end
where user_id = %(user_id)s and id = %(id)s
"""
FAILED = """
update synced_calendars set failures = failures + 1, error = %(error)s, error_at = now(),
    next_sync = case when next_sync <= now() then next_sync else now() + make_interval(secs => %(seconds)s) end
where user_id = %(user_id)s and id = %(id)s
"""
BATCH_ROWS = 100


class SyncRows:
    """What is known of both sides. Each write is one transaction, and raises StaleLease when the claim is lost."""

    def __init__(self, database: Database, signals: Signals, reconciler: Reconciler) -> None:
        self._database = database
        self._signals = signals
        self._reconciler = reconciler

    async def claim(self, user_id: UUID, calendar_id: UUID, seconds: float) -> Claim | None:
        """Begin to keep a calendar in step; None when it is not chosen, or is gone."""
        async with self._database.tenant(user_id) as conn:
            row = await (await conn.execute(CLAIM, (seconds, user_id, calendar_id))).fetchone()
        return Claim(**row) if row else None

    async def known_items(self, claim: Claim) -> Mapping[str, KnownItem]:
        """Every file that is known, by name."""
        async with self._database.tenant(claim.user_id) as conn:
            rows = await (await conn.execute(KNOWN, (claim.user_id, claim.calendar_id))).fetchall()
        return {row["name"]: KnownItem(row["etag"], row["there"], row["begun"], row["carried"]) for row in rows}

    async def take_in(self, claim: Claim, incoming: Sequence[Incoming]) -> None:
        """Keep what was read, and carry over what changed there and not here."""
        names = [one.name for one in incoming]
        async with self._step(claim) as conn:
            await self._rename(conn, claim, incoming)
            known = await self._parts(conn, claim, names)
            incoming = [self._with_news(claim, one, known) for one in incoming]
            new = [
                (one, instance)
                for one in incoming
                for instance in _instances(one)
                if not known.get((one.name, instance))
            ]
            ids = await self._new_ids(conn, claim, new)
            for one in incoming:
                await self._keep(conn, claim, one, known, ids)
            parts = await self._parts(conn, claim, names)
            problems = {one.name for one in incoming if one.reading and one.reading.problem}
            await self._settle(conn, claim, [part for part in parts.values() if part.name not in problems])

    async def look_here(self, claim: Claim) -> None:
        """Find what changed here since both sides agreed, and which new events belong into this calendar."""
        while await self._look_at_changed(claim) == BATCH_ROWS:
            continue
        while claim.collects != "none" and await self._collect(claim) == BATCH_ROWS:
            continue

    async def outgoing(self, claim: Claim, limit: int) -> Sequence[Outgoing]:
        """What has to be written there."""
        values = {**_ids(claim), "gone": list(claim.gone), "limit": limit}
        async with self._step(claim) as conn:
            names = [row["name"] for row in await (await conn.execute(OUT_NAMES, values)).fetchall()]
            rows = await (await conn.execute(OUT, {**values, "names": names})).fetchall() if names else []
            ids = [row["record_id"] for row in rows]
            records = await self._reconciler.records(conn, claim.user_id, claim.holds, ids)
        return [_outgoing(name, rows, records, self._reconciler.rules[claim.form]) for name in names]

    async def sending(self, claim: Claim, name: str, out: Outgoing, written: Written) -> None:
        """Keep what is about to be written, so that it is known again however this ends."""
        async with self._step(claim) as conn:
            for instance, part in out.parts.items():
                pending = Jsonb({"local": part.local, "remote": written.reading.parts.get(instance)})
                await conn.execute(PENDING, (pending, part.version, *_row(claim, name), instance))

    async def mark_sent(self, claim: Claim, name: str, kept: Stored, text: str | None) -> None:
        """What was about to be written is there, from now on under the name that it has there."""
        async with self._step(claim) as conn:
            await conn.execute(SENT, _row(claim, name))
            await conn.execute(SENT_ITEM, (kept.etag, text, text is not None, *_row(claim, name)))
            if kept.name is not None:
                await conn.execute(RENAMED, (kept.name, *_row(claim, name)))

    async def not_sent(self, claim: Claim, name: str, why: str) -> None:
        """It is refused there: it waits until it changes here, or for an hour."""
        async with self._step(claim) as conn:
            await conn.execute(NOT_SENT, _row(claim, name))
            await conn.execute(NOT_SENT_ITEM, (why, *_row(claim, name)))

    async def hold(self, claim: Claim, gone: Sequence[str]) -> None:
        """So much is gone there that a person has to say what that means."""
        async with self._step(claim) as conn:
            await conn.execute(HOLD, (Jsonb(list(gone)), claim.user_id, claim.calendar_id))

    async def keep_token(self, claim: Claim, token: str) -> None:
        """All that is there was taken in; however this look ends, the next one goes on from here."""
        async with self._step(claim) as conn:
            await conn.execute(GO_ON_FROM, (token, claim.user_id, claim.calendar_id))

    async def finish(self, claim: Claim, token: str | None, seconds: float) -> None:
        """All is as it should be; look again after a while, or at once where something changed meanwhile."""
        values = {"token": token, "seconds": seconds, "user_id": claim.user_id, "id": claim.calendar_id}
        async with self._step(claim) as conn:
            await conn.execute(FINISH, values)

    async def mark_failed(self, claim: Claim, error: str, seconds: float) -> None:
        """It could not be kept in step; what is known stays."""
        values = {"error": error, "seconds": seconds, "user_id": claim.user_id, "id": claim.calendar_id}
        async with self._step(claim) as conn:
            await conn.execute(FAILED, values)

    async def due(self, how_many: int) -> Sequence[tuple[UUID, UUID]]:
        """(user, calendar) of those to be looked at, of any user."""
        async with self._database.system() as conn:
            rows = await (await conn.execute("select * from synced_calendars_due(%s)", (how_many,))).fetchall()
        return [(row["owner"], row["calendar"]) for row in rows]

    @asynccontextmanager
    async def _step(self, claim: Claim) -> AsyncIterator[Connection]:
        """A transaction that comes about only while the claim holds; raises StaleLease."""
        async with self._database.tenant(claim.user_id) as conn:
            await conn.execute(LOCK, (claim.user_id,))
            values = (claim.user_id, claim.calendar_id, claim.generation)
            if await (await conn.execute(FENCE, values)).fetchone() is None:
                raise StaleLease
            yield conn

    async def _settle(self, conn: Connection, claim: Claim, parts: Sequence[InstanceRow]) -> None:
        if not parts:
            return
        values = (claim.user_id, claim.calendar_id, claim.generation)
        row = await (await conn.execute(FENCE, values)).fetchone()
        place = CalendarRef(claim.user_id, claim.calendar_id, claim.name, claim.form)
        if await self._reconciler.settle(conn, place, parts):
            await conn.execute(UNMARK, (row and row["next_sync"], claim.user_id, claim.calendar_id))
            self._signals.wake(claim.user_id)

    def _with_news(self, claim: Claim, one: Incoming, known: Mapping[tuple[str, str], InstanceRow]) -> Incoming:
        """A file without what is not to be taken over, as it was not known before."""
        if one.reading is None or one.reading.problem:
            return one
        is_news = self._reconciler.rules[claim.form].is_news
        parts = {key: part for key, part in one.reading.parts.items() if (one.name, key) in known or is_news(part)}
        return replace(one, reading=replace(one.reading, parts=parts))

    async def _rename(self, conn: Connection, claim: Claim, incoming: Sequence[Incoming]) -> None:
        for one in incoming:
            if one.item and one.item.marked and one.reading:
                uids = [one.reading.uid, one.reading.uid.removesuffix(OURS)]
                await conn.execute(RENAME, {**_ids(claim), "new": one.name, "uids": uids})

    async def _parts(self, conn: Connection, claim: Claim, names: Sequence[str]) -> dict[tuple[str, str], InstanceRow]:
        rows = await (await conn.execute(PARTS, (claim.user_id, claim.calendar_id, list(names)))).fetchall()
        return {(row["name"], row["instance"]): InstanceRow(**row) for row in rows}

    async def _new_ids(
        self, conn: Connection, claim: Claim, new: Sequence[tuple[Incoming, str]]
    ) -> dict[tuple[str, str], str]:
        """The event here that stands for each instance that is seen first: one that is here already, or a new one."""
        if not new:
            return {}
        likely = {(one.name, instance): _likely(claim, one, instance) for one, instance in new}
        values = (claim.user_id, list(likely.values()))
        mapped = {row["record_id"] for row in await (await conn.execute(MAPPED, values)).fetchall()}
        used_ones = (claim.user_id, KINDS[claim.holds], values[1])
        used = {row["record_id"] for row in await (await conn.execute(USED, used_ones)).fetchall()}
        here = await self._reconciler.records(conn, claim.user_id, claim.holds, values[1])
        twins = await self._twins(conn, claim, [one for one, _ in new]) if claim.holds == "tasks" else []
        taken, found = set(mapped), dict[tuple[str, str], str]()
        for one, instance in new:
            record_id = likely[one.name, instance]
            said = one.reading.parts[instance] if one.reading else None
            same = [key for key, state in twins if state == said and key not in taken]
            if record_id not in here and same:
                record_id = same[0]
            free = record_id not in taken and (record_id in here or record_id in same or record_id not in used)
            found[one.name, instance] = record_id if free else str(uuid4())
            taken.add(found[one.name, instance])
        return found

    async def _twins(self, conn: Connection, claim: Claim, new: Sequence[Incoming]) -> list[tuple[str, State]]:
        """Tasks here that are kept in step with nothing, and have one of these titles."""
        titles = [part["title"] for one in new if one.reading for part in one.reading.parts.values()]
        values = (claim.user_id, prefix_of(claim.user_id, claim.holds), titles)
        rows = await (await conn.execute(TWINS, values)).fetchall()
        return [(row["key"], self._reconciler.rules[claim.form].state(row["value"])) for row in rows]

    async def _keep(
        self,
        conn: Connection,
        claim: Claim,
        one: Incoming,
        known: Mapping[tuple[str, str], InstanceRow],
        ids: Mapping[tuple[str, str], str],
    ) -> None:
        """What one file says, as the state of its instances there."""
        reading = one.reading or ReadItem("", {})
        values = {
            **_ids(claim),
            "name": one.name,
            "uid": reading.uid,
            "etag": one.item.etag if one.item else None,
            "content": one.item.text if one.item else None,
            "there": one.item is not None,
            "problem": reading.problem,
        }
        await conn.execute(ITEM, values)
        if reading.problem:
            return
        if one.item is None:
            await conn.execute(ARRIVED, _row(claim, one.name))
        for name, instance in known:
            if name == one.name:
                said = as_jsonb(reading.parts.get(instance))
                await conn.execute(REMOTE, (said, *_row(claim, name), instance))
        for instance in reading.parts.keys() - {instance for name, instance in known if name == one.name}:
            record_id, said = ids[one.name, instance], as_jsonb(reading.parts[instance])
            await conn.execute(NEW_PART, (*_row(claim, one.name), instance, record_id, said))

    async def _look_at_changed(self, claim: Claim) -> int:
        values = {**_ids(claim), "prefix": prefix_of(claim.user_id, claim.holds), "limit": BATCH_ROWS}
        async with self._step(claim) as conn:
            rows = await (await conn.execute(CHANGED, values)).fetchall()
            if rows:
                await conn.execute(LISTED_AGAIN, (claim.user_id, claim.calendar_id, [row["name"] for row in rows]))
            await self._settle(conn, claim, [InstanceRow(**row) for row in rows])
        return len(rows)

    async def _collect(self, claim: Claim) -> int:
        """Give new events from here a file, which is written with the rest."""
        prefix = prefix_of(claim.user_id, claim.holds)
        values = {**_ids(claim), "prefix": prefix, "kind": KINDS[claim.holds], "limit": BATCH_ROWS}
        async with self._step(claim) as conn:
            rows = await (await conn.execute(COLLECT, values)).fetchall()
            names = [_new_name(claim, row["key"]) for row in rows]
            for name, row in zip(names, rows, strict=True):
                blank = {"name": name, "uid": f"{row['key']}{OURS}", "there": False}
                await conn.execute(ITEM, {**_ids(claim), **dict.fromkeys(("etag", "content", "problem")), **blank})
                await conn.execute(NEW_PART, (*_row(claim, name), MASTER, row["key"], None))
            await self._settle(conn, claim, list((await self._parts(conn, claim, names)).values()))
        return len(rows)


def _ids(claim: Claim) -> dict[str, Any]:
    return {"user_id": claim.user_id, "calendar_id": claim.calendar_id}


def _row(claim: Claim, name: str) -> tuple[UUID, UUID, str]:
    return claim.user_id, claim.calendar_id, name


def _instances(one: Incoming) -> Sequence[str]:
    return list(one.reading.parts) if one.reading and not one.reading.problem else []


def _new_name(claim: Claim, record_id: str) -> str:
    """What something from here is called there: a file, an id in the letters that Google allows, or to be named."""
    if claim.form == "google-tasks":
        return f"{TO_BE_NAMED}{record_id}"
    return f"{record_id}.ics" if claim.provider == "caldav" else record_id.replace("-", "").lower()


def _likely(claim: Claim, one: Incoming, instance: str) -> str:
    """The id that an instance had here before, if it was here: our own events carry it in their UID."""
    uid = one.reading.uid if one.reading else one.name
    own = uid.removesuffix(OURS)
    if instance == MASTER and uid.endswith(OURS) and _is_id(own):
        return own
    return str(uuid5(claim.user_id, f"{uid} {instance}"))


def _is_id(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def _outgoing(
    name: str, rows: Sequence[Mapping[str, Any]], records: Mapping[str, dict[str, Any]], rules: MergeRules
) -> Outgoing:
    own = [row for row in rows if row["name"] == name]
    parts = {}
    for row in own:
        record = records.get(row["record_id"])
        local = rules.state(record)
        parts[row["instance"]] = OutgoingPart(local, row["base_local"], record["version"] if record else 0)
    return Outgoing(name, own[0]["uid"], own[0]["etag"], own[0]["text"], parts)
