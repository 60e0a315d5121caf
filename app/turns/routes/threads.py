"""Conversations: list, open, rename, archive, delete, read back."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response
from pydantic import AwareDatetime, BaseModel, Field

from agents.records import Name
from app.errors import Conflict, NotFound
from app.http.bodies import StrictRoute
from app.http.deps import Provided, Services, Tenant
from app.http.replay import KeptResponse, Once
from app.http.schemas import Cursor, Document, Limit, Listing, Number, Spoken, as_json, from_row
from app.turns.model.threads import Thread, ThreadStatus

router = APIRouter(prefix="/v1/threads", tags=["threads"], route_class=StrictRoute)
After = Annotated[Number, Query(ge=0, le=2**63 - 1, description="Only messages with a larger `seq`.")]


class ThreadView(BaseModel):
    """A conversation. Messages without a thread go to the main one."""

    id: UUID
    title: str
    summary: str = Field(description="What it was about; in lists it is renewed now and then.")
    status: ThreadStatus
    is_main: bool
    message_count: int
    created_at: AwareDatetime
    updated_at: AwareDatetime


class MessageView(BaseModel):
    """One message; `seq` counts within the thread."""

    seq: int
    turn_id: UUID
    role: str = Field(examples=["user", "assistant"])
    content: str
    token_count: int
    model: str | None
    created_at: AwareDatetime
    remarks: str | None = Field(None, description="Of a reply: what it says beside the receipts of its changes.")


class NewThread(Document):
    """A conversation to open."""

    title: Name = Field("", examples=["Kitchen renovation"])


class ThreadPatch(Document):
    """What may be changed about a conversation; what is left out stays."""

    title: Annotated[Name, Spoken] | None = None
    status: ThreadStatus | None = Field(
        None, description="An archived thread takes no messages until it is active again."
    )


@router.get("", operation_id="list_threads", summary="List conversations")
async def list_threads(
    services: Provided, user_id: Tenant, limit: Limit = 50, cursor: Cursor = None
) -> Listing[ThreadView]:
    """The latest first."""
    found = await services.threads.list(user_id, limit, cursor)
    return Listing(items=[from_row(ThreadView, thread) for thread in found.items], next=found.next)


@router.post(
    "", status_code=201, operation_id="create_thread", summary="Open a conversation", response_model=ThreadView
)
async def create_thread(body: NewThread, services: Provided, user_id: Tenant, once: Once) -> Response:
    """Send messages to it by its id."""

    async def create() -> KeptResponse:
        thread = await services.threads.create(user_id, body.title, once.origin)
        return KeptResponse(201, as_json(from_row(ThreadView, thread)), {"Location": f"/v1/threads/{thread.id}"})

    return await once.answer(create)


@router.get("/{thread_id}", operation_id="get_thread", summary="Read a conversation's card")
async def get_thread(thread_id: UUID, services: Provided, user_id: Tenant) -> ThreadView:
    """Title, summary, status and size; the messages have their own path."""
    thread = await services.threads.card(user_id, thread_id)
    if thread is None:
        raise _unknown()
    return from_row(ThreadView, thread)


@router.patch("/{thread_id}", operation_id="update_thread", summary="Rename or archive")
async def patch_thread(thread_id: UUID, body: ThreadPatch, services: Provided, user_id: Tenant) -> ThreadView:
    """Change title or status."""
    changed = await services.threads.change(user_id, thread_id, title=body.title, status=body.status)
    if changed is None:
        raise _unknown()
    return from_row(ThreadView, changed)


@router.delete("/{thread_id}", status_code=204, operation_id="delete_thread", summary="Delete a conversation")
async def delete_thread(thread_id: UUID, services: Provided, user_id: Tenant) -> None:
    """Its messages are gone for good; what they changed stays, and can still be undone."""
    thread = await _thread(services, user_id, thread_id)
    if thread.is_main:
        raise Conflict("The main thread cannot be deleted.", hint="Open another thread for what should go.")
    if not await services.threads.delete(user_id, thread_id):
        raise _unknown()


@router.get("/{thread_id}/messages", operation_id="list_messages", summary="Read a conversation")
async def list_messages(
    thread_id: UUID, services: Provided, user_id: Tenant, after: After = 0, limit: Limit = 50
) -> Listing[MessageView]:
    """Oldest first; `next` is the `after` of the next page."""
    await _thread(services, user_id, thread_id)
    found = await services.threads.messages(user_id, thread_id, after, limit + 1)
    shown = [from_row(MessageView, message) for message in found[:limit]]
    return Listing(items=shown, next=str(shown[-1].seq) if len(found) > limit else None)


async def _thread(services: Services, user_id: UUID, thread_id: UUID) -> Thread:
    thread = await services.threads.get(user_id, thread_id)
    if thread is None:
        raise _unknown()
    return thread


def _unknown() -> NotFound:
    return NotFound("There is no such thread.")
