"""A run in the events of the Agent User Interaction protocol: steps, words, changes as tool calls, and the day."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import jsonpatch
from ag_ui.core import (
    BaseEvent,
    CustomEvent,
    Interrupt,
    RunErrorEvent,
    RunFinishedCancelledOutcome,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
    StateDeltaEvent,
    StateSnapshotEvent,
    StepFinishedEvent,
    StepStartedEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)
from ag_ui.encoder import EventEncoder

from agents.contract import Change
from app.http.deps import Services
from app.http.schemas import ChangeView, as_json, change_view
from app.protocols.agui.asked import Asked
from app.protocols.json_forms import smallest_value
from app.protocols.mcp.calls import Calls
from app.protocols.mcp.resources import today
from app.protocols.openai.shapes import turn_document
from app.records.model.events import Event
from app.turns.model.turns import Turn
from app.turns.routes.event_cursor import events_of
from app.turns.routes.schemas import TurnView
from app.turns.routes.sse import ENDED_STATES, HEARTBEAT
from app.turns.routes.turns import view_of_turn

PROTOCOL = "1.0"
TURN = "summit.turn"
"""The custom event with what became of the message: its turn, its changes, and their addresses for undo."""
CHANGES = frozenset({"change.applied", "change.failed", "approval.required"})
YES_OR_NO = {"type": "object", "properties": {"approved": {"type": "boolean"}}, "required": ["approved"]}
IN_WORDS = {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}


class Telling:
    """What was told of one run so far. Each change is a tool call with the change's id; one that is held has no result.

    With ``answering`` the run is the yes or no to changes that an earlier run told of: only what became of them is new.
    """

    def __init__(self, turn: Turn, asked: Asked, *, answering: bool) -> None:
        self._turn = turn
        self._asked = asked
        self._answering = answering
        self._reply = ""
        self._open: list[str] = []
        self._called: set[str] = set()
        self._ended: set[str] = set()

    def begin(self, day: dict[str, Any]) -> Iterator[BaseEvent]:
        """The run, and the day as it is before."""
        yield RunStartedEvent(thread_id=self._asked.thread_id, run_id=self._asked.run_id, protocol_version=PROTOCOL)
        yield StateSnapshotEvent(snapshot=day)

    def of(self, event: Event) -> Iterator[BaseEvent]:
        """What one event of the turn tells."""
        if event.type == "agent.started" and event.data["agent"] not in self._open:
            self._open.append(event.data["agent"])
            yield StepStartedEvent(step_name=event.data["agent"])
        elif event.type == "agent.finished" and event.data["agent"] in self._open:
            self._open.remove(event.data["agent"])
            yield StepFinishedEvent(step_name=event.data["agent"])
        elif event.type in CHANGES:
            yield from self._change(change_view(Change.model_validate(event.data)))
        elif event.type == "reply.delta":
            yield from self._words(event.data["text"])

    def end(self, view: TurnView, before: dict[str, Any], after: dict[str, Any]) -> Iterator[BaseEvent]:
        """What the stored turn says, whatever was told until here."""
        yield from (StepFinishedEvent(step_name=name) for name in self._open)
        if view.status == "failed":
            yield RunErrorEvent(message=view.reply or "The turn failed.", code="turn_failed")
            return
        for change in view.changes:
            yield from self._change(change)
        yield from self._rest(view.reply or "")
        if patch := jsonpatch.make_patch(before, after).patch:
            yield StateDeltaEvent(delta=patch)
        yield CustomEvent(name=TURN, value=turn_document(view))
        named = {"thread_id": self._asked.thread_id, "run_id": self._asked.run_id}
        yield RunFinishedEvent(**named, outcome=_outcome(view))

    def _change(self, change: ChangeView) -> Iterator[BaseEvent]:
        call = change.confirms or change.id
        if self._answering:
            if change.confirms is None and change.expires_at is None:
                return
        elif call not in self._called:
            self._called.add(call)
            yield ToolCallStartEvent(tool_call_id=call, tool_call_name=f"{change.op}_{change.kind}")
            yield ToolCallArgsEvent(tool_call_id=call, delta=json.dumps(as_json(change)["fields"], ensure_ascii=False))
            yield ToolCallEndEvent(tool_call_id=call)
        if change.status != "needs_confirmation" and call not in self._ended:
            self._ended.add(call)
            yield ToolCallResultEvent(message_id=f"{call}:result", tool_call_id=call, content=_result(change))

    def _words(self, text: str) -> Iterator[BaseEvent]:
        message = f"{self._asked.run_id}:reply"
        if not self._reply:
            yield TextMessageStartEvent(message_id=message, role="assistant")
        self._reply += text
        yield TextMessageContentEvent(message_id=message, delta=text)

    def _rest(self, reply: str) -> Iterator[BaseEvent]:
        """What the stored reply has beyond the sentences so far; of a turn that ran twice they may differ."""
        told = self._reply
        left = reply.removeprefix(told) if reply.startswith(told) else f"\n{reply}"
        if left:
            yield from self._words(left)
        if self._reply:
            yield TextMessageEndEvent(message_id=f"{self._asked.run_id}:reply")


async def frames_of(
    services: Services, turn: Turn, asked: Asked, calls: Calls, *, before: dict[str, Any], answering: bool
) -> AsyncIterator[bytes]:
    """A run's events in wire form, from its beginning to its end; ``before`` is the day as the run found it."""
    telling, encoder = Telling(turn, asked, answering=answering), EventEncoder()
    for told in telling.begin(before):
        yield encoder.encode(told).encode()
    if not answering:
        async for event in _events(services, turn):
            for told in telling.of(event) if event else ():
                yield encoder.encode(told).encode()
            if event is None:
                yield HEARTBEAT
    ended = await services.inbox.get(turn.user_id, turn.id) or turn
    for told in telling.end(await view_of_turn(services, ended), before, await today(calls)):
        yield encoder.encode(told).encode()


