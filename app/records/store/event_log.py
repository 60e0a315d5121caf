"""The user's stream of events: appended with the rows it tells about, followed by any number of listeners."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from app.database.database import Connection, Database
from app.database.signals import Signals
from app.principal import current_fence
from app.records.model.events import Event, EventType, KeptEvents

BATCH = 500
HEARTBEAT_SECONDS = 5.0
INSERT = "select tell_events(%(user_id)s, %(turn_id)s, %(types)s, array(select jsonb_array_elements(%(data)s)))"
PROGRESS = "select tell_progress(%(user_id)s, %(turn_id)s, %(generation)s, %(types)s, %(data)s)"
READ_EVENTS = """
select seq, turn_id, type, ts, data from turn_events where user_id = %s and seq > %s order by seq limit %s
"""
READ_TURN = """
select seq, turn_id, type, ts, data from turn_events where user_id = %s and seq > %s and turn_id = %s
order by seq limit %s
"""
SPAN = """
select coalesce((select min(seq) from turn_events where user_id = %(user)s), event_seq + 1) as first, event_seq as last
from counters where user_id = %(user)s
"""
PRUNE = """
delete from turn_events
where user_id = %(user)s and seq <= (select event_seq from counters where user_id = %(user)s) - %(keep)s
"""


async def insert_events(
    conn: Connection, user_id: UUID, turn_id: UUID | None, events: Sequence[tuple[str, dict[str, Any]]]
) -> None:
    """Add events within the caller's transaction; the user's row in ``counters`` orders them."""
    if events:
        # One document: psycopg writes an array's elements down one by one, which takes ten times as long.
        values = {"types": [kind for kind, _ in events], "data": Jsonb([data for _, data in events])}
        await conn.execute(INSERT, {"user_id": user_id, "turn_id": turn_id, **values})


def as_arrays(events: Sequence[tuple[str, dict[str, Any]]]) -> dict[str, list[Any]]:
    """Events as two parallel arrays, ``types`` and ``data``."""
    return {"types": [kind for kind, _ in events], "data": [Jsonb(data) for _, data in events]}


class EventLog:
    """Events in a table; listeners are woken by signals and read what is new, holding no connection in between."""

    def __init__(self, database: Database, signals: Signals, *, heartbeat_seconds: float = HEARTBEAT_SECONDS) -> None:
        self._database = database
        self._signals = signals
        self._heartbeat_seconds = heartbeat_seconds

    async def append(
        self, user_id: UUID, turn_id: UUID | None, events: Sequence[tuple[EventType, dict[str, Any]]]
    ) -> None:
        """Keep events and wake the listeners. Not worth a log flush of its own: the turn's finish brings one.

        Within a running turn it raises StaleLease once another server has taken the turn over.
        """
        fence = current_fence()
        held = {"turn_id": fence.turn_id, "generation": fence.generation} if fence else {}
        values = {"user_id": user_id, "turn_id": turn_id, "generation": None, **as_arrays(events)}
        await self._database.step(PROGRESS, {**values, **held})
        self._signals.wake(user_id)

    async def follow(
        self, user_id: UUID, *, turn_id: UUID | None = None, after: int = 0
    ) -> AsyncIterator[Event | None]:
        """Events with a larger seq, then live ones; None after a quiet while; ends with turn_id's turn.done."""
        with self._signals.listen(user_id) as listener:
            while True:
                events = await self._read(user_id, turn_id, after)
                for event in events:
                    yield event
                    if turn_id and event.type == "turn.done":
                        return
                after = events[-1].seq if events else after
                if not events and not await listener.wait(self._heartbeat_seconds):
                    yield None

    async def span(self, user_id: UUID) -> KeptEvents:
        """Which part of the stream is kept."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(SPAN, {"user": user_id})).fetchone()
        return KeptEvents(**row) if row else KeptEvents(1, 0)

    async def of_turn(self, user_id: UUID, turn_id: UUID) -> list[Event]:
        """What is kept of one turn's events so far, at most a batch."""
        return await self._read(user_id, turn_id, 0)

    async def prune(self, user_id: UUID, keep: int) -> None:
        """Forget all but the latest ``keep`` events of a user."""
        async with self._database.tenant(user_id) as conn:
            await conn.execute("set local synchronous_commit = off")
            await conn.execute(PRUNE, {"user": user_id, "keep": keep})

    async def _read(self, user_id: UUID, turn_id: UUID | None, after: int) -> list[Event]:
        # A reader who leaves is cancelled again and again until he is gone; the query's connection would go with him.
        return await asyncio.shield(self._look(user_id, turn_id, after))

    async def _look(self, user_id: UUID, turn_id: UUID | None, after: int) -> list[Event]:
        values = (user_id, after, turn_id, BATCH) if turn_id else (user_id, after, BATCH)
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(READ_TURN if turn_id else READ_EVENTS, values)).fetchall()
        return [Event(**row) for row in rows]
