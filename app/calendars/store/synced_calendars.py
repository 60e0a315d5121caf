"""Accounts with calendars of elsewhere, which of these are kept in step, and what waits for a decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar
from uuid import UUID

from agents.contract import Change
from agents.records import Kind
from app.calendars.model.synced import (
    KINDS,
    CalendarAccount,
    Collects,
    Direction,
    Keep,
    Login,
    RemoteCalendar,
    SyncConflict,
    SyncedCalendar,
    form_of,
)
from app.calendars.store.reconcile import CalendarRef, InstanceRow, Reconciler, prefix_of
from app.database.database import Connection, Database
from app.database.model import KeyUnreadable
from app.database.secrets import CannotUnseal, KeyRing
from app.database.signals import Signals
from app.errors import Conflict
from app.records.store.derived import Touched

ACCOUNT = "id, name, url, username, created_at, provider"
LOCK = "select 1 from counters where user_id = %s for update"
COUNT = "select count(*) as kept from calendar_accounts where user_id = %s and id <> %s"
LIST = f"select {ACCOUNT} from calendar_accounts where user_id = %s order by created_at, id"  # noqa: S608
GET = f"select {ACCOUNT} from calendar_accounts where user_id = %s and id = %s"  # noqa: S608
SEALED = "select url, username, password, provider from calendar_accounts where user_id = %s and id = %s"
ADD = """
insert into calendar_accounts (user_id, id, name, url, username, password, provider)
values (%s, %s, %s, %s, %s, %s, %s)
on conflict (user_id, id) do nothing
"""
ENTER = "update calendar_accounts set username = %s, password = %s where user_id = %s and id = %s"
RETRY = """
update synced_calendars set failures = 0, next_sync = now()
where user_id = %s and account_id = %s and direction <> 'off'
"""
DELETE = "delete from calendar_accounts where user_id = %s and id = %s returning id"
FOUND = """
insert into synced_calendars (user_id, id, account_id, url, name, color, writable, holds)
select %(user_id)s, gen_random_uuid(), %(account_id)s, url, name, color, writable, holds
from unnest(%(urls)s::text[], %(names)s::text[], %(colors)s::text[], %(writable)s::boolean[], %(holds)s::text[])
     as found (url, name, color, writable, holds)
on conflict (user_id, account_id, url, holds) do update
set name = excluded.name, color = excluded.color, writable = excluded.writable
"""
CALENDARS = """
select c.id, c.account_id, c.url, c.name, c.color, c.writable, c.holds, c.direction, c.collects,
       jsonb_array_length(c.gone) as gone, c.error, c.error_at, c.last_synced, c.next_sync,
       (select count(*) from synced_events e where e.user_id = c.user_id and e.calendar_id = c.id
        and e.base_local is not null) as events,
       (select count(*) from synced_events e where e.user_id = c.user_id and e.calendar_id = c.id
        and e.conflict_id is not null) as conflicts,
       array(select '“' || left(coalesce(said.title, i.name), 100) || '”: ' || coalesce(i.problem, i.refused)
             from synced_items i left join lateral (
                select coalesce(e.remote, e.base_local, e.pending->'local')->>'title' as title from synced_events e
                where e.user_id = i.user_id and e.calendar_id = i.calendar_id and e.name = i.name
                order by e.instance limit 1) said on true
             where i.user_id = c.user_id and i.calendar_id = c.id and coalesce(i.problem, i.refused) is not null
             order by i.name limit 20) as problems
from synced_calendars c where c.user_id = %(user_id)s and c.account_id = %(account_id)s
  and (%(id)s::uuid is null or c.id = %(id)s) order by c.name, c.id
"""
CALENDAR = "select direction, collects, writable, holds from synced_calendars where user_id = %s and id = %s for update"
OTHERS = """
update synced_calendars set collects = 'none' where user_id = %s and id <> %s and holds = %s and collects <> 'none'
"""
CHOOSE = """
update synced_calendars set direction = %(direction)s, collects = %(collects)s, next_sync = now(),
    collects_since = case when collects = %(collects)s then collects_since
                          else (select change_cursor from counters where user_id = %(user_id)s) end
