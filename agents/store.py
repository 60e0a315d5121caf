"""Typed, paging reads over LangGraph's store; every namespace is made here.

Only ``abatch`` is used: adapters serve each call under the principal of its caller, and all first pages cost one trip.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left, insort
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from operator import attrgetter
from typing import Any, cast

from langgraph.store.base import BaseStore, GetOp, PutOp, SearchItem, SearchOp
from langgraph.store.base import Item as Stored

from agents.contract import Change
from agents.index.index import Index, Layer, Name
from agents.index.items import Item, Order, item_of
from agents.ports import INDEXED, FollowedStore, Mark, Records
from agents.records import (
    RECORD_KINDS,
    RECORD_TYPES,
    AnyRecord,
    Event,
    Instruction,
    Kind,
    Note,
    Profile,
    ToDo,
)
from agents.suggestion_feedback import Track, TrackOutcome

PAGE = 250
"""Records that are read at once: as many of each kind are taken apart before anybody else is served."""
SLICE = 50
"""Records that are made, and filed, before others are served."""
MOST_CHANGED = 500
"""Changes that are filed one by one; with more of them the index is made anew."""
MOST_KNOWN = 50_000
"""Records that are kept for the next turn, those of all users together; each takes about 5 KB, filed."""
Models = ToDo | Event | Note | Instruction | Profile
RECENTLY_CLOSED = 50
ANSWERING = timedelta(days=1)
"""How long after a suggestion doing its task counts as taking it."""


@dataclass(frozen=True)
class WantedRecords:
    """One kind of record that the router sees: with this status, all of them or only the latest ``most``."""

    kind: Kind
    status: str | None = None
    most: int | None = None

    def page(self, user_id: str, offset: int) -> SearchOp:
        """The search for the records from ``offset`` on; the store's own default would stop at 10."""
        status = {"status": self.status} if self.status else None
        return SearchOp(namespace(self.kind, user_id), filter=status, limit=self.most or PAGE, offset=offset)

    def admits(self, value: dict[str, Any]) -> bool:
        """Whether a record of the kind is one of these."""
        return self.status is None or value.get("status") == self.status


WANTED_READS = (
    WantedRecords("todo", "not started"),
    WantedRecords("todo", "in progress"),
    WantedRecords("todo", "done", RECENTLY_CLOSED),
    WantedRecords("todo", "archived", RECENTLY_CLOSED),
    WantedRecords("event"),
    WantedRecords("note", "active"),
    WantedRecords("note", "snoozed"),
    WantedRecords("instruction"),
    WantedRecords("profile", most=1),
)
LATEST_READS = tuple(wanted for wanted in WANTED_READS if wanted.most)


@dataclass(frozen=True)
class StoredRow:
    """One stored record with its model, which is read and never written, so that turns can share it."""

    key: str
    version: Any
    item: Item


Rows = dict[WantedRecords, list[StoredRow]]
in_order = attrgetter("item.order")


@dataclass(frozen=True)
class Kept:
    """All that a turn read of a user, how far the changes went then, and where each record is found."""

    mark: Mark
    rows: Rows
    records: dict[WantedRecords, list[Models]]
    tracks: dict[str, Track]
    index: Index
    count: int


class _Memory:
    """What the last turn of each user read; the user whose last turn is longest ago is forgotten first."""

    def __init__(self) -> None:
        self._users: dict[str, Kept] = {}
        self._count = 0

    def of(self, user_id: str) -> Kept | None:
        """What was kept for a user."""
        return self._users.get(user_id)

    def keep(self, user_id: str, kept: Kept) -> None:
        """Keep this in place of what there was."""
        self._drop(user_id)
        self._users[user_id] = kept
        self._count += kept.count
        while self._count > MOST_KNOWN and self._users:
            self._drop(next(iter(self._users)))

    def _drop(self, user_id: str) -> None:
        if gone := self._users.pop(user_id, None):
            self._count -= gone.count


_memory = _Memory()


def namespace(kind: Kind, user_id: str) -> tuple[str, str]:
    """Where a user's records of one kind live; the second label is always the user's uuid."""
    return (kind, user_id)


def tracks_of(user_id: str) -> tuple[str, str]:
    """Where is kept what became of suggestions; no record, and no business of the ledger."""
    return ("focus", user_id)


async def read_records(store: BaseStore, user_id: str) -> Records:
    """Return what the router sees: open tasks, the ones closed lately, events, notes, instructions and the profile.

    Of a store that tells what changed, only that is read; the few latest of a kind again where one of them is none now.
    """
    kept, mark, fresh = _memory.of(user_id), None, None
    if isinstance(store, FollowedStore):
        mark, fresh = await store.changed_since(user_id, kept.mark if kept else None)
    if kept and fresh is not None:
        rows, tracks, put = await _update_kept(store, user_id, kept, fresh)
        index = await _brought_up_index(kept, rows, LATEST_READS, put, _names_of(fresh))
    else:
        wanted = [kind.page(user_id, 0) for kind in WANTED_READS]
        *pages, told = await store.abatch([*wanted, SearchOp(tracks_of(user_id), limit=PAGE)])
        rows, tracks = await _read(store, user_id, WANTED_READS, pages, kept), _tracks_in(_items(told))
        index = await (_brought_up_index(kept, rows, WANTED_READS) if kept else _index_of(rows))
    records = {
        wanted: kept.records[wanted] if kept and some is kept.rows[wanted] else _models_of(some)
        for wanted, some in rows.items()
    }
    if mark is not None:
        _memory.keep(user_id, Kept(mark, rows, records, tracks, index, sum(map(len, rows.values()))))
    return _records(records, tracks).with_index(index)


