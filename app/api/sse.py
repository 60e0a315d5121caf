"""A turn's events as a server-sent stream: one envelope, resumable by its sequence number."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack
from typing import Any
from uuid import UUID

from fastapi import Response
from starlette.responses import StreamingResponse

from app.deps import Services
from app.ports import Event, TurnState

ENVELOPE_VERSION = 1
HEARTBEAT = b": heartbeat\n\n"
ENDED: frozenset[TurnState] = frozenset({"done", "failed", "cancelled", "waiting"})
# A proxy that buffers would hold a sentence back until the turn is over.
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def event_stream(services: Services, user_id: UUID, turn_id: UUID, after: int, headers: dict[str, str]) -> Response:
    """Answer with the turn's events after a sequence number, until ``turn.done``."""
    return StreamingResponse(
        _frames(services, user_id, turn_id, after), media_type="text/event-stream", headers={**HEADERS, **headers}
    )


def frame(event: Event) -> bytes:
    """One event in wire form."""
    data = json.dumps(envelope(event), ensure_ascii=False, separators=(",", ":"))
    return f"id: {event.seq}\nevent: {event.type}\ndata: {data}\n\n".encode()


def envelope(event: Event) -> dict[str, Any]:
    """The form that every stream of events shares."""
    return {
        "v": ENVELOPE_VERSION,
        "seq": event.seq,
        "turn_id": str(event.turn_id) if event.turn_id else None,
        "type": event.type,
        "ts": event.ts.isoformat(),
        "data": event.data,
    }


async def _frames(services: Services, user_id: UUID, turn_id: UUID, after: int) -> AsyncIterator[bytes]:
    events = services.events.follow(user_id, turn_id=turn_id, after=after)
    async with AsyncExitStack() as closing:
        if isinstance(events, AsyncGenerator):
            closing.push_async_callback(events.aclose)
        async for event in events:
            yield HEARTBEAT if event is None else frame(event)
            if event is None and await _has_ended(services, user_id, turn_id):
                return


async def _has_ended(services: Services, user_id: UUID, turn_id: UUID) -> bool:
    """A client that resumes after the last event would else wait for ever."""
    turn = await services.inbox.get(user_id, turn_id)
    return turn is None or turn.state in ENDED
