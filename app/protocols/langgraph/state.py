"""A thread as the state of a graph: its latest messages, and the question that is open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from app.errors import NotFound
from app.http.deps import Services
from app.protocols.langgraph.shapes import METADATA, NODE, Names, ai_id, interrupts_of, messages_of
from app.turns.model.threads import Message, Thread
from app.turns.model.turns import NewTurn, Turn
from app.turns.routes.schemas import TurnView
from app.turns.routes.turns import view_of_turn

NO_THREAD = "There is no such thread."
LATEST_MESSAGES = 200
"""Messages of a state: a state of everything that was ever said would grow with each turn."""


@dataclass(frozen=True)
class ThreadEnd:
    """The end of a thread: its messages, the last turn among them and the turn that runs now.

    ``names`` are its clients' for the messages of turns.
    """

    thread: Thread
    messages: Sequence[Message]
    view: TurnView | None
    busy: bool
    names: Names = field(default_factory=dict)

    @property
    def head(self) -> str:
        """The id of the checkpoint at the end: that of the last turn."""
        return str(self.messages[-1].turn_id if self.messages else self.thread.id)

    @property
    def values(self) -> dict[str, Any]:
        """What LangGraph calls the values."""
        return {"messages": messages_of(self.messages, self.view, self.names)}

    @property
    def interrupts(self) -> list[dict[str, Any]]:
        """The open question, if there is one."""
        return [] if self.busy else interrupts_of(self.view)

    @property
    def status(self) -> str:
        """The thread's status in LangGraph's words."""
        if self.busy:
            return "busy"
        if self.interrupts:
            return "interrupted"
        return "error" if self.view and self.view.status == "failed" else "idle"


async def thread_of(services: Services, user_id: UUID, thread_id: UUID) -> Thread:
    """A thread of this user; raises NotFound."""
    thread = await services.threads.get(user_id, thread_id)
    if thread is None:
        raise NotFound(NO_THREAD, hint="POST /lg/threads makes one.")
    return thread


async def state_of(services: Services, user_id: UUID, thread: Thread, latest: int = LATEST_MESSAGES) -> ThreadEnd:
    """The thread as it is now."""
    said = await services.threads.messages(user_id, thread.id, max(0, thread.message_count - latest), latest + 2)
    kept = await services.inbox.client_data(user_id, [*{message.turn_id for message in said}])
    messages = path_of(said, kept)
    last = await services.inbox.get(user_id, messages[-1].turn_id) if messages else None
    view = await view_of_turn(services, last) if last else None
    probe = NewTurn(user_id, None, datetime.now(UTC), thread_id=thread.id)
    names = {turn_id: data["message"] for turn_id, data in kept.items() if "message" in data}
    return ThreadEnd(thread, messages, view, await services.inbox.in_the_way(probe) is not None, names)


def path_of(said: Sequence[Message], kept: Mapping[UUID, dict[str, Any]]) -> list[Message]:
    """The messages that lead to the end of a thread: without those of turns that were rolled back."""
    path: list[Message] = []
    for turn_id, of_turn in groupby(said, lambda message: message.turn_id):
        if after := kept.get(turn_id, {}).get("after"):
            path = up_to(path, after)
        path += of_turn
    return path


def up_to(messages: Sequence[Message], checkpoint_id: str) -> list[Message]:
    """The messages until the end of a turn; none where that lies before them."""
    ends = [at for at, message in enumerate(messages, 1) if str(message.turn_id) == checkpoint_id]
    return list(messages[: ends[-1]]) if ends else []


def before(state: ThreadEnd, turn: Turn) -> ThreadEnd:
    """The state that a turn goes on from."""
    after = (turn.client or {}).get("after")
    said = up_to(state.messages, after) if after else state.messages
    return replace(state, messages=[message for message in said if message.turn_id != turn.id])


async def values_after(services: Services, turn: Turn, view: TurnView) -> dict[str, Any]:
    """The values that a run ended with, and its interrupt."""
    thread = await thread_of(services, turn.user_id, turn.thread_id)
    state = await state_of(services, turn.user_id, thread)
    mine = [number for number, message in enumerate(state.messages) if message.turn_id == turn.id]
    if mine:
        state = replace(state, messages=state.messages[: mine[-1] + 1], view=view)
    asked = interrupts_of(view)
    return {**state.values, **({"__interrupt__": asked} if asked else {})}


def thread_document(state: ThreadEnd) -> dict[str, Any]:
    """A thread with its values."""
    thread, asked = state.thread, state.interrupts
    return {
        "thread_id": str(thread.id),
        "created_at": thread.created_at.isoformat(),
        "updated_at": thread.updated_at.isoformat(),
        "metadata": {"title": "", **thread.metadata, **METADATA, **({"title": thread.title} if thread.title else {})},
        "status": state.status,
        "config": {},
        "values": state.values,
        "interrupts": {asked[0]["id"]: asked} if asked else {},
    }


def state_document(state: ThreadEnd) -> dict[str, Any]:
    """The state at the end of a thread."""
    asked = state.interrupts
    task = {"id": state.head, "name": NODE, "path": [], "error": None, "interrupts": asked}
    return {
        **_past(state, len(state.messages)),
        "values": state.values,
        "next": [NODE] if asked or state.busy else [],
        "tasks": [{**task, "checkpoint": None, "state": None, "result": None}] if asked else [],
        "interrupts": asked,
    }


def history_of(state: ThreadEnd) -> list[dict[str, Any]]:
    """The states after each of the latest turns, newest first, and the one before the first."""
    ends = [at for at, row in enumerate(state.messages, 1) if _ends_turn(state.messages, at, row)]
    beginning = [0] if ends and state.thread.message_count <= LATEST_MESSAGES else []
    past = [_past(state, end) for end in [*reversed(ends[:-1]), *beginning]]
    return [state_document(state), *past]


def _ends_turn(messages: Sequence[Message], at: int, row: Message) -> bool:
    return at == len(messages) or messages[at].turn_id != row.turn_id


def _past(state: ThreadEnd, end: int) -> dict[str, Any]:
    said = state.messages[:end]
    here = said[-1].turn_id if said else state.thread.id
    before = next((row.turn_id for row in reversed(said) if row.turn_id != here), state.thread.id)
    view = state.view if state.view and _is_last(state, said) else None
    return {
        "values": {"messages": messages_of(said, view, state.names)},
        "next": [],
        "checkpoint": _checkpoint(state.thread.id, here),
        "metadata": {**METADATA, "source": "loop" if said else "input", "run_id": str(here)},
        "created_at": (said[-1].created_at if said else state.thread.created_at).isoformat(),
        "parent_checkpoint": _checkpoint(state.thread.id, before) if said else None,
        "tasks": [],
        "interrupts": [],
    }


def _is_last(state: ThreadEnd, said: Sequence[Message]) -> bool:
    return state.view is not None and bool(said) and ai_id(said[-1].turn_id) == ai_id(state.view.id)


def _checkpoint(thread_id: UUID, checkpoint_id: UUID) -> dict[str, Any]:
    return {
        "thread_id": str(thread_id),
        "checkpoint_ns": "",
        "checkpoint_id": str(checkpoint_id),
        "checkpoint_map": None,
    }
