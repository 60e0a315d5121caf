"""Recordings: what was said in them, and the recordings themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse

from app.errors import Conflict, InvalidInput, NotFound
from app.http.bodies import StrictRoute
from app.http.deps import Provided, Services, Tenant
from app.http.limits import take_larger_body
from app.http.replay import KeptResponse, Once
from app.http.schemas import Cursor, IdempotencyKey, Limit, Listing, Number, as_json, from_row
from app.records.routes.schemas import Words
from app.voice.model import MemoEdit
from app.voice.routes.memo_corrections import NO_MEMO, correct_memo, memo_of
from app.voice.routes.memo_intake import MemoIntake
from app.voice.routes.recording import Recording
from app.voice.routes.schemas import MemoPatch, MemoView, NamedMemo, TranscriptView, WrittenMemo
from app.voice.store.memo_edits import MemoEdits

MEDIA_TYPES = {
    "wav": "audio/wav",
    "flac": "audio/flac",
    "ogg": "audio/ogg",
    "webm": "audio/webm",
    "mp4": "audio/mp4",
    "mp3": "audio/mpeg",
    "aac": "audio/aac",
    "caf": "audio/x-caf",
    "amr": "audio/amr",
    "aiff": "audio/aiff",
}
Tag = Annotated[Words | None, Query(description="Only memos with this tag.")]
LONGEST_PART_MS = 120_000
router = APIRouter(prefix="/v1/memos", tags=["memos"], route_class=StrictRoute)


def _form_documentation() -> dict[str, Any]:
    form = NamedMemo.model_json_schema()
    audio = {"type": "string", "format": "binary", "description": "One whole recording."}
    form |= {"title": "NewMemo", "properties": {"audio": audio, **form["properties"]}, "required": ["audio"]}
    written = WrittenMemo.model_json_schema()
    content = {"multipart/form-data": {"schema": form}, "application/json": {"schema": written}}
    return {"requestBody": {"required": True, "content": content}}


@router.post(
    "",
    operation_id="post_memo",
    summary="Keep a recording, or a memo in words",
    response_model=MemoView,
    status_code=202,
    responses={
        201: {"description": "A memo in words is kept.", "model": MemoView},
        200: {"description": "The memo with this `external_id` is brought up to date.", "model": MemoView},
    },
    openapi_extra=_form_documentation(),
)
@take_larger_body(lambda settings: settings.max_audio_bytes, form=True)
async def post_memo(request: Request, services: Provided, user_id: Tenant, key: IdempotencyKey = None) -> Response:
    """Remember what was said, and with `act` act on it; the recording is on the disk before this is answered.

    Posted again under its `external_id` a memo is brought up to date. A recording is kept as it was made: 409 for
    another one under the `external_id` of a memo. An Idempotency-Key of a memo never expires.
    """
    kept = await MemoIntake(services, user_id, key).accept(request)
    headers = {"Location": f"/v1/memos/{kept.memo.id}", **kept.headers}
    return JSONResponse(as_json(from_row(MemoView, kept.memo)), kept.status, headers=headers)


@router.post("/{memo_id}/retry", operation_id="retry_memo", summary="Transcribe a memo again", response_model=MemoView)
async def retry_memo(memo_id: UUID, services: Provided, user_id: Tenant, once: Once) -> Response:
    """Try a failed memo again, such as after a speech engine was set up; 409 for one that did not fail."""

    async def retry() -> KeptResponse:
        await memo_of(services, user_id, memo_id)
        if not await services.memos.retry(user_id, memo_id):
            raise Conflict("This memo did not fail, so there is nothing to try again.")
        return KeptResponse(200, as_json(from_row(MemoView, await memo_of(services, user_id, memo_id))))

    return await once.answer(retry)


@router.delete(
    "/{memo_id}", operation_id="delete_memo", summary="Delete a memo", status_code=204, response_class=Response
)
async def delete_memo(memo_id: UUID, services: Provided, user_id: Tenant) -> Response:
    """Hide the recording and its transcript at once; what a turn did because of it stays and can be undone.

    It can be brought back until it is removed for good, after `SUMMIT_MEMORY_KEEP_DAYS`: undo the change that
    `X-Change-Id` names.
    """
    await memo_of(services, user_id, memo_id)
    if await services.memos.is_awaited(user_id, memo_id):
        raise Conflict("A turn still waits for the words of this memo.", hint="Cancel the turn first.")
    change = await services.get(MemoEdits).delete(user_id, memo_id)
    if change is None:
        raise NotFound(NO_MEMO)
    return Response(status_code=204, headers={"X-Change-Id": change.id})


@router.patch("/{memo_id}", operation_id="update_memo", summary="Correct a memo", response_model=MemoView)
async def update_memo(memo_id: UUID, body: MemoPatch, services: Provided, user_id: Tenant) -> Response:
    """Correct its words or its title; both can be undone, and are found under the new words.

    Where a turn waits for the words it acts on these. Where one acted on the old ones, that is undone and the new words
    are said in its thread: `turn_id` is that turn. 409 says why when that cannot be. In state `needs_you` the words as
    they are say that they were heard rightly: a turn that asked acts on them.
    """
    memo = await memo_of(services, user_id, memo_id)
    memo, change = await correct_memo(services, user_id, memo, MemoEdit(body.transcript, body.title))
    headers = {"X-Change-Id": change.id} if change else {}
    return JSONResponse(as_json(from_row(MemoView, memo)), headers=headers)


@router.get("", operation_id="list_memos", summary="List memos")
async def list_memos(
    services: Provided, user_id: Tenant, limit: Limit = 50, cursor: Cursor = None, tag: Tag = None
) -> Listing[MemoView]:
    """The latest first."""
    found = await services.memos.list(user_id, limit, cursor, tag)
    return Listing(items=[from_row(MemoView, memo) for memo in found.items], next=found.next)


@router.get("/{memo_id}", operation_id="get_memo", summary="Read a memo")
async def get_memo(memo_id: UUID, services: Provided, user_id: Tenant) -> MemoView:
    """Transcript, segments in milliseconds, and the state it is in."""
    return from_row(MemoView, await memo_of(services, user_id, memo_id))


@router.get("/{memo_id}/transcripts", operation_id="list_memo_transcripts", summary="List a memo's wordings")
async def list_memo_transcripts(memo_id: UUID, services: Provided, user_id: Tenant) -> Listing[TranscriptView]:
    """What the engine heard, and each correction since, the first one first; undo a change to go back to one."""
    await memo_of(services, user_id, memo_id)
    found = await services.memos.versions(user_id, memo_id)
    return Listing(items=[from_row(TranscriptView, version) for version in found], next=None)


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
    memo = await memo_of(services, user_id, memo_id)
    path = _recording(services, user_id, memo_id)
    return Recording(path, media_type=MEDIA_TYPES.get(memo.container, "application/octet-stream"))


@router.get(
    "/{memo_id}/audio/part",
    operation_id="get_memo_part",
    summary="Listen to a part of a memo",
    response_class=Response,
    responses={
        200: {
            "description": "That part, as wav.",
            "content": {"audio/wav": {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
async def get_memo_part(
    memo_id: UUID,
    services: Provided,
    user_id: Tenant,
    start_ms: Annotated[Number, Query(ge=0, description="Where it begins, as a citation says.", examples=[3200])],
    end_ms: Annotated[Number, Query(ge=1, description="Where it ends; two minutes later at most.", examples=[5400])],
) -> Response:
    """From any millisecond to another, whatever the recorder wrote: what a citation names can be played as it is."""
    await memo_of(services, user_id, memo_id)
    if not 0 < end_ms - start_ms <= LONGEST_PART_MS:
        raise InvalidInput(f"`end_ms` must be after `start_ms`, by at most {LONGEST_PART_MS} ms.")
    wav = await services.speech.excerpt(_recording(services, user_id, memo_id), start_ms, end_ms)
    return Response(wav, media_type="audio/wav")


def _recording(services: Services, user_id: UUID, memo_id: UUID) -> Path:
    path = services.clips.path(user_id, memo_id)
    if not path.is_file():
        raise NotFound("This memo has no recording.", hint="Its words are in its transcript.")
    return path