async def _update_kept(
    store: BaseStore, user_id: str, kept: Kept, fresh: Sequence[SearchItem]
) -> tuple[Rows, dict[str, Track], list[Item]]:
    """Return what was kept, brought up to what changed since, and what is put in place of what it was."""
    again = [wanted for wanted in LATEST_READS if _may_bring_in(wanted, kept, fresh)]
    pages = await store.abatch([wanted.page(user_id, 0) for wanted in again]) if again else []
    changed = {item.namespace[0] for item in fresh}
    now = {
        wanted: _changed_rows(wanted, fresh)
        for wanted in WANTED_READS
        if wanted not in again and wanted.kind in changed
    }
    rows = {wanted: _brought_up(wanted, kept, fresh, some) for wanted, some in now.items()}
    put = [
        row.item for wanted, some in now.items() if wanted not in LATEST_READS for row in some if wanted.kind in INDEXED
    ]
    tracks = _tracks_in([item for item in fresh if item.namespace == tracks_of(user_id)])
    rows = kept.rows | rows | await _read(store, user_id, again, pages, kept)
    return rows, kept.tracks | tracks, put


async def _read(
    store: BaseStore, user_id: str, kinds: Sequence[WantedRecords], pages: Sequence[Any], kept: Kept | None
) -> Rows:
    return {
        wanted: await _rows(wanted, await _complete(store, user_id, wanted, _items(page)), kept)
        for wanted, page in zip(kinds, pages, strict=True)
    }


def _tracks_in(items: Sequence[SearchItem]) -> dict[str, Track]:
    return {item.key: Track.model_validate(item.value) for item in items}


def _may_bring_in(wanted: WantedRecords, kept: Kept, fresh: Sequence[SearchItem]) -> bool:
    """Return whether one that is not known may be among the latest now, as one that was has left a full list."""
    keys = {row.key for row in kept.rows[wanted]}
    left = (item for item in fresh if item.namespace[0] == wanted.kind and not wanted.admits(item.value))
    return len(keys) == wanted.most and any(item.key in keys for item in left)


def _changed_rows(wanted: WantedRecords, fresh: Sequence[SearchItem]) -> list[StoredRow]:
    changed = [item for item in fresh if item.namespace[0] == wanted.kind and wanted.admits(item.value)]
    tick = next(_ticks)
    return [_row(wanted, item, {}, (-tick, place)) for place, item in enumerate(changed)]


def _brought_up(
    wanted: WantedRecords, kept: Kept, fresh: Sequence[SearchItem], now: Sequence[StoredRow]
) -> list[StoredRow]:
    """Return the rows after changes, the latest first."""
    keys = {item.key for item in fresh if item.namespace[0] == wanted.kind}
    if wanted.most:
        left = [row for row in kept.rows[wanted] if row.key not in keys]
        return sorted([*now, *left], key=in_order)[: wanted.most]
    rows = kept.rows[wanted].copy()
    for key in keys:
        before = kept.index.get(wanted.kind, key)
        place = bisect_left(rows, before.order, key=in_order) if before else len(rows)
        if place < len(rows) and rows[place].key == key:
            del rows[place]
    for row in now:
        insort(rows, row, key=in_order)
    return rows


async def _rows(wanted: WantedRecords, items: list[SearchItem], kept: Kept | None) -> list[StoredRow]:
    known = {row.key: row for row in kept.rows[wanted]} if kept else {}
    rows, tick = list[StoredRow](), next(_ticks)
    for begin in range(0, len(items), SLICE):
        some = enumerate(items[begin : begin + SLICE], begin)
        rows += [_row(wanted, item, known, (-tick, place)) for place, item in some]
        await asyncio.sleep(0)
    return sorted(rows, key=in_order)


_ticks = count()
"""Of records that changed at one moment, those read later come first."""


def _row(wanted: WantedRecords, item: SearchItem, known: Mapping[str, StoredRow], tie: Order) -> StoredRow:
    """Return a record with its model; one that was read before is not validated again, as a version never changes."""
    version = (item.value["version"], item.value["updated_at"])
    before = known.get(item.key)
    if before and before.version == version:
        return before
    record = cast("Models", RECORD_TYPES[wanted.kind].model_validate(item.value))
    order = (WANTED_READS.index(wanted), -item.updated_at.timestamp(), *tie)
    return StoredRow(item.key, version, item_of(wanted.kind, record, order))


