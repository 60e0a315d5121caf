"""Typed, paging reads over LangGraph's store; every namespace is made here.

Only ``abatch`` is used: adapters serve each call under the principal of its caller, and all first pages cost one trip.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

from langgraph.store.base import BaseStore, GetOp, Item, PutOp, SearchItem, SearchOp

from agents.contract import Change
from agents.ports import Records
from agents.records import (
    KINDS,
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

PAGE = 1000
MOST_KNOWN = 200_000
"""Models that are kept for the next turn, those of all users together."""
M = TypeVar("M", ToDo, Event, Note)
Known = dict[tuple[Any, ...], ToDo | Event | Note]
"""Models of one user's records by id and version, shared by turns: they are read, never written."""


class _Memory:
    """What the last turns of each user read; the user whose last turn is longest ago is forgotten first."""

    def __init__(self) -> None:
        self._users: dict[str, Known] = {}
        self._count = 0

    def take(self, user_id: str) -> Known:
        """What was kept for a user, who has nothing afterwards."""
        known = self._users.pop(user_id, {})
        self._count -= len(known)
        return known

    def keep(self, user_id: str, known: Known) -> None:
        """Keep all that a turn read, and nothing that it did not."""
        self.take(user_id)
        self._users[user_id] = known
        self._count += len(known)
        while self._count > MOST_KNOWN:
            self.take(next(iter(self._users)))


_memory = _Memory()
RECENTLY_CLOSED = 50
ANSWERING = timedelta(days=1)
"""How long after a suggestion doing its task counts as taking it."""


@dataclass(frozen=True)
class Wanted:
    """One kind of record that the router sees: with this status, all of them or only the latest ``most``."""

    kind: Kind
    status: str | None = None
    most: int | None = None

    def page(self, user_id: str, offset: int) -> SearchOp:
        """The search for the records from ``offset`` on; the store's own default would stop at 10."""
        status = {"status": self.status} if self.status else None
        return SearchOp(namespace(self.kind, user_id), filter=status, limit=self.most or PAGE, offset=offset)


WANTED = (
    Wanted("todo", "not started"),
    Wanted("todo", "in progress"),
    Wanted("todo", "done", RECENTLY_CLOSED),
    Wanted("event"),
    Wanted("note", "active"),
    Wanted("note", "snoozed"),
    Wanted("instruction"),
    Wanted("profile", most=1),
)


def namespace(kind: Kind, user_id: str) -> tuple[str, str]:
    """Where a user's records of one kind live; the second label is always the user's uuid."""
    return (kind, user_id)


def tracks_of(user_id: str) -> tuple[str, str]:
    """Where is kept what became of suggestions; no record, and no business of the ledger."""
    return ("focus", user_id)


async def read_records(store: BaseStore, user_id: str) -> Records:
    """What the router sees: every open task, the ones closed lately, events, notes, instructions and the profile."""
    tracks = SearchOp(tracks_of(user_id), limit=PAGE)
    *pages, told = await store.abatch([*(wanted.page(user_id, 0) for wanted in WANTED), tracks])
    found: dict[Kind, list[dict[str, Any]]] = {wanted.kind: [] for wanted in WANTED}
    for wanted, page in zip(WANTED, pages, strict=True):
        found[wanted.kind] += await _complete(store, user_id, wanted, _items(page))
    before, now = _memory.take(user_id), Known()
    records = Records(
        todos=[_known("todo", ToDo, value, before, now) for value in found["todo"]],
        events=[_known("event", Event, value, before, now) for value in found["event"]],
        notes=[_known("note", Note, value, before, now) for value in found["note"]],
        instructions=[Instruction.model_validate(value) for value in found["instruction"]],
        profile=next(map(Profile.model_validate, found["profile"]), None),
        tracks={item.key: Track.model_validate(item.value) for item in _items(told)},
    )
    _memory.keep(user_id, now)
    return records


async def note_outcomes(
    store: BaseStore, user_id: str, outcomes: Sequence[tuple[str, TrackOutcome]], at: datetime
) -> None:
    """Keep what became of suggestions of tasks, by their ids; noted again for the same moment, it changes nothing."""
    known = await _tracks(store, user_id, {task for task, _ in outcomes})
    for task, outcome in outcomes:
        known[task] = known.get(task, Track()).noted(outcome, at)
    kept = [
        PutOp(tracks_of(user_id), task, track.model_dump(mode="json"), index=False) for task, track in known.items()
    ]
    if kept:
        await store.abatch(kept)


async def note_taken(store: BaseStore, user_id: str, tasks: Collection[str], at: datetime) -> None:
    """Tasks were begun or done: those that were suggested lately count as taken."""
    known = await _tracks(store, user_id, tasks)
    lately = [task for task, track in known.items() if track.open_since(at, ANSWERING)]
    await note_outcomes(store, user_id, [(task, "accepted") for task in lately], at)


async def _tracks(store: BaseStore, user_id: str, tasks: Collection[str]) -> dict[str, Track]:
    wanted = sorted(set(tasks))
    items = await store.abatch([GetOp(tracks_of(user_id), task) for task in wanted]) if wanted else []
    return {item.key: Track.model_validate(item.value) for item in items if isinstance(item, Item)}


async def read_named(
    store: BaseStore, user_id: str, keys: Collection[tuple[Kind, str]]
) -> dict[tuple[Kind, str], dict[str, Any]]:
    """The records with these kinds and ids, in JSON form; those that do not exist are missing."""
    wanted = sorted({(kind, key) for kind, key in keys if key})
    items = await store.abatch([GetOp(namespace(kind, user_id), key) for kind, key in wanted]) if wanted else []
    return {key: item.value for key, item in zip(wanted, items, strict=True) if isinstance(item, Item)}


def _known(kind: Kind, model: type[M], value: dict[str, Any], before: Known, now: Known) -> M:
    """The record as a model; one that was read before is not validated again, as a version never changes."""
    key = (kind, value["id"], value["version"], value["updated_at"])
    found = before.get(key)
    made = found if isinstance(found, model) else model.model_validate(value)
    now[key] = made
    return made


async def _complete(store: BaseStore, user_id: str, wanted: Wanted, items: list[SearchItem]) -> list[dict[str, Any]]:
    """The values of the first page and of all that follow it."""
    page = items
    while wanted.most is None and len(page) == PAGE:
        page = _items((await store.abatch([wanted.page(user_id, len(items))]))[0])
        items = items + page
    return [item.value for item in items]


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
    return dict(zip(KINDS, lists, strict=True))


def without_changes(records: Records, changes: list[Change]) -> Records:
    """The records as they were before ``changes``: a turn that is run again decides as it did the first time."""
    if not changes:
        return records
    found = {kind: {record.id: record for record in known} for kind, known in by_kind(records).items()}
    for change in reversed([change for change in changes if change.status == "applied"]):
        if change.kind == "memo":
            continue
        found[change.kind].pop(str(change.record_id), None)
        if change.before:
            found[change.kind][change.before["id"]] = RECORD_TYPES[change.kind].model_validate(change.before)
    told = {f"{kind}s": list(found[kind].values()) for kind in KINDS if kind != "profile"}
    profile = next(iter(found["profile"].values()), None)
    return Records.model_validate({**told, "profile": profile, "tracks": records.tracks})


def _items(result: Any) -> list[SearchItem]:
    return list(result or [])
