"""The ledger in Postgres: records, change rows and events of a batch in one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from langgraph.store.base import GetOp, Item, PutOp
from psycopg.types.json import Jsonb

from agents.contract import Change, ChangeStatus, Imported, LookAhead, Lookback
from agents.ledger.batch import LoadedBatch, RecordKey, change_ids_to_load, record_keys_to_load
from agents.ledger.limits import LedgerLimits
from agents.ledger.linked_colors import tasks_changing_color
from agents.ledger.settle import preview_events, settle
from agents.ports import Batch
from agents.records import RECORD_TYPES, Kind
from agents.store import namespace
from app.database.database import Connection, Database
from app.database.store import bound_store
from app.principal import current_fence
from app.records.model.events import EventType
from app.records.store.busy_time import imported_between, open_busy_calendar
from app.records.store.derived import Deriver, Touched
from app.records.store.event_log import insert_events
from app.records.store.history import history_query, looked_for
from app.records.store.occurrences import Occurrences

COLUMNS = (
    "id, cursor, turn_id, agent, seq, place, op, kind, record_id, title, fields, before, after, reason, "
    "conflicts, alternatives, undo_of, confirms, created_at, expires_at, together, "
    "case when status = 'needs_confirmation' then held_error(user_id, id, expires_at) else error end as error, "
    "case when status = 'needs_confirmation' then held_status(user_id, id, expires_at) "
    "when status = 'applied' and change_undone(user_id, id) then 'undone' else status end as status"
)
BY_BATCH = f"select {COLUMNS} from changes where user_id = %s and origin = %s and agent = %s order by seq"  # noqa: S608
BY_ID = f"select {COLUMNS} from changes where user_id = %s and id = any(%s)"  # noqa: S608
# The changes that proposals name, and the answers to those that were held.
NAMED = f"select {COLUMNS} from changes where user_id = %s and (id = any(%s) or confirms = any(%s))"  # noqa: S608
BY_TURN = "select (told).*, status_now as status, error_now as error from changes_of_turns(%s, %s)"
CHANGES_AFTER = f"select {COLUMNS} from changes where user_id = %s and cursor > %s order by cursor limit %s"  # noqa: S608
CHANGES_BEFORE = f"select {COLUMNS} from changes where user_id = %s and cursor < %s order by cursor desc limit %s"  # noqa: S608
OF_RECORD = f"select {COLUMNS} from changes where user_id = %s and kind = any(%s) and record_id = %s"  # noqa: S608
AFTER_OF_RECORD = f"{OF_RECORD} and cursor > %s order by cursor limit %s"
BEFORE_OF_RECORD = f"{OF_RECORD} and cursor < %s order by cursor desc limit %s"
CHANGES_TOGETHER = f"select {COLUMNS} from changes where user_id = %s and together = %s order by cursor"  # noqa: S608
LAST_OF_RECORD = f"""
select {COLUMNS} from changes where user_id = %s and kind = %s and record_id = %s and status = 'applied'
order by cursor desc limit 1
"""  # noqa: S608
LINKED = """
select key, value from store where user_id = %s and prefix = %s and value->>'task_id' = any(%s) order by key
"""
MORE_CURSORS = "update counters set change_cursor = change_cursor + %s where user_id = %s"
OPEN_BATCH = "select last_cursor, settled from open_batch(%s, %s, %s, %s, %s, %s)"
INSERT = """
insert into changes (user_id, id, cursor, origin, turn_id, agent, seq, place, op, kind, record_id, title, fields,
                     before, after, status, error, reason, conflicts, alternatives, undo_of, confirms, created_at,
                     expires_at, together)
values (%(user_id)s, %(id)s, %(cursor)s, %(origin)s, %(turn_id)s, %(agent)s, %(seq)s, %(place)s, %(op)s, %(kind)s,
        %(record_id)s, %(title)s, %(fields)s, %(before)s, %(after)s, %(status)s, %(error)s, %(reason)s, %(conflicts)s,
        %(alternatives)s, %(undo_of)s, %(confirms)s, %(created_at)s, %(expires_at)s,
        %(together)s)
