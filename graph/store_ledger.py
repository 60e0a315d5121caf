"""The ledger over any LangGraph store: for Studio, and for tests. One process at a time; no crash safety is claimed."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from langgraph.store.base import BaseStore

from agents.contract import Change, ChangeStatus, Imported, LookAhead, Lookback
from agents.conventions import Conventions
from agents.ledger.batch import LoadedBatch, RecordKey, change_ids_to_load, record_keys_to_load
from agents.ledger.conflicts import BusyCalendar, Pair, busy_slots, changed_event_ids
from agents.ledger.linked_colors import tasks_changing_color
from agents.ledger.settle import TOO_LATE, preview_events, settle
from agents.ports import Batch
from agents.records import Event
from agents.store import namespace

PAGE = 500


class StoreLedger:
    """Keeps records and changes in a store; ``find_store`` is called at each use, as Studio supplies its own.

    ``patience`` is how long a held change waits for a yes.
    """

    def __init__(self, find_store: Callable[[], BaseStore], *, patience: timedelta = timedelta(days=1)) -> None:
        self._find_store = find_store
        self._patience = patience
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def apply(self, batch: Batch) -> list[Change]:
        """Apply each proposal alone; a batch applied before returns its recorded outcome."""
        async with self._locks[batch.user_id]:
            log = await self._log(batch.user_id)
            recorded = [change for origin, change in log if (origin, change.agent) == (batch.origin, batch.agent)]
            return _with_status(recorded, log) if recorded else await self._settle(batch, log)

    async def changes_of_turn(self, user_id: str, *turn_ids: str) -> list[Change]:
        """The changes of one or more turns, oldest first, and within a turn in the order they were said."""
        log = await self._log(user_id)
        found = [change for _, change in log if change.turn_id in turn_ids]
        first = {change.turn_id: change.cursor for change in reversed(found)}
        return _with_status(sorted(found, key=lambda change: (first[change.turn_id], change.place, change.cursor)), log)

    async def history(self, user_id: str, look: Lookback, limit: int) -> list[Change]:
        """The newest changes that the words ask for and that were applied once, oldest first."""
        log = await self._log(user_id)
        found = _with_status([change for _, change in log if _asked_for(change, look)], log)
        return sorted(found, key=lambda change: (change.created_at, change.cursor))[-limit:]

    async def imported_appointments(self, user_id: str, look: LookAhead, limit: int) -> list[Imported]:  # noqa: ARG002 - the port's
        """Nothing: calendars are imported by the server."""
        return []

    async def change(self, user_id: str, change_id: str) -> Change | None:
        """One change, or None."""
        log = await self._log(user_id)
        return next(iter(_with_status([change for _, change in log if change.id == change_id], log)), None)

    async def _settle(self, batch: Batch, log: list[tuple[str, Change]]) -> list[Change]:
        wanted = set(change_ids_to_load(batch))
        named = [change for _, change in log if wanted & {change.id, change.confirms}]
        targets = {change.id: change for change in _with_status(named, log)}
        newest = max((change.cursor for _, change in log), default=0)
        loaded = LoadedBatch(cursor=newest, targets=targets, patience=self._patience)
        for kind, record_id in record_keys_to_load(batch, targets):
            item = await self._find_store().aget(namespace(kind, batch.user_id), record_id)
            loaded.records[kind, record_id] = item.value if item else None
        for event in (
            await self._events(batch.user_id)
            if (tasks := tasks_changing_color(batch.proposals, targets.values()))
            else ()
        ):
            if event.task_id in tasks:
                loaded.records["event", event.id] = event.model_dump(mode="json")
                loaded.linked.setdefault(event.task_id, []).append(event.id)
        loaded.busy = await self._diary(batch, preview_events(batch, loaded))
        rows = settle(batch, loaded)
        await self._keep(batch, loaded, rows)
        return _with_status(rows, [*log, *((batch.origin, row) for row in rows)])

    async def _diary(self, batch: Batch, changed: list[Pair]) -> BusyCalendar | None:
        """The calendar in which events settle: every event of the store, as nothing is worked out beforehand here."""
        if not changed:
            return None
        busy = BusyCalendar(batch.at, batch.timezone, batch.conventions or Conventions())
        touched = changed_event_ids(changed)
        others = [event for event in await self._events(batch.user_id) if event.id not in touched]
        found = busy_slots(others, [span for pair in changed for span in busy.new_busy_spans(*pair)])
        busy.taken = [slot.span for slot in busy_slots(others, busy.hold(changed, found))]
        return busy

    async def _events(self, user_id: str) -> list[Event]:
        found: list[Event] = []
        while True:
            page = await self._find_store().asearch(namespace("event", user_id), limit=PAGE, offset=len(found))
            found += [Event.model_validate(item.value) for item in page]
            if len(page) < PAGE:
                return found

    async def _keep(self, batch: Batch, loaded: LoadedBatch, rows: list[Change]) -> None:
        for key in loaded.touched:
            await self._put(batch.user_id, key, loaded)
        for row in rows:
            value = {"origin": batch.origin, "change": row.model_dump(mode="json")}
            await self._find_store().aput(("change", batch.user_id), f"{row.cursor:012d}", value, index=False)

    async def _put(self, user_id: str, key: RecordKey, loaded: LoadedBatch) -> None:
        kind, record_id = key
        value = loaded.records[key]
        if value is None:
            await self._find_store().adelete(namespace(kind, user_id), record_id)
        else:
            await self._find_store().aput(namespace(kind, user_id), record_id, value, index=False)

    async def _log(self, user_id: str) -> list[tuple[str, Change]]:
        rows: list[tuple[str, Change]] = []
        while True:
            page = await self._find_store().asearch(("change", user_id), limit=PAGE, offset=len(rows))
            rows += [(item.value["origin"], Change.model_validate(item.value["change"])) for item in page]
            if len(page) < PAGE:
                return sorted(rows, key=lambda row: row[1].cursor)


def _asked_for(change: Change, look: Lookback) -> bool:
    then = (look.since is None or change.created_at >= look.since) and (
        look.until is None or change.created_at < look.until
    )
    named = not look.words or any(word.lower() in change.title.lower() for word in look.words)
    return then and named and change.status == "applied" and look.kind in (None, change.kind)


def _with_status(changes: list[Change], log: list[tuple[str, Change]]) -> list[Change]:
    """Derive the statuses that rows never store: undone by a later undo; a held change as it was answered."""
    undone: set[str] = set()
    answers: dict[str, Change] = {}
    for _, row in reversed(log):
        if row.undo_of and row.status == "applied" and row.id not in undone:
            undone.add(row.undo_of)
        if row.confirms:
            answers[row.confirms] = row
    return [change.model_copy(update=_derived_status(change, undone, answers)) for change in changes]


def _derived_status(change: Change, undone: set[str], answers: dict[str, Change]) -> dict[str, Any]:
    if change.id in undone:
        return {"status": "undone"}
    answer = answers.get(change.id) if change.has_been_held else None
    if answer:
        status: ChangeStatus = "undone" if answer.id in undone else answer.status
        return {"status": status, "error": answer.error}
    late = change.expires_at is not None and change.expires_at <= datetime.now(UTC)
    return {"status": "failed", "error": TOO_LATE} if late else {}