async def frames_of_call(asked: Asked) -> AsyncIterator[bytes]:
    """A run that only calls the tool that it demands."""
    encoder, named = EventEncoder(), {"thread_id": asked.thread_id, "run_id": asked.run_id}
    name, schema = asked.forced_tool or ("none", None)
    call = f"{asked.run_id}:call"
    told: tuple[BaseEvent, ...] = (
        RunStartedEvent(**named, protocol_version=PROTOCOL),
        ToolCallStartEvent(tool_call_id=call, tool_call_name=name),
        ToolCallArgsEvent(tool_call_id=call, delta=json.dumps(smallest_value(schema))),
        ToolCallEndEvent(tool_call_id=call),
        RunFinishedEvent(**named, outcome=RunFinishedSuccessOutcome()),
    )
    for event in told:
        yield encoder.encode(event).encode()


async def _events(services: Services, turn: Turn) -> AsyncIterator[Event | None]:
    """The events of a turn until its end; None after each quiet ``heartbeat_seconds``."""
    if turn.state in ENDED_STATES:
        for kept in await services.events.of_turn(turn.user_id, turn.id):
            yield kept
        return
    async with events_of(services.events, turn.user_id, turn_id=turn.id, after=0) as events:
        async for event in events:
            yield event
            now = await services.inbox.get(turn.user_id, turn.id) if event is None else None
            if (event and event.type == "turn.done") or (now and now.state in ENDED_STATES):
                return


def _result(change: ChangeView) -> str:
    shown = as_json(change)
    names = ("status", "title", "record_id", "error", "undo")
    return json.dumps({name: shown[name] for name in names}, ensure_ascii=False)


def _outcome(view: TurnView) -> Any:
    if view.status == "cancelled":
        return RunFinishedCancelledOutcome()
    if view.status != "waiting" or view.question is None:
        return RunFinishedSuccessOutcome()
    held = [change.id for change in view.changes if change.status == "needs_confirmation"]
    asked = Interrupt(
        id=str(view.id),
        reason="confirmation" if held else "question",
        message=view.question.text,
        tool_call_id=held[0] if len(held) == 1 else None,
        response_schema=YES_OR_NO if held else IN_WORDS,
    )
    return RunFinishedInterruptOutcome(interrupts=[asked])