"""
MAX_SMALL_BATCH = 20
"""Proposals that are settled within some milliseconds; more of them are settled beside the event loop."""
OnHeld = Callable[[Connection, UUID, Sequence[Change]], Awaitable[None]]
UUIDS = ("id", "turn_id", "undo_of", "confirms", "together")
EVENTS: dict[ChangeStatus, EventType] = {
    "applied": "change.applied",
    "failed": "change.failed",
    "needs_confirmation": "approval.required",
}


class PostgresLedger:
    """Applies batches under the user's lock and the turn's fence.

    ``patience`` is how long a held change waits, ``occurrences`` tell what clashes, and ``derivers`` write the rows
    that follow from records, besides the occurrences; ``on_held`` those that follow from changes that wait for a yes.
    """

    def __init__(
        self,
        database: Database,
        wake: Any = None,
        *,
        patience: timedelta = timedelta(days=1),
        limits: LedgerLimits | None = None,
        occurrences: Occurrences | None = None,
        derivers: Sequence[Deriver] = (),
        on_held: OnHeld | None = None,
    ) -> None:
        self._database = database
        self._limits = limits or LedgerLimits()
        self._wake = wake or (lambda _user_id: None)
        self._patience = patience
        self._occurrences = occurrences or Occurrences()
        self._derivers = (self._occurrences, *derivers)
        self._on_held = on_held

    async def apply(self, batch: Batch) -> list[Change]:
        """Apply each proposal alone; a batch applied before returns its recorded outcome.

        Raises:
            StaleLease: another server has taken the turn over.
            OutOfReach: whether the batch was applied shows when the database is back.

        """
        user_id = UUID(batch.user_id)
        async with self._database.tenant(user_id) as conn:
            changes = await self.apply_within(conn, batch)
        self._wake(user_id)
        return changes

    async def apply_within(self, conn: Connection, batch: Batch) -> list[Change]:
        """Apply a batch in the caller's transaction, which wakes those who follow it."""
        cursor, recorded = await _lock(conn, batch)
        return recorded or await self._settle(conn, batch, cursor)

    async def changes_of_turn(self, user_id: str, *turn_ids: str) -> list[Change]:
        """The changes of one or more turns, oldest first."""
        rows = await self._database.rows(BY_TURN, (user_id, [UUID(turn_id) for turn_id in turn_ids]))
        return [_change(row) for row in rows]

    async def change(self, user_id: str, change_id: str) -> Change | None:
        """One change, or None."""
        found = await self._read(user_id, BY_ID, user_id, [UUID(change_id)])
        return found[0] if found else None

    async def history(self, user_id: str, look: Lookback, limit: int) -> list[Change]:
        """The newest changes that the words ask for and that were applied once, oldest first."""
        values = looked_for(user_id, look, limit, self._limits.look_back)
        async with self._database.one_statement(UUID(user_id)) as conn:
            rows = await (await conn.execute(history_query(look).format(columns=COLUMNS), values)).fetchall()
        return [_change(row) for row in rows]

    async def imported_appointments(self, user_id: str, look: LookAhead, limit: int) -> list[Imported]:
        """The first appointments of imported calendars that take place then, earliest first."""
        async with self._database.one_statement(UUID(user_id)) as conn:
            return await imported_between(conn, UUID(user_id), look, limit)

    async def last_of_record(self, user_id: str, kind: Kind, record_id: str) -> Change | None:
        """The newest applied change of a record; None for a record that never was."""
        found = await self._read(user_id, LAST_OF_RECORD, user_id, kind, record_id)
        return found[0] if found else None

    async def made_together(self, user_id: str, together: str) -> list[Change]:
        """The changes that were made as one, oldest first."""
        return await self._read(user_id, CHANGES_TOGETHER, user_id, UUID(together))

    async def changes_after(self, user_id: str, cursor: int, limit: int, record_id: str | None = None) -> list[Change]:
        """Changes with a larger cursor, of one record or of all, oldest first."""
        if record_id is not None:
            return await self._read(user_id, AFTER_OF_RECORD, user_id, list(RECORD_TYPES), record_id, cursor, limit)
        return await self._read(user_id, CHANGES_AFTER, user_id, cursor, limit)

    async def changes_before(self, user_id: str, cursor: int, limit: int, record_id: str | None = None) -> list[Change]:
        """Changes with a smaller cursor, of one record or of all, latest first."""
        if record_id is not None:
            return await self._read(user_id, BEFORE_OF_RECORD, user_id, list(RECORD_TYPES), record_id, cursor, limit)
        return await self._read(user_id, CHANGES_BEFORE, user_id, cursor, limit)

    async def _settle(self, conn: Connection, batch: Batch, cursor: int) -> list[Change]:
        loaded = await _open_book(conn, batch, cursor)
        loaded.patience, loaded.limits = self._patience, self._limits
        if changed := preview_events(batch, loaded):
            loaded.busy = await open_busy_calendar(conn, batch, changed, self._occurrences)
        many = len(batch.proposals) > MAX_SMALL_BATCH
        rows = await asyncio.to_thread(settle, batch, loaded) if many else settle(batch, loaded)
        if len(rows) > len(batch.proposals):
            await conn.execute(MORE_CURSORS, (len(rows) - len(batch.proposals), batch.user_id))
        await _keep_records(conn, batch.user_id, loaded)
        await self._derive(conn, batch, loaded)
        for row in rows:
            await conn.execute(INSERT, _values(batch, row))
        if self._on_held and any(row.has_been_held or row.declines for row in rows):
            await self._on_held(conn, UUID(batch.user_id), rows)
        await insert_events(conn, UUID(batch.user_id), _uuid(batch.turn_id), [_to_event(row) for row in rows])
        return rows

    async def _derive(self, conn: Connection, batch: Batch, loaded: LoadedBatch) -> None:
        touched = [
            Touched(kind, record_id, loaded.records[kind, record_id]) for kind, record_id in sorted(loaded.touched)
        ]
        for deriver in self._derivers:
            if concerned := [one for one in touched if one.kind in deriver.kinds]:
                await deriver.derive(conn, UUID(batch.user_id), concerned)

    async def _read(self, user_id: str, query: str, *values: Any) -> list[Change]:
        async with self._database.one_statement(UUID(user_id)) as conn:
            return await read_changes(conn, query, values)


