"""Threads of LangGraph's API: Summit's own conversations."""

from __future__ import annotations

from typing import Any, Literal
from uuid import UUID, uuid4, uuid5

from fastapi import APIRouter, Request, Response
from pydantic import Field

from app.errors import Conflict, NotFound
from app.http.bodies import read_json
from app.http.deps import Provided, Services, Tenant
from app.http.schemas import Document, IdempotencyKey
from app.protocols.langgraph.assistants import matches
from app.protocols.langgraph.shapes import METADATA, Checkpoint, own_metadata, parse_document
from app.protocols.langgraph.state import NO_THREAD, history_of, state_document, state_of, thread_document, thread_of

router = APIRouter(prefix="/lg/threads", include_in_schema=False)
NO_STATE = "There is no such state among the latest of this thread."
MESSAGES_SHOWN = 20
"""Messages of each thread in a list."""


class NewThread(Document):
    """A thread to make."""

    thread_id: UUID | None = None
    metadata: dict[str, Any] | None = None
    if_exists: Literal["raise", "do_nothing"] = "raise"


class Search(Document):
    """Which threads are looked for: the latest first, as they are kept."""

    metadata: dict[str, Any] | None = None
    limit: int = Field(10, ge=1, le=100)
    offset: int = Field(0, ge=0, le=100)
    sort_by: Literal["updated_at"] = "updated_at"
    sort_order: Literal["desc"] = "desc"


class StatePlace(Document):
    """Which state is wanted; a turn has no states of its own below it."""

    checkpoint: Checkpoint = Field(default_factory=Checkpoint)
    subgraphs: bool = False


class NewMetadata(Document):
    """What is kept with a thread from now on."""

    metadata: dict[str, Any] = Field(default_factory=dict)


