"""One ledger and its user, spoken to in few words: the same for every adapter."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore

from agents.contract import Change, Op, Proposal
from agents.ports import Batch, Ledger
from agents.records import Kind
from agents.store import namespace
from app.database.database import Database
from app.database.store import TenantStore
from app.http.accounts.store.users import Users
from app.principal import Fence, Principal, acting_as
from app.records.store.ledger import PostgresLedger
from graph.store_ledger import StoreLedger

LISBON = "Europe/Lisbon"
NOW = datetime(2026, 11, 18, 9, 30, tzinfo=ZoneInfo(LISBON))
PATIENCE = timedelta(hours=1)
Adapter = Literal["store", "postgres"]
EXAMPLES: dict[Kind, dict[str, Any]] = {
    "todo": {"task": "call mom"},
    "event": {"title": "dentist", "start": "2026-11-20T15:00:00+00:00"},
    "note": {"content": "the spare key is under the blue pot"},
    "profile": {"name": "Ada"},
    "instruction": {"text": "use British spelling"},
    "memo": {"captured_at": "2026-11-18T09:30:00+00:00"},
}


@dataclass
class Desk:
    """A user at one ledger."""

    ledger: Ledger
    store: BaseStore
    user: UUID = field(default_factory=uuid4)
    fence: Fence | None = None
    at: datetime = NOW

    async def apply(
        self, *proposals: Proposal, origin: UUID | None = None, turn: UUID | None = None, agent: str = "update_todos"
    ) -> list[Change]:
        batch = Batch(
            user_id=str(self.user),
            origin=str(origin or turn or uuid4()),
            turn_id=str(turn) if turn else None,
            agent=agent,
            proposals=list(proposals),
            at=self.at,
            timezone=LISBON,
            words="as it was said",
        )
        with acting_as(Principal(self.user, self.fence)):
            return await self.ledger.apply(batch)

    async def do(self, op: Op, kind: Kind = "todo", record_id: str | None = None, **fields: Any) -> Change:
        (change,) = await self.apply(Proposal(op=op, kind=kind, record_id=record_id, fields=fields))
        return change

    async def add(self, kind: Kind = "todo", **fields: Any) -> Change:
        change = await self.do("create", kind, **(fields or EXAMPLES[kind]))
        assert change.status == "applied", change.error
        return change

    async def hold(self, op: Op, kind: Kind = "todo", record_id: str | None = None, **fields: Any) -> Change:
        """A change that waits for a yes."""
        proposal = Proposal(op=op, kind=kind, record_id=record_id, fields=fields, hold="you want to be asked first")
        (change,) = await self.apply(proposal, turn=uuid4())
        return change

    async def answer(self, *changes: Change, yes: bool = True, origin: UUID | None = None) -> list[Change]:
        """The answer of another turn to changes that wait."""
        return await self.apply(*[answering(change, yes=yes) for change in changes], turn=origin or uuid4())

    async def undo(self, *changes: Change, origin: UUID | None = None) -> list[Change]:
        return await self.apply(*[undoing(change) for change in changes], origin=origin, agent="undo")

    async def again(self, change: Change) -> Change:
        with acting_as(Principal(self.user)):
            found = await self.ledger.change(str(self.user), change.id)
        assert found is not None
        return found

    async def of_turn(self, *turns: UUID) -> list[Change]:
        with acting_as(Principal(self.user)):
            return await self.ledger.changes_of_turn(str(self.user), *map(str, turns))

    async def record(self, change: Change) -> dict[str, Any] | None:
        assert change.record_id is not None
        with acting_as(Principal(self.user)):
            item = await self.store.aget(namespace(change.kind, str(self.user)), change.record_id)
        return item.value if item else None

    async def records(self, kind: Kind) -> dict[str, dict[str, Any]]:
        with acting_as(Principal(self.user)):
            return {i.key: i.value for i in await self.store.asearch(namespace(kind, str(self.user)), limit=1000)}


def undoing(change: Change) -> Proposal:
    return Proposal(op="undo", kind=change.kind, record_id=change.record_id, undo_of=change.id)


def answering(change: Change, *, yes: bool = True) -> Proposal:
    return Proposal(
        op=change.op,
        kind=change.kind,
        record_id=change.record_id,
        confirms=change.id,
        declined=not yes,
        reason="answer",
    )


async def desk_at(database: Database, patience: timedelta = PATIENCE) -> Desk:
    """A new user at the ledger in Postgres."""
    user = await Users(database).create("Ada", uuid4())
    return Desk(PostgresLedger(database, patience=patience), TenantStore(database), user.id)


@asynccontextmanager
async def open_desk(adapter: Adapter, url: str, patience: timedelta = PATIENCE) -> AsyncIterator[Desk]:
    """A new user at the named adapter; ``url`` is only used for Postgres, ``patience`` is the wait for a yes."""
    if adapter == "store":
        store = InMemoryStore()
        yield Desk(StoreLedger(lambda: store, patience=patience), store)
        return
    async with Database(url) as database:
        yield await desk_at(database, patience)