where user_id = %(user_id)s and id = %(id)s
"""
# What a worker still does with it is fenced off.
FORGET = """
update synced_calendars set direction = 'off', collects = 'none', token = null, gone = '[]', failures = 0, error = null,
    error_at = null, next_sync = null, generation = generation + 1
where user_id = %s and id = %s
"""
FORGET_ITEMS = "delete from synced_items where user_id = %s and calendar_id = %s"
LOOK_NOW = (
    "update synced_calendars set next_sync = now(), failures = 0 where user_id = %s and id = %s and direction <> 'off'"
)
PROVIDER = (
    "(select a.provider from calendar_accounts a where a.user_id = c.user_id and a.id = c.account_id) as provider"
)
GONE = f"""
select c.name, c.gone, c.holds, {PROVIDER} from synced_calendars c
where c.user_id = %s and c.id = %s and c.gone <> '[]' for update of c
"""  # noqa: S608
NONE_GONE = "update synced_calendars set gone = '[]', next_sync = now() where user_id = %s and id = %s"
ITEMS_GONE = """
update synced_items set there = false, etag = null where user_id = %s and calendar_id = %s and name = any(%s)
"""
PARTS_GONE = """
update synced_events set remote = null, pending = null where user_id = %s and calendar_id = %s and name = any(%s)
"""
FRESH = """
update synced_events set base_local = null, base_remote = null
where user_id = %s and calendar_id = %s and name = any(%s)
"""
PART = "name, instance, record_id, remote, base_local, base_remote, pending, conflict_id"
PARTS = f"select {PART} from synced_events where user_id = %s and calendar_id = %s and name = any(%s)"  # noqa: S608
CONFLICTS = f"""
select e.conflict_id as id, e.calendar_id, c.name as calendar, e.record_id, s.value as record, e.remote as there,
       e.base_local as before, e.conflict_at as at, c.holds, {PROVIDER}
from synced_events e join synced_calendars c on c.user_id = e.user_id and c.id = e.calendar_id
left join store s on s.user_id = e.user_id and s.key = e.record_id
    and s.prefix = case c.holds when 'tasks' then %s else %s end
where e.user_id = %s and e.conflict_id is not null order by e.conflict_at, e.conflict_id limit 200
"""  # noqa: S608
CONFLICT = f"""
select e.calendar_id, c.name as calendar, c.holds, {PROVIDER}, {", ".join(f"e.{column}" for column in PART.split(", "))}
from synced_events e join synced_calendars c on c.user_id = e.user_id and c.id = e.calendar_id
where e.user_id = %s and e.conflict_id = %s for update of e
"""  # noqa: S608
KEEP_HERE = """
update synced_events set conflict_id = null, conflict_at = null, base_remote = remote, goes_out = true, pending = null,
    base_local = case when %s then null else base_local end
where user_id = %s and conflict_id = %s
"""
MARK = """
update synced_calendars c set next_sync = now()
where c.user_id = %(user_id)s and c.direction = 'both' and c.next_sync > now() and c.holds = any(%(holds)s)
  and (c.collects <> 'none' or exists (
      select from synced_events e
      where e.user_id = c.user_id and e.calendar_id = c.id and e.record_id = any(%(records)s)))
