"""WS /v1/ws: the door for talking and listening over one connection."""

from __future__ import annotations

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from app.http.auth import Caller, tenant_of
from app.http.deps import Services
from app.http.problems import invalid
from app.turns.routes.conversation import Conversation
from app.turns.routes.envelopes import seq_of
from app.turns.routes.event_cursor import reader_at

SUBPROTOCOL = "summit.v1"
ABNORMAL = 1006

router = APIRouter()


@router.websocket("/v1/ws")
async def talk(socket: WebSocket) -> None:
    """Refuse before the handshake what can be refused there, then talk until one side closes."""
    services: Services = socket.state.services
    caller: Caller = socket.state.caller
    last_seq = _last_seq(socket)
    reader = await reader_at(services.events, tenant_of(caller), last_seq, socket.url.path)
    await _accept(socket)
    await Conversation(socket, services, reader, resumed=last_seq is not None).run()


async def _accept(socket: WebSocket) -> None:
    """Complete the handshake; raises WebSocketDisconnect where nobody waits for it any more."""
    try:
        await socket.accept(SUBPROTOCOL if SUBPROTOCOL in socket.scope["subprotocols"] else None)
    except OSError:  # as the server tells it, which the framework translates only after the handshake
        raise WebSocketDisconnect(ABNORMAL) from None


def _last_seq(socket: WebSocket) -> int | None:
    stated = socket.query_params.get("last_seq")
    if stated is None:
        return None
    seq = seq_of(stated)
    if seq is None:
        raise invalid([{"loc": ("query", "last_seq"), "msg": "must be the seq of an event"}])
    return seq