async def _index_of(rows: Rows) -> Index:
    """Return the index of all rows; others are served meanwhile."""
    layer = Layer()
    items = [row.item for wanted, some in rows.items() if wanted.kind in INDEXED for row in some]
    for begin in range(0, len(items), SLICE):
        layer.add(items[begin : begin + SLICE])
        await asyncio.sleep(0)
    return Index(layer)


async def _brought_up_index(
    kept: Kept,
    rows: Rows,
    read_again: Sequence[WantedRecords],
    put: Sequence[Item] = (),
    dropped: Collection[Name] = (),
) -> Index:
    """Return the index with what is put in place of what it was, without what is dropped, and as was read again."""
    put, gone = list(put), set(dropped)
    for wanted in read_again:
        if wanted.kind in INDEXED and rows[wanted] is not kept.rows[wanted]:
            before = {row.key: row for row in kept.rows[wanted]}
            put += [row.item for row in rows[wanted] if before.pop(row.key, None) is not row]
            gone |= {(wanted.kind, key) for key in before}
    return kept.index.with_changes(put, gone) if len(put) + len(gone) <= MOST_CHANGED else await _index_of(rows)


def _names_of(fresh: Sequence[SearchItem]) -> set[Name]:
    return {(kind, item.key) for item in fresh for kind in INDEXED if item.namespace[0] == kind}


def _models_of(rows: Sequence[StoredRow]) -> list[Models]:
    return [cast("Models", row.item.record) for row in rows]


def _records(records: Mapping[WantedRecords, list[Models]], tracks: dict[str, Track]) -> Records:
    found: dict[Kind, list[Any]] = {wanted.kind: [] for wanted in WANTED_READS}
    for wanted in WANTED_READS:
        found[wanted.kind] += records[wanted]
    return Records.model_construct(  # of models that were validated when they were read
        todos=found["todo"],
        events=found["event"],
        notes=found["note"],
        instructions=found["instruction"],
        profile=next(iter(found["profile"]), None),
        tracks=tracks,
    )


async def note_outcomes(
    store: BaseStore, user_id: str, outcomes: Sequence[tuple[str, TrackOutcome]], at: datetime
) -> None:
    """Keep what became of suggestions of tasks, by their ids; noted again for the same moment, it changes nothing."""
    known = await _tracks(store, user_id, {task for task, _ in outcomes})
    for task, outcome in outcomes:
        known[task] = known.get(task, Track()).with_outcome(outcome, at)
    kept = [
        PutOp(tracks_of(user_id), task, track.model_dump(mode="json"), index=False) for task, track in known.items()
    ]
    if kept:
        await store.abatch(kept)


async def mark_suggestions_taken(store: BaseStore, user_id: str, tasks: Collection[str], at: datetime) -> None:
    """Tasks were begun or done: those that were suggested lately count as taken."""
    known = await _tracks(store, user_id, tasks)
    lately = [task for task, track in known.items() if track.open_since(at, ANSWERING)]
    await note_outcomes(store, user_id, [(task, "accepted") for task in lately], at)


async def _tracks(store: BaseStore, user_id: str, tasks: Collection[str]) -> dict[str, Track]:
    wanted = sorted(set(tasks))
    items = await store.abatch([GetOp(tracks_of(user_id), task) for task in wanted]) if wanted else []
    return {item.key: Track.model_validate(item.value) for item in items if isinstance(item, Stored)}


async def read_named(
    store: BaseStore, user_id: str, keys: Collection[tuple[Kind, str]]
) -> dict[tuple[Kind, str], dict[str, Any]]:
    """The records with these kinds and ids, in JSON form; those that do not exist are missing."""
    wanted = sorted({(kind, key) for kind, key in keys if key})
    items = await store.abatch([GetOp(namespace(kind, user_id), key) for kind, key in wanted]) if wanted else []
    return {key: item.value for key, item in zip(wanted, items, strict=True) if isinstance(item, Stored)}


async def _complete(store: BaseStore, user_id: str, wanted: WantedRecords, items: list[SearchItem]) -> list[SearchItem]:
    """The first page and all that follow it."""
    page = items
    while wanted.most is None and len(page) == PAGE:
        page = _items((await store.abatch([wanted.page(user_id, len(items))]))[0])
        items = items + page
    return items


def by_kind(records: Records) -> dict[Kind, Sequence[AnyRecord]]:
    """All records under their kinds."""
    profile = [records.profile] if records.profile else []
    lists: tuple[Sequence[AnyRecord], ...] = (
        records.todos,
        records.events,
        records.notes,
        profile,
        records.instructions,
    )
    return dict(zip(RECORD_KINDS, lists, strict=True))


def without_changes(records: Records, changes: list[Change]) -> Records:
    """Return the records as before ``changes``: a turn that is run again decides as it did the first time."""
    for change in reversed([change for change in changes if change.status == "applied" and change.kind != "memo"]):
        before = RECORD_TYPES[change.kind].model_validate(change.before) if change.before else None
        if isinstance(before, Profile) or change.kind == "profile":
            records = records.model_copy(update={"profile": before})
        else:
            records = records.with_record(change.kind, str(change.record_id), before)
    return records


def _items(result: Any) -> list[SearchItem]:
    return list(result or [])
