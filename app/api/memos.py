"""Recordings: what was said in them, and the recordings themselves."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID, uuid4, uuid5

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import AwareDatetime, BaseModel, Field, ValidationError

from agents.records import Body, Name, Zone
from app.api.allowance import insist_on_room
from app.api.audio_form import FORM, chunks_of, clip_of, fields_of, head_of, read_form, sha256_of
from app.api.bodies import StrictRoute, media_type, read_json
from app.api.problems import invalid
from app.api.recording import Recording
from app.api.replay import REPLAYED, Answer, Once
from app.api.schemas import Cursor, Document, IdempotencyKey, Limit, Listing, Number, Said, Spoken, as_json, from_row
from app.api.schemas_turns import CAPTURED_AT, TIMEZONE
from app.deps import Provided, Services, Tenant
from app.errors import Conflict, InvalidInput, NotFound, UnsupportedMedia
from app.ports import Memo, MemoEdit, MemoState, NewMemo, TextMemo

MEDIA_TYPES = {
    "wav": "audio/wav",
    "flac": "audio/flac",
    "ogg": "audio/ogg",
    "webm": "audio/webm",
    "mp4": "audio/mp4",
    "mp3": "audio/mpeg",
}
NO_MEMO = "There is no such memo."
LONGEST_PART_MS = 120_000
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
    external_id: str | None = Field(description="Your own name for it: posted again, it is updated.")
    edited: bool = Field(description="Whether its words are its user's own, or were corrected.")
    container: str = Field(description="`text` for one that was written.", examples=["flac"])
    size: int = Field(description="Bytes.")
    duration_ms: int | None
    created_at: AwareDatetime
    updated_at: AwareDatetime


class TranscriptView(BaseModel):
    """One wording of a memo; `id` is null while the engine's own words were never replaced."""

    id: UUID | None
    transcript: str
    segments: list[Segment] = Field(description="Of the engine's own words; empty for those of the user.")
    created_at: AwareDatetime
    current: bool = Field(description="Whether the memo says this now.")


class MemoContext(Document):
    """Where and when a clip was recorded."""

    captured_at: Said | None = Field(None, description=CAPTURED_AT, examples=["2026-11-18T09:30:00+01:00"])
    timezone: Zone | None = Field(None, description=TIMEZONE, examples=["Europe/Lisbon"])


class WrittenMemo(MemoContext):
    """A memo in words."""

    transcript: Annotated[Body, Spoken] = Field(description="What was said.", examples=["The spare key is at Ana's."])
    title: Name = Field("", description="Default: the first words.")
    external_id: Name | None = Field(
        None, min_length=1, description="Your own name for it: posted again, it is updated."
    )


class MemoPatch(Document):
    """What is to be corrected in a memo; fields that are left out stay."""

    transcript: Annotated[Body, Spoken] | None = Field(None, description="What was really said.")
    title: Name | None = None


def _form_documentation() -> dict[str, Any]:
    form = MemoContext.model_json_schema()
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
async def post_memo(request: Request, services: Provided, user_id: Tenant, key: IdempotencyKey = None) -> Response:
    """Remember what was said without acting on it; the recording is on the disk before this is answered.

    An Idempotency-Key of a memo never expires.
    """
    if media_type(request) == "application/json":
        return await _write_memo(services, user_id, _written(await read_json(request)), key)
    if media_type(request) != "multipart/form-data":
        raise UnsupportedMedia(
            "A memo is multipart/form-data with a clip named audio, or JSON with a transcript.", hint=FORM
        )
    async with read_form(request) as form:
        clip, context = clip_of(form), fields_of(form, MemoContext)
        container = await services.speech.check_upload(await head_of(clip), clip.size or 0)
        memo_id = uuid5(user_id, key) if key else uuid4()
        known = await services.memos.get(user_id, memo_id) if key else None
        if known is None:
            await insist_on_room(services, user_id)
            saved = await services.clips.save(user_id, memo_id, chunks_of(clip), services.settings.max_audio_bytes)
            captured = context.captured_at or datetime.now(UTC)
            new = NewMemo(memo_id, container, saved.size, saved.sha256, captured, context.timezone)
            await services.memos.add(user_id, new)
        elif await sha256_of(clip) != await services.memos.first_sha256(user_id, memo_id):
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


