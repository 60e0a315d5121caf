"""One reader's way through a user's whole stream: where it begins, what is lost, what was missed."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from app.errors import Gone
from app.records.model.events import Event, KeptEvents
from app.records.model.notices import document_of
from app.records.store.event_log import EventLog
from app.records.store.notifications import Notifications
from app.turns.model.turns import Turn, completed_event, done_event
from app.turns.routes.envelopes import Envelope, answer, envelope, refusal

SEQ_AHEAD = "No event of this stream has the number {seq} yet; perhaps the server was restored from a backup."
TOO_OLD = "The events after {seq} are not all kept any more: the oldest that is has the number {first}."


@dataclass
class Reader:
    """A place in a stream: every event up to ``position`` was taken or is lost. ``path`` is named in errors."""

    log: EventLog
    user_id: UUID
    position: int
    path: str

    async def envelopes(self) -> AsyncGenerator[Envelope | None, None]:
        """Later events, then live ones; None after a quiet while; an ``error`` where some are lost."""
        span = await self.log.span(self.user_id)
        if self.position > span.last:
            yield self._report_loss(SEQ_AHEAD, span, goes_on=span.last)
        async with events_of(self.log, self.user_id, after=self.position) as events:
            async for event in events:
                if event is None:
                    yield None
                    continue
                if event.seq > self.position + 1 and (lost := await self._gap(event)):
                    yield lost
                self.position = event.seq
                yield envelope(event)

    async def _gap(self, event: Event) -> Envelope | None:
        span = await self.log.span(self.user_id)
        return self._report_loss(TOO_OLD, span, goes_on=event.seq - 1) if span.first > self.position + 1 else None

    def _report_loss(self, detail: str, span: KeptEvents, *, goes_on: int) -> Envelope:
        problem = Gone(detail.format(seq=self.position, first=span.first), goes_on_after=goes_on)
        self.position = goes_on
        return refusal(problem, goes_on, self.path)


async def reader_at(log: EventLog, user_id: UUID, after: int | None, path: str) -> Reader:
    """A reader after an event; None begins with what happens from now on."""
    return Reader(log, user_id, (await log.span(user_id)).last if after is None else after, path)


async def unacknowledged_reminders(notifications: Notifications, reader: Reader, most: int) -> list[Envelope]:
    """Unacknowledged reminders older than the reader's cursor; a client recognises each by its id."""
    found = await notifications.list_unacknowledged(reader.user_id, reader.position, most)
    return [answer("reminder.fired", reader.position, {**document_of(one), "again": True}) for one in found]


@asynccontextmanager
async def events_of(log: EventLog, user_id: UUID, **where: Any) -> AsyncIterator[AsyncIterator[Event | None]]:
    """The log's stream, closed at the end: a listener that nobody reads would stay for ever."""
    events = log.follow(user_id, **where)
    try:
        yield events
    finally:
        if isinstance(events, AsyncGenerator):
            await events.aclose()


async def events_until(log: EventLog, turn: Turn, seen: int) -> list[Envelope]:
    """A turn's events up to ``seen``; if they were pruned, how the turn ended."""
    events = await log.of_turn(turn.user_id, turn.id)
    if events and events[0].type == "turn.accepted":
        return [envelope(event) for event in events if event.seq <= seen]
    return _from_row(turn, seen)


def _from_row(turn: Turn, seen: int) -> list[Envelope]:
    accepted = {"turn_id": str(turn.id), "thread_id": str(turn.thread_id), "status": turn.state}
    told: list[tuple[str, dict[str, Any]]] = [("turn.accepted", accepted)]
    if outcome := turn.result:
        told += [completed_event(outcome), done_event(turn.state, outcome)]
    return [answer(kind, seen, data, turn.id) for kind, data in told]
