"""Recordings: what was said in them, and the recordings themselves."""

from __future__ import annotations

import asyncio
import hashlib
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4, uuid5

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import AwareDatetime, BaseModel, Field

from agents.records import Zone
from app.api.audio_form import chunks_of, clip_of, fields_of, head_of, read_form, sha256_of
from app.api.bodies import StrictRoute, media_type
from app.api.recording import Recording
from app.api.replay import REPLAYED, Answer, Once
from app.api.schemas import Cursor, Document, IdempotencyKey, Limit, Listing, Said, as_json, from_row
from app.api.schemas_turns import CAPTURED_AT, TIMEZONE
from app.deps import Provided, Services, Tenant
from app.errors import Conflict, InvalidInput, NotFound, UnsupportedMedia
from app.ports import Memo, MemoState, NewMemo

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


class MemoContext(Document):
    """Where and when a clip was recorded."""

    captured_at: Said | None = Field(None, description=CAPTURED_AT, examples=["2026-11-18T09:30:00+01:00"])
    timezone: Zone | None = Field(None, description=TIMEZONE, examples=["Europe/Lisbon"])


def _form_documentation() -> dict[str, Any]:
    form = MemoContext.model_json_schema()
    audio = {"type": "string", "format": "binary", "description": "One whole recording."}
    form |= {"title": "NewMemo", "properties": {"audio": audio, **form["properties"]}, "required": ["audio"]}
    return {"requestBody": {"required": True, "content": {"multipart/form-data": {"schema": form}}}}


@router.post(
    "",
    operation_id="post_memo",
    summary="Keep a recording",
    response_model=MemoView,
    status_code=202,
    openapi_extra=_form_documentation(),
)
async def post_memo(request: Request, services: Provided, user_id: Tenant, key: IdempotencyKey = None) -> Response:
    """Remember what was said without acting on it; the recording is on the disk before this is answered.

    An Idempotency-Key of a memo never expires.
    """
    if media_type(request) != "multipart/form-data":
        raise UnsupportedMedia("A memo is multipart/form-data with a clip named audio.")
    async with read_form(request) as form:
        clip, context = clip_of(form), fields_of(form, MemoContext)
        container = await services.speech.check_upload(await head_of(clip), clip.size or 0)
        memo_id = uuid5(user_id, key) if key else uuid4()
        known = await services.memos.get(user_id, memo_id) if key else None
        if known is None:
            saved = await services.clips.save(user_id, memo_id, chunks_of(clip), services.settings.max_audio_bytes)
            captured = context.captured_at or datetime.now(UTC)
            new = NewMemo(memo_id, container, saved.size, saved.sha256, captured, context.timezone)
            await services.memos.add(user_id, new)
        elif await sha256_of(clip) != await asyncio.to_thread(_kept_sha256, services, user_id, memo_id):
            raise InvalidInput("This Idempotency-Key was used for a different clip.", hint="Use a new key for each.")
    memo = as_json(from_row(MemoView, await _memo(services, user_id, memo_id)))
    headers = {"Location": f"/v1/memos/{memo_id}", **(REPLAYED if known else {})}
    return JSONResponse(memo, 202, headers=headers)


@router.post("/{memo_id}/retry", operation_id="retry_memo", summary="Transcribe a memo again", response_model=MemoView)
async def retry_memo(memo_id: UUID, services: Provided, user_id: Tenant, once: Once) -> Response:
    """Try a failed memo again, such as after a speech engine was set up; 409 for one that did not fail."""

    async def retry() -> Answer:
        await _memo(services, user_id, memo_id)
        if not await services.memos.retry(user_id, memo_id):
            raise Conflict("This memo did not fail, so there is nothing to try again.")
        return Answer(200, as_json(from_row(MemoView, await _memo(services, user_id, memo_id))))

    return await once.answer(retry)


@router.delete("/{memo_id}", operation_id="delete_memo", summary="Delete a memo", status_code=204)
async def delete_memo(memo_id: UUID, services: Provided, user_id: Tenant) -> None:
    """Forget the recording and its transcript; what a turn did because of it stays and can be undone."""
    await _memo(services, user_id, memo_id)
    if not await services.memos.delete(user_id, memo_id):
        raise Conflict("A turn still waits for the words of this memo.", hint="Cancel the turn first.")
    await services.clips.delete(user_id, memo_id)


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


def _kept_sha256(services: Services, user_id: UUID, memo_id: UUID) -> bytes:
    with services.clips.path(user_id, memo_id).open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


async def _memo(services: Services, user_id: UUID, memo_id: UUID) -> Memo:
    memo = await services.memos.get(user_id, memo_id)
    if memo is None:
        raise NotFound("There is no such memo.")
    return memo