@router.delete(
    "/{memo_id}", operation_id="delete_memo", summary="Delete a memo", status_code=204, response_class=Response
)
async def delete_memo(memo_id: UUID, services: Provided, user_id: Tenant) -> Response:
    """Hide the recording and its transcript at once; what a turn did because of it stays and can be undone.

    It can be brought back until it is removed for good, after `SUMMIT_MEMORY_KEEP_DAYS`: undo the change that
    `X-Change-Id` names.
    """
    await _memo(services, user_id, memo_id)
    if await services.memos.awaited(user_id, memo_id):
        raise Conflict("A turn still waits for the words of this memo.", hint="Cancel the turn first.")
    change = await services.memo_edits.delete(user_id, memo_id)
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
    memo = await _memo(services, user_id, memo_id)
    told = body.transcript is not None and (body.transcript != memo.transcript or memo.state == "needs_you")
    turn = await services.inbox.get(user_id, memo.turn_id) if memo.turn_id and body.transcript else None
    if turn and told:
        await services.turns.take_back(turn)
    change = await services.memo_edits.edit(user_id, memo_id, MemoEdit(body.transcript, body.title))
    memo = await _memo(services, user_id, memo_id)
    if turn:
        again = await services.turns.say_again(turn, memo)
        if again and again.id != turn.id:
            await services.memos.set_state(user_id, memo_id, "transcribed", turn_id=again.id)
            memo = await _memo(services, user_id, memo_id)
    headers = {"X-Change-Id": change.id} if change else {}
    return JSONResponse(as_json(from_row(MemoView, memo)), headers=headers)


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


@router.get("/{memo_id}/transcripts", operation_id="list_memo_transcripts", summary="List a memo's wordings")
async def list_memo_transcripts(memo_id: UUID, services: Provided, user_id: Tenant) -> Listing[TranscriptView]:
    """What the engine heard, and each correction since, the first one first; undo a change to go back to one."""
    await _memo(services, user_id, memo_id)
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
    memo = await _memo(services, user_id, memo_id)
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
    await _memo(services, user_id, memo_id)
    if not 0 < end_ms - start_ms <= LONGEST_PART_MS:
        raise InvalidInput(f"`end_ms` must be after `start_ms`, by at most {LONGEST_PART_MS} ms.")
    wav = await services.speech.excerpt(_recording(services, user_id, memo_id), start_ms, end_ms)
    return Response(wav, media_type="audio/wav")


def _recording(services: Services, user_id: UUID, memo_id: UUID) -> Path:
    path = services.clips.path(user_id, memo_id)
    if not path.is_file():
        raise NotFound("This memo has no recording.", hint="Its words are in its transcript.")
    return path


def _written(document: dict[str, Any]) -> WrittenMemo:
    try:
        return WrittenMemo.model_validate(document)
    except ValidationError as error:
        raise invalid([{**item, "loc": ("body", *item["loc"])} for item in error.errors()]) from error


async def _write_memo(services: Services, user_id: UUID, written: WrittenMemo, key: str | None) -> Response:
    named = f"external:{written.external_id}" if written.external_id else key
    memo_id = uuid5(user_id, named) if named else uuid4()
    captured = written.captured_at or datetime.now(UTC)
    new = TextMemo(memo_id, written.transcript, captured, written.timezone, written.title, written.external_id)
    known = await services.memos.get(user_id, memo_id) if named else None
    if known and not written.external_id:
        if await services.memos.first_sha256(user_id, memo_id) != hashlib.sha256(written.transcript.encode()).digest():
            raise InvalidInput("This Idempotency-Key was used for a different memo.", hint="Use a new key for each.")
        return _told(known, 201, REPLAYED)
    change = await services.memo_edits.write(user_id, new)
    headers = {"X-Change-Id": change.id} if change else {}
    return _told(await _memo(services, user_id, memo_id), 200 if known else 201, headers)


def _told(memo: Memo, status: int, headers: dict[str, str]) -> Response:
    headers = {"Location": f"/v1/memos/{memo.id}", **headers}
    return JSONResponse(as_json(from_row(MemoView, memo)), status, headers=headers)


async def _memo(services: Services, user_id: UUID, memo_id: UUID) -> Memo:
    memo = await services.memos.get(user_id, memo_id)
    if memo is None:
        raise NotFound(NO_MEMO)
    return memo
