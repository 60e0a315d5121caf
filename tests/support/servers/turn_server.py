"""A server without doors: inbox, ledger, events and the real graph on one database, with an understanding handed in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid4

from langgraph.types import TimeoutPolicy

from agents.contract import WORKERS, Change, Worker
from agents.ports import LongWork, Understanding
from app.database.database import Database
from app.database.saver import TenantSaver
from app.database.signals import Signals
from app.database.store import TenantStore
from app.http.accounts.store.users import Users
from app.models.understanding.understanding import ModelUnderstanding
from app.principal import Principal, acting_as
from app.records.model.events import EventType
from app.records.store.event_log import EventLog
from app.records.store.ledger import PostgresLedger
from app.shares import Shares
from app.tracing import agent_span
from app.turns.model.turns import NewTurn, Turn
from app.turns.run_throttle import RunThrottle
from app.turns.runner import TurnRunner
from app.turns.service import TurnService
from app.turns.store.inbox import Inbox
from app.voice.store.memo_rows import MemoRows
from app.voice.store.recordings import NullReception
from graph.builder import TurnGraph, build_graph
from graph.state import serializer
from tests.support.ledgers import LISBON, NOW
from tests.support.scripted import Fault, FaultyLedger
from tests.support.waiting import HANG_SECONDS, until


def new_turn(user: UUID, text: str | None, **values: Any) -> NewTurn:
    return NewTurn(user, text, NOW, LISBON, **values)


class CountingInbox(Inbox):
    """Counts how often a turn is looked at."""

    looks = 0

    async def get(self, user_id: UUID, turn_id: UUID) -> Turn | None:
        self.looks += 1
        return await super().get(user_id, turn_id)


def inbox_at(
    database: Database, signals: Signals, kind: type[CountingInbox] = CountingInbox, **values: Any
) -> CountingInbox:
    defaults = {"lease_seconds": HANG_SECONDS, "max_queued": 100, "reception": NullReception()}
    return kind(database, signals, **{**defaults, **values})


@dataclass
class TurnServer:
    """One running server and a user of it."""

    user: UUID
    turns: TurnService
    inbox: CountingInbox
    events: EventLog
    ledger: PostgresLedger
    database: Database
    faults: dict[str, Fault]
    graph: TurnGraph

    async def another(self, name: str) -> TurnServer:
        """The same server with a user of its own."""
        known = await Users(self.database).create(name, uuid4())
        return replace(self, user=known.id)

    async def submit(self, text: str, **values: Any) -> Turn:
        with acting_as(Principal(self.user)):
            return (await self.turns.submit(new_turn(self.user, text, **values))).turn

    async def wait(self, turn: Turn, seconds: float = HANG_SECONDS) -> Turn:
        with acting_as(Principal(self.user)):
            return await self.turns.wait(self.user, turn.id, seconds)

    async def say(self, text: str, **values: Any) -> Turn:
        """The turn when it is answered."""
        return await self.wait(await self.submit(text, **values))

    async def changes(self, turn: Turn) -> list[Change]:
        return await self.ledger.changes_of_turn(str(self.user), str(turn.id))

    async def cancel(self, turn: Turn) -> Turn:
        with acting_as(Principal(self.user)):
            cancelled = await self.turns.cancel(self.user, turn.id)
        assert cancelled is not None
        return await self.wait(turn) if cancelled.state == "running" else cancelled

    async def until_applied(self, turn: Turn, count: int) -> None:
        """Return once the turn has that many changes."""

        async def read() -> bool:
            return len(await self.changes(turn)) >= count

        await until(read, f"for {count} changes")

    async def until_told(self, turn: Turn, kind: EventType) -> None:
        """Return once an event of that kind tells of the turn."""

        async def read() -> bool:
            return any(event.type == kind for event in await self.events.of_turn(self.user, turn.id))

        await until(read, f"for {kind}")

    async def lapse(self, turn: Turn) -> None:
        """Let the lease of a turn run out, as if its server had died long ago."""
        await let_lease_run_out(self.database, turn)

    def limit(self, seconds: float, *agents: Worker) -> None:
        """Give these agents, or all of them, so much time for a turn; the others keep what they have."""
        for name in agents or WORKERS:
            self.graph.nodes[name].timeout = TimeoutPolicy(run_timeout=seconds)

    async def tasks(self) -> list[str]:
        with acting_as(Principal(self.user)):
            found = await TenantStore(self.database).asearch(("todo", str(self.user)), limit=1000)
        return sorted(item.value["task"] for item in found)


async def let_lease_run_out(database: Database, turn: Turn) -> None:
    """Let the lease of a turn run out now."""
    async with database.tenant(turn.user_id) as conn:
        await conn.execute(
            "update turns set lease_until = now() - interval '1 s' where user_id = %s and id = %s",
            (turn.user_id, turn.id),
        )


def reply_of(turn: Turn) -> str:
    assert turn.result is not None, f"the turn is {turn.state}"
    return turn.result.reply


@asynccontextmanager
async def closing(understanding: Understanding) -> AsyncIterator[None]:
    """Closes the connections of an understanding that has any."""
    try:
        yield
    finally:
        if isinstance(understanding, ModelUnderstanding):
            await understanding.close()


@asynccontextmanager
async def turn_server(
    database: Database,
    understanding: Understanding,
    *,
    faults: dict[str, Fault] | None = None,
    user: UUID | None = None,
    inbox_kind: type[CountingInbox] = CountingInbox,
    lease_seconds: float = HANG_SECONDS,
    attempts: int = 3,
    sweep_seconds: float = 0.1,
    agent_timeout: float = HANG_SECONDS,
    grace_seconds: float = 1.0,
    long_work: LongWork | None = None,
    at_once_per_user: int = 100,
) -> AsyncIterator[TurnServer]:
    faults = {} if faults is None else faults
    async with Signals(database) as signals:
        known = await Users(database).create("Ada", user or uuid4())
        ledger = PostgresLedger(database, signals.wake, derivers=[MemoRows()])
        events = EventLog(database, signals)
        wrapped, saver = (
            FaultyLedger(ledger, faults),
            TenantSaver(database, serde=serializer()),
        )
        inbox = inbox_at(database, signals, inbox_kind, lease_seconds=lease_seconds)
        graph = build_graph(
            understanding,
            wrapped,
            store=TenantStore(database),
            checkpointer=saver,
            agent_timeout=agent_timeout,
            long_work=long_work,
            around=agent_span,
        )
        service = TurnService(
            inbox=inbox,
            changes=wrapped,
            events=events,
            runner=TurnRunner(inbox, wrapped, events, graph, lease_seconds, attempts, saver.prune_thread),
            run_throttle=RunThrottle(),
            shares=Shares(100, at_once_per_user),
            sweep_seconds=sweep_seconds,
        )
        async with service.running(grace_seconds), closing(understanding):
            yield TurnServer(known.id, service, inbox, events, ledger, database, faults, graph)
