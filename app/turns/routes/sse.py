"""Events as a server-sent stream, of one turn or of everything: one envelope, resumable by its sequence number."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from uuid import UUID

from fastapi import Request, Response
from starlette.responses import StreamingResponse

from app.errors import Forbidden, Gone, Unauthenticated
from app.http.deps import Services
from app.http.revalidation import Revalidation
from app.turns.model.turns import TurnState
from app.turns.routes.envelopes import Envelope, as_text, envelope, refusal, seq_of
from app.turns.routes.event_cursor import Reader, events_of, reader_at, unacknowledged_reminders

EVENT_STREAM = "text/event-stream"
HEARTBEAT = b": heartbeat\n\n"
ENDED_STATES: frozenset[TurnState] = frozenset({"done", "failed", "cancelled", "waiting"})
FORGOTTEN = "The turn has ended, and its events are not kept any more; read the turn instead."
# A proxy that buffers would hold a sentence back until the turn is over.
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def event_stream(services: Services, user_id: UUID, turn_id: UUID, after: int, headers: dict[str, str]) -> Response:
    """Answer with the turn's events after a sequence number, until ``turn.done``."""
    return _response(_of_turn(services, user_id, turn_id, after), headers)


async def whole_stream(request: Request, services: Services, user_id: UUID, after: int | None) -> Response:
    """Answer with everything the user's events tell after a sequence number, until the client leaves."""
    reader = await reader_at(services.events, user_id, after, request.url.path)
    again = await unacknowledged_reminders(services.notifications, reader, services.settings.resent_notifications)
    return _response(_of_user(again, reader, Revalidation(request.scope)), {})


def last_seen(last_event_id: str, after: int | None) -> int | None:
    """Where a client wants to go on: the header that a browser repeats counts more than the query it began with."""
    seen = seq_of(last_event_id)
    return after if seen is None else seen


def frame(sent: Envelope) -> bytes:
    """One envelope in wire form."""
    return f"id: {sent['seq']}\nevent: {sent['type']}\ndata: {as_text(sent)}\n\n".encode()


def _response(frames: AsyncIterator[bytes], headers: dict[str, str]) -> Response:
    return StreamingResponse(frames, media_type=EVENT_STREAM, headers={**HEADERS, **headers})


async def _of_turn(services: Services, user_id: UUID, turn_id: UUID, after: int) -> AsyncIterator[bytes]:
    seen = after
    async with events_of(services.events, user_id, turn_id=turn_id, after=after) as events:
        async for event in events:
            yield HEARTBEAT if event is None else frame(envelope(event))
            if event is None and await _has_ended(services, user_id, turn_id):
                for last in await _rest(services, user_id, turn_id, seen):
                    yield frame(last)
                return
            seen = event.seq if event else seen


async def _rest(services: Services, user_id: UUID, turn_id: UUID, seen: int) -> list[Envelope]:
    """The events between the last read and the turn's end; if they were pruned, an event saying so."""
    kept = await services.events.of_turn(user_id, turn_id)
    if not kept and not seen:
        return [refusal(Gone(FORGOTTEN), 0, f"/v1/turns/{turn_id}/events")]
    return [envelope(event) for event in kept if event.seq > seen]


async def _of_user(again: Sequence[Envelope], reader: Reader, standing: Revalidation) -> AsyncIterator[bytes]:
    for known in again:
        yield frame(known)
    async with aclosing(reader.envelopes()) as envelopes:
        async for sent in envelopes:
            try:
                await standing.confirm()
            except (Unauthenticated, Forbidden) as problem:
                yield frame(refusal(problem, reader.position, reader.path))
                return
            yield HEARTBEAT if sent is None else frame(sent)


async def _has_ended(services: Services, user_id: UUID, turn_id: UUID) -> bool:
    """A client that resumes after the last event would else wait for ever."""
    turn = await services.inbox.get(user_id, turn_id)
    return turn is None or turn.state in ENDED_STATES