class History(Document):
    """How many states are wanted: those before one, from one on, with certain metadata."""

    limit: int = Field(10, ge=1, le=100)
    before: Checkpoint = Field(default_factory=Checkpoint)
    checkpoint: Checkpoint = Field(default_factory=Checkpoint)
    metadata: dict[str, Any] = Field(default_factory=dict)

    def of(self, states: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return those of a history, newest first; raises NotFound for a checkpoint that it has not."""
        first, after = _place_in(states, self.checkpoint), _place_in(states, self.before)
        found = states[max(first or 0, 0 if after is None else after + 1) :]
        return [one for one in found if self.metadata.items() <= one["metadata"].items()][: self.limit]


def _place_in(states: list[dict[str, Any]], checkpoint: Checkpoint) -> int | None:
    if checkpoint.checkpoint_id is None:
        return None
    ids = [one["checkpoint"]["checkpoint_id"] for one in states]
    if checkpoint.checkpoint_id not in ids:
        raise NotFound(NO_STATE)
    return ids.index(checkpoint.checkpoint_id)


@router.post("")
async def create_thread(
    request: Request, services: Provided, user_id: Tenant, key: IdempotencyKey = None
) -> dict[str, Any]:
    """A new conversation, or with ``do_nothing`` the one that has the id."""
    wanted = parse_document(NewThread, await read_json(request))
    thread_id = wanted.thread_id
    if thread_id is not None and wanted.if_exists == "raise" and await services.threads.get(user_id, thread_id):
        raise Conflict("There is a thread with this id.", hint="if_exists: do_nothing takes it as it is.")
    made = uuid5(user_id, f"langgraph thread {key}") if key else uuid4()
    thread = await services.threads.create(user_id, "", thread_id or made, own_metadata(wanted.metadata))
    return thread_document(await state_of(services, user_id, thread))


@router.post("/search")
async def search_threads(request: Request, services: Provided, user_id: Tenant) -> list[dict[str, Any]]:
    """The latest conversations, each with its last messages."""
    wanted = parse_document(Search, await read_json(request))
    own = own_metadata(wanted.metadata)
    if not matches({name: value for name, value in (wanted.metadata or {}).items() if name in METADATA}):
        return []
    found = await services.threads.list(user_id, wanted.limit + wanted.offset, None, own)
    threads = found.items[wanted.offset :]
    return [thread_document(await state_of(services, user_id, thread, MESSAGES_SHOWN)) for thread in threads]


@router.get("/{thread_id}")
async def get_thread(thread_id: UUID, services: Provided, user_id: Tenant) -> dict[str, Any]:
    """One conversation."""
    return thread_document(await state_of(services, user_id, await thread_of(services, user_id, thread_id)))


@router.patch("/{thread_id}")
async def change_thread(thread_id: UUID, request: Request, services: Provided, user_id: Tenant) -> dict[str, Any]:
    """Keep further metadata with it."""
    wanted = parse_document(NewMetadata, await read_json(request))
    thread = await services.threads.add_metadata(user_id, thread_id, own_metadata(wanted.metadata))
    if thread is None:
        raise NotFound(NO_THREAD)
    return thread_document(await state_of(services, user_id, thread))


@router.delete("/{thread_id}", status_code=204)
async def delete_thread(thread_id: UUID, services: Provided, user_id: Tenant) -> Response:
    """Its messages are gone for good; what they changed stays, and can still be undone."""
    thread = await thread_of(services, user_id, thread_id)
    if thread.is_main:
        raise Conflict("The main thread cannot be deleted.", hint="Open another thread for what should go.")
    await services.threads.delete(user_id, thread_id)
    return Response(status_code=204)


@router.post("/{thread_id}/copy")
async def copy_thread(
    thread_id: UUID, services: Provided, user_id: Tenant, key: IdempotencyKey = None
) -> dict[str, Any]:
    """A conversation that goes on from the same words; what was changed was changed once."""
    made = uuid5(thread_id, f"langgraph copy {key}") if key else uuid4()
    copy = await services.threads.copy(user_id, thread_id, made)
    if copy is None:
        raise NotFound(NO_THREAD)
    return thread_document(await state_of(services, user_id, copy))


@router.get("/{thread_id}/state")
async def get_state(thread_id: UUID, services: Provided, user_id: Tenant) -> dict[str, Any]:
    """Its end."""
    return state_document(await state_of(services, user_id, await thread_of(services, user_id, thread_id)))


@router.get("/{thread_id}/state/{checkpoint_id}")
async def get_earlier_state(
    thread_id: UUID, checkpoint_id: UUID, services: Provided, user_id: Tenant
) -> dict[str, Any]:
    """One of its states, as its history has them."""
    return await _state_at(services, user_id, thread_id, str(checkpoint_id))


@router.post("/{thread_id}/state/checkpoint")
async def get_state_at(thread_id: UUID, request: Request, services: Provided, user_id: Tenant) -> dict[str, Any]:
    """The same, by a checkpoint as a client was given it; one without an id is the end."""
    wanted = parse_document(StatePlace, await read_json(request))
    return await _state_at(services, user_id, thread_id, wanted.checkpoint.checkpoint_id)


async def _state_at(services: Services, user_id: UUID, thread_id: UUID, checkpoint_id: str | None) -> dict[str, Any]:
    state = await state_of(services, user_id, await thread_of(services, user_id, thread_id))
    if checkpoint_id is None:
        return state_document(state)
    known = {one["checkpoint"]["checkpoint_id"]: one for one in history_of(state)}
    if (found := known.get(checkpoint_id)) is None:
        raise NotFound(NO_STATE)
    return found


@router.post("/{thread_id}/history")
async def get_history(thread_id: UUID, request: Request, services: Provided, user_id: Tenant) -> list[dict[str, Any]]:
    """Its states after the latest turns, newest first."""
    wanted = parse_document(History, await read_json(request))
    state = await state_of(services, user_id, await thread_of(services, user_id, thread_id))
    return wanted.of(history_of(state))