"""


class SyncMarks:
    """A calendar whose events change here, or a list whose tasks do, is looked at within seconds."""

    kinds: ClassVar[frozenset[Kind]] = frozenset(KINDS.values())

    async def derive(self, conn: Connection, user_id: UUID, touched: Sequence[Touched]) -> None:
        """Mark the calendars of what was touched."""
        kinds = {one.kind for one in touched}
        holds = [name for name, kind in KINDS.items() if kind in kinds]
        records = [one.record_id for one in touched]
        await conn.execute(MARK, {"user_id": user_id, "records": records, "holds": holds})


class CalendarAccounts:
    """Accounts, their calendars and conflicts, as the doors show them. Passwords are sealed by ``keys``."""

    def __init__(
        self,
        database: Database,
        signals: Signals,
        keys: KeyRing,
        reconciler: Reconciler,
        *,
        most: int,
    ) -> None:
        self._database = database
        self._signals = signals
        self._keys = keys
        self._reconciler = reconciler
        self._most = most

    async def connect(
        self, user_id: UUID, account_id: UUID, name: str, login: Login, found: Sequence[RemoteCalendar]
    ) -> CalendarAccount:
        """Keep an account and its calendars, none of them chosen; the same id again changes nothing."""
        sealed = self._keys.seal(login.password, user_id, place_of(account_id))
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOCK, (user_id,))
            [row] = await (await conn.execute(COUNT, (user_id, account_id))).fetchall()
            if row["kept"] >= self._most:
                raise Conflict(f"There are {self._most} accounts already.", hint="Disconnect one first.")
            values = (user_id, account_id, name, login.url, login.username, sealed, login.provider)
            await conn.execute(ADD, values)
            await conn.execute(FOUND, _calendar_values(user_id, account_id, found))
            [made] = await (await conn.execute(GET, (user_id, account_id))).fetchall()
        return CalendarAccount(**made)

    async def list(self, user_id: UUID) -> Sequence[CalendarAccount]:
        """The user's accounts, oldest first."""
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(LIST, (user_id,))).fetchall()
        return [CalendarAccount(**row) for row in rows]

    async def get(self, user_id: UUID, account_id: UUID) -> CalendarAccount | None:
        """One account."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(GET, (user_id, account_id))).fetchone()
        return CalendarAccount(**row) if row else None

    async def login(self, user_id: UUID, account_id: UUID) -> Login | None:
        """How to enter it. Raises KeyUnreadable when the password was tampered with."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(SEALED, (user_id, account_id))).fetchone()
        if row is None:
            return None
        try:
            password = self._keys.unseal(bytes(row["password"]), user_id, place_of(account_id))
        except (CannotUnseal, ValueError) as error:
            raise KeyUnreadable from error
        return Login(row["url"], row["username"], password, row["provider"])

    async def enter(self, user_id: UUID, account_id: UUID, login: Login, found: Sequence[RemoteCalendar]) -> None:
        """Keep another user name or password, and what was found with it."""
        sealed = self._keys.seal(login.password, user_id, place_of(account_id))
        async with self._database.tenant(user_id) as conn:
            await conn.execute(ENTER, (login.username, sealed, user_id, account_id))
            await conn.execute(FOUND, _calendar_values(user_id, account_id, found))
            await conn.execute(RETRY, (user_id, account_id))

    async def disconnect(self, user_id: UUID, account_id: UUID) -> bool:
        """Forget an account; the events stay on both sides."""
        async with self._database.tenant(user_id) as conn:
            return await (await conn.execute(DELETE, (user_id, account_id))).fetchone() is not None

    async def calendars(self, user_id: UUID, account_id: UUID) -> Sequence[SyncedCalendar]:
        """The calendars of an account by name."""
        return await self._calendars(user_id, account_id, None)

    async def calendar(self, user_id: UUID, account_id: UUID, calendar_id: UUID) -> SyncedCalendar | None:
        """One of them."""
        return next(iter(await self._calendars(user_id, account_id, calendar_id)), None)

    async def choose(
        self, user_id: UUID, calendar_id: UUID, direction: Direction | None, collects: Collects | None
    ) -> None:
        """Say how a calendar is kept in step, and which events from here go into it."""
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOCK, (user_id,))
            [row] = await (await conn.execute(CALENDAR, (user_id, calendar_id))).fetchall()
            wanted, into = direction or row["direction"], collects or row["collects"]
            if direction == "off":
                await conn.execute(FORGET, (user_id, calendar_id))
                await conn.execute(FORGET_ITEMS, (user_id, calendar_id))
                return
            _check(wanted, into, writable=row["writable"])
            if into != "none":
                await conn.execute(OTHERS, (user_id, calendar_id, row["holds"]))
            values = {"direction": wanted, "collects": into, "user_id": user_id, "id": calendar_id}
            await conn.execute(CHOOSE, values)

    async def look_now(self, user_id: UUID, calendar_id: UUID) -> None:
        """Let it be looked at at once."""
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOOK_NOW, (user_id, calendar_id))

    async def settle_gone(self, user_id: UUID, calendar_id: UUID, *, delete: bool) -> bool:
        """What is to become of events here that vanished there all at once; False when none did."""
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOCK, (user_id,))
            row = await (await conn.execute(GONE, (user_id, calendar_id))).fetchone()
            if row is None:
                return False
            files = (user_id, calendar_id, row["gone"])
            for statement in (ITEMS_GONE, PARTS_GONE) if delete else (ITEMS_GONE, PARTS_GONE, FRESH):
                await conn.execute(statement, files)
            parts = [InstanceRow(**one) for one in await (await conn.execute(PARTS, files)).fetchall()]
            await self._reconciler.settle(conn, self._place(user_id, calendar_id, row["name"], row), parts)
            await conn.execute(NONE_GONE, (user_id, calendar_id))
        self._signals.wake(user_id)
        return True

    async def conflicts(self, user_id: UUID) -> Sequence[SyncConflict]:
        """What waits for a decision, oldest first."""
        prefixes = prefix_of(user_id, "tasks"), prefix_of(user_id, "events")
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(CONFLICTS, (*prefixes, user_id))).fetchall()
        return [self._conflict(row) for row in rows]

    async def resolve(self, user_id: UUID, conflict_id: UUID, keep: Keep) -> Sequence[Change] | None:
        """Keep one side: the changes here that follow; None when nothing waits under that id."""
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOCK, (user_id,))
            row = await (await conn.execute(CONFLICT, (user_id, conflict_id))).fetchone()
            if row is None:
                return None
            part, holds = InstanceRow(**{name: row[name] for name in PART.split(", ")}), row["holds"]
            changes: list[Change] = []
            if keep == "here":
                there_is_one = bool(await self._reconciler.records(conn, user_id, holds, [part.record_id]))
                await conn.execute(KEEP_HERE, (there_is_one, user_id, conflict_id))
            else:
                place = self._place(user_id, row["calendar_id"], row["calendar"], row)
                changes = await self._reconciler.settle(conn, place, [part], take_over=True)
            await conn.execute(LOOK_NOW, (user_id, row["calendar_id"]))
        self._signals.wake(user_id)
        return changes

    async def _calendars(self, user_id: UUID, account_id: UUID, calendar_id: UUID | None) -> Sequence[SyncedCalendar]:
        values = {"user_id": user_id, "account_id": account_id, "id": calendar_id}
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(CALENDARS, values)).fetchall()
        return [SyncedCalendar(**row) for row in rows]

    def _place(self, user_id: UUID, calendar_id: UUID, name: str, row: dict[str, Any]) -> CalendarRef:
        return CalendarRef(user_id, calendar_id, name, form_of(row["provider"], row["holds"]))

    def _conflict(self, row: dict[str, Any]) -> SyncConflict:
        rules, record = self._reconciler.rules[form_of(row.pop("provider"), row["holds"])], row.pop("record")
        here, there = rules.state(record), row["there"]
        title = (here or there or row["before"] or {}).get("title", "")
        row |= {"record_id": row["record_id"] if record else None, "fields": rules.differing(here, there)}
        return SyncConflict(**row, title=title, here=here)


def place_of(account_id: UUID) -> str:
    """The row's part of what a password is sealed to."""
    return f"calendar-account:{account_id}"


def _check(direction: str, collects: str, *, writable: bool) -> None:
    """Raises Conflict for a choice that cannot be kept."""
    if direction == "both" and not writable:
        raise Conflict("This calendar can only be read.", hint='Choose {"direction": "in"}.')
    if collects != "none" and direction != "both":
        raise Conflict(
            "Events from here can only go into a calendar that is kept in step in both directions.",
            hint='Choose {"direction": "both"} with it.',
        )


def _calendar_values(user_id: UUID, account_id: UUID, found: Sequence[RemoteCalendar]) -> dict[str, Any]:
    return {
        "user_id": user_id,
        "account_id": account_id,
        "urls": [one.url for one in found],
        "names": [one.name for one in found],
        "colors": [one.color for one in found],
        "writable": [one.writable for one in found],
        "holds": [one.holds for one in found],
    }