async def read_changes(conn: Connection, query: str, values: Sequence[Any] | Mapping[str, Any]) -> list[Change]:
    """The changes that a query finds, which reads COLUMNS."""
    rows = await (await conn.execute(query, values)).fetchall()
    return [_change(row) for row in rows]


async def _lock(conn: Connection, batch: Batch) -> tuple[int, list[Change]]:
    """Take the user's lock (with the cursors this batch needs), check the fence, look for an earlier run."""
    fence = current_fence() if batch.turn_id else None
    held = (fence.turn_id, fence.generation) if fence else (None, None)
    size = len(batch.proposals)
    opened = await (await conn.execute(OPEN_BATCH, (batch.user_id, batch.origin, batch.agent, size, *held))).fetchone()
    if opened is None:
        raise LookupError(f"There is no user {batch.user_id}.")
    earlier = (batch.user_id, batch.origin, batch.agent)
    recorded = await read_changes(conn, BY_BATCH, earlier) if opened["settled"] else []
    return opened["last_cursor"] - size, recorded


async def _open_book(conn: Connection, batch: Batch, cursor: int) -> LoadedBatch:
    wanted = [UUID(change_id) for change_id in change_ids_to_load(batch)]
    found = await read_changes(conn, NAMED, (batch.user_id, wanted, wanted)) if wanted else []
    loaded = LoadedBatch(cursor=cursor, targets={change.id: change for change in found})
    keys = sorted(record_keys_to_load(batch, loaded.targets))
    if keys:
        items = await bound_store(conn).abatch([GetOp(namespace(kind, batch.user_id), key) for kind, key in keys])
        loaded.records = {
            key: item.value if isinstance(item, Item) else None for key, item in zip(keys, items, strict=True)
        }
        await _link(conn, batch, loaded)
    return loaded


async def _link(conn: Connection, batch: Batch, loaded: LoadedBatch) -> None:
    """Load the events linked to tasks whose colour may change."""
    tasks = tasks_changing_color(batch.proposals, loaded.targets.values())
    values = (batch.user_id, ".".join(namespace("event", batch.user_id)), tasks)
    for row in await (await conn.execute(LINKED, values)).fetchall() if tasks else ():
        loaded.records["event", row["key"]] = row["value"]
        loaded.linked.setdefault(row["value"]["task_id"], []).append(row["key"])


async def _keep_records(conn: Connection, user_id: str, loaded: LoadedBatch) -> None:
    if loaded.touched:
        await bound_store(conn).abatch([_put(user_id, key, loaded) for key in sorted(loaded.touched)])


def _put(user_id: str, key: RecordKey, loaded: LoadedBatch) -> PutOp:
    kind, record_id = key
    return PutOp(namespace(kind, user_id), record_id, loaded.records[key], index=False)


def _to_event(change: Change) -> tuple[str, dict[str, Any]]:
    return EVENTS[change.status], change.model_dump(mode="json")


def _values(batch: Batch, change: Change) -> dict[str, Any]:
    values = dict(change)
    for name in ("fields", "before", "after"):
        values[name] = None if values[name] is None else Jsonb(values[name])
    for name in ("conflicts", "alternatives"):
        values[name] = Jsonb([item.model_dump(mode="json") for item in values[name]])
    return {**values, "user_id": batch.user_id, "origin": batch.origin}


def _change(row: dict[str, Any]) -> Change:
    values = {name: row[name] for name in Change.model_fields if name in row}
    texts = {
        name: str(row[name]) if row[name] else None for name in ("id", "turn_id", "undo_of", "confirms", "together")
    }
    return Change.model_validate({**values, **texts})


def _uuid(text: str | None) -> UUID | None:
    return UUID(text) if text else None
