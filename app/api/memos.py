"""Recordings: what was said in them, and the recordings themselves."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Response
from pydantic import AwareDatetime, BaseModel, Field

from app.api.bodies import StrictRoute
from app.api.recording import Recording
from app.api.schemas import Cursor, Limit, Listing, from_row
from app.deps import Provided, Services, Tenant
from app.errors import NotFound
from app.ports import Memo, MemoState

MEDIA_TYPES = {
    "wav": "audio/wav",
    "flac": "audio/flac",
    "ogg": "audio/ogg",
    "webm": "audio/webm",
    "mp4": "audio/mp4",
    "mp3": "audio/mpeg",
}
router = APIRouter(prefix="/v1/memos", tags=["memos"], route_class=StrictRoute)


class Segment(BaseModel):
    """A stretch of speech."""

    start_ms: int
    end_ms: int
    text: str
    confidence: float | None = None


class MemoView(BaseModel):
    """A recording and what became of it; `reason` says why it needs you or failed."""

    id: UUID
    title: str
    transcript: str | None
    language: str | None
    segments: list[Segment]
    engine: str | None = Field(description="What transcribed it.")
    confidence: float | None
    captured_at: AwareDatetime
    timezone: str
    state: MemoState
    reason: str | None
    retryable: bool
    turn_id: UUID | None = Field(description="The turn that acted on it.")
    container: str = Field(examples=["flac"])
    size: int = Field(description="Bytes.")
    duration_ms: int | None
    created_at: AwareDatetime
    updated_at: AwareDatetime


@router.get("", operation_id="list_memos", summary="List memos")
async def list_memos(
    services: Provided, user_id: Tenant, limit: Limit = 50, cursor: Cursor = None
) -> Listing[MemoView]:
    """The latest first."""
    found = await services.memos.list(user_id, limit, cursor)
    return Listing(items=[from_row(MemoView, memo) for memo in found.items], next=found.next)


@router.get("/{memo_id}", operation_id="get_memo", summary="Read a memo")
async def get_memo(memo_id: UUID, services: Provided, user_id: Tenant) -> MemoView:
    """Transcript, segments in milliseconds, and the state it is in."""
    return from_row(MemoView, await _memo(services, user_id, memo_id))


@router.get(
    "/{memo_id}/audio",
    operation_id="get_memo_audio",
    summary="Listen to a memo",
    response_class=Response,
    responses={
        200: {
            "description": "The recording.",
            "content": {"audio/*": {"schema": {"type": "string", "format": "binary"}}},
        },
        206: {"description": "The part that `Range` asked for."},
    },
)
async def get_memo_audio(memo_id: UUID, services: Provided, user_id: Tenant) -> Response:
    """The bytes as they were sent; `Range` is honoured."""
    memo = await _memo(services, user_id, memo_id)
    path = services.clips.path(user_id, memo_id)
    if not path.is_file():
        raise NotFound("The recording of this memo is gone.", hint="Its transcript is still here.")
    return Recording(path, media_type=MEDIA_TYPES.get(memo.container, "application/octet-stream"))


async def _memo(services: Services, user_id: UUID, memo_id: UUID) -> Memo:
    memo = await services.memos.get(user_id, memo_id)
    if memo is None:
        raise NotFound("There is no such memo.")
    return memo
