"""A run's events in the stream modes of LangGraph's API; their ids are Summit's own sequence numbers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

from app.http.deps import Services, act_as
from app.protocols.langgraph.shapes import METADATA, NODE, ai_id, ai_of, human, interrupts_of
from app.protocols.langgraph.state import before, state_of, thread_of, values_after
from app.records.model.events import Event
from app.turns.model.turns import Turn
from app.turns.routes.envelopes import LARGEST_SEQ, envelope
from app.turns.routes.event_cursor import events_of
from app.turns.routes.schemas import TurnView
from app.turns.routes.sse import ENDED_STATES, HEARTBEAT
from app.turns.routes.turns import view_of_turn

_leaving: set[asyncio.Task[None]] = set()
FAILED = "TurnFailed"


class Frames:
    """The frames of one run, in the modes that its client reads."""

    def __init__(self, turn: Turn, modes: Sequence[str]) -> None:
        self._turn = turn
        self._modes = frozenset(modes)
        self._told = ""

    def before(self, event: Event) -> None:
        """An event that its client has seen."""
        if event.type == "reply.delta":
            self._told += event.data["text"]

    def begin(self, values: dict[str, Any]) -> list[bytes]:
        """What a client sees first: the state with the new message."""
        asked = human(self._turn.id, self._turn.text or "", (self._turn.client or {}).get("message"))
        started = {"messages": [*values["messages"], asked]}
        frames = self._event("on_chain_start", {"input": {"messages": [asked]}})
        return [frame(name, data) for name, data in [*frames, *self._in("values", started)]]

    def of(self, event: Event) -> list[bytes]:
        """One event; only the last frame bears its number, so that a client resumes after all of them."""
        frames = self._in("custom", envelope(event))
        if event.type == "reply.delta":
            frames += self._chunk(event.data["text"])
        last = len(frames) - 1
        return [frame(name, data, event.seq if at == last else None) for at, (name, data) in enumerate(frames)]

    def end(self, view: TurnView, values: dict[str, Any]) -> list[bytes]:
        """What the stored turn says, whatever was told before."""
        if view.status == "failed":
            return [frame("error", failure(view)), frame("end", None)]
        reply, update = view.reply or "", {NODE: {"messages": [ai_of(view)]}}
        left = reply.removeprefix(self._told) if reply.startswith(self._told) else f"\n{reply}"
        frames = self._chunk(left) if left else []
        frames += self._in("updates", update)
        if asked := interrupts_of(view):
            frames += self._in("updates", {"__interrupt__": asked})
        frames += [*self._in("values", values), *self._event("on_chain_end", {"output": values})]
        return [frame(name, data) for name, data in [*frames, ("end", None)]]

    def _chunk(self, text: str) -> list[tuple[str, Any]]:
        self._told += text
        chunk = {"type": "AIMessageChunk", "id": ai_id(self._turn.id), "content": text}
        named = {**METADATA, "run_id": str(self._turn.id), "thread_id": str(self._turn.thread_id)}
        told = [("messages", [chunk, {**named, "langgraph_node": NODE}])] if "messages-tuple" in self._modes else []
        return [*told, *self._event("on_chain_stream", {"chunk": {"messages": [chunk]}})]

    def _event(self, kind: str, data: dict[str, Any]) -> list[tuple[str, Any]]:
        about = {"name": NODE, "run_id": str(self._turn.id), "tags": [], "metadata": METADATA, "parent_ids": []}
        return self._in("events", {"event": kind, **about, "data": data})

    def _in(self, mode: str, data: Any) -> list[tuple[str, Any]]:
        return [(mode, data)] if mode in self._modes else []


def frame(name: str, data: Any, seq: int | None = None) -> bytes:
    """One frame in wire form."""
    numbered = f"id: {seq}\n" if seq is not None else ""
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n{numbered}\n".encode()


def failure(view: TurnView) -> dict[str, Any]:
    """Why a run failed."""
    return {"error": FAILED, "message": view.reply or "The turn failed."}


async def frames_of(
    services: Services, turn: Turn, modes: Sequence[str], after: int, *, cancel: bool
) -> AsyncIterator[bytes]:
    """A run's frames after an event until it ends; with ``cancel`` it is stopped when its reader leaves."""
    over, frames = False, Frames(turn, modes)
    try:
        yield frame("metadata", {"run_id": str(turn.id), "attempt": 1})
        if not after:
            thread = await thread_of(services, turn.user_id, turn.thread_id)
            known = before(await state_of(services, turn.user_id, thread), turn)
            for sent in frames.begin(known.values):
                yield sent
        elif after < LARGEST_SEQ:  # else an answer to the turn's question, whose reply is another one
            for kept in await services.events.of_turn(turn.user_id, turn.id):
                if kept.seq <= after:
                    frames.before(kept)
        async for sent in _live(services, turn, frames, after):
            yield sent
        over = True
        ended = await services.inbox.get(turn.user_id, turn.id) or turn
        view = await view_of_turn(services, ended)
        for sent in frames.end(view, await values_after(services, ended, view)):
            yield sent
    finally:
        if cancel and not over:
            _leave(services, turn)


async def _live(services: Services, turn: Turn, frames: Frames, after: int) -> AsyncIterator[bytes]:
    if await _has_ended(services, turn):
        for kept in await services.events.of_turn(turn.user_id, turn.id):
            for sent in frames.of(kept) if kept.seq > after else ():
                yield sent
        return
    async with events_of(services.events, turn.user_id, turn_id=turn.id, after=after) as events:
        async for event in events:
            if event is None:
                yield HEARTBEAT
                if await _has_ended(services, turn):
                    return
                continue
            for sent in frames.of(event):
                yield sent
            if event.type == "turn.done":
                return


def _leave(services: Services, turn: Turn) -> None:
    async def cancel() -> None:
        with act_as(turn.user_id):
            await services.turns.cancel(turn.user_id, turn.id)

    task = asyncio.get_running_loop().create_task(cancel())
    _leaving.add(task)
    task.add_done_callback(_leaving.discard)


async def _has_ended(services: Services, turn: Turn) -> bool:
    now = await services.inbox.get(turn.user_id, turn.id)
    return now is None or now.state in ENDED_STATES
