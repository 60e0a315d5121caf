"""Recordings that come in piece by piece, over any connection: begun, extended at an offset, finished or cancelled."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID, uuid5

from fastapi import APIRouter, Depends, Header, Request, Response
from pydantic import AwareDatetime, BaseModel, Field

from app.errors import InvalidInput, TooLarge
from app.http.bodies import StrictRoute
from app.http.deps import Provided, Services, Tenant, provide
from app.http.limits import take_larger_body
from app.http.replay import KeptResponse, Once
from app.http.schemas import KEY_FORM, LONGEST_KEY, as_json, from_row
from app.turns.model.uploads import NewUpload, Upload, UploadForm, UploadWanted
from app.turns.uploads import Uploading
from app.voice.model import ACCEPTED, Memo, MemoState
from app.voice.routes.allowance import insist_on_credits, insist_on_room
from app.voice.routes.schemas import MemoContext, MemoView

ProvidedUploads = Annotated[Uploading, Depends(provide(Uploading))]

PIECE = 256 * 1024
"""Bytes that are made durable together, so that a connection that breaks loses less than these."""
DIGEST = re.compile(r"sha-256=:([A-Za-z0-9+/]{1,86}={0,2}):")

router = APIRouter(prefix="/v1/memos/uploads", tags=["memos"], route_class=StrictRoute)

Offset = Annotated[int, Header(ge=0, description="How many bytes come before these.")]
Digest = Annotated[str, Header(description="`sha-256=:...:` of this body (RFC 9530); checked before anything is kept.")]


class UploadStart(MemoContext):
    """A recording that begins."""

    client_id: Annotated[str, Field(min_length=1, max_length=LONGEST_KEY, pattern=KEY_FORM)] = Field(
        description="Your own name for it, new for each: begun again under it, it goes on."
    )
    form: UploadForm = Field(
        "file",
        description=f"`file`: the bytes of a {ACCEPTED}; `pcm16`: 16 kHz mono samples.",
    )


class UploadView(BaseModel):
    """A recording as far as it came."""

    id: UUID = Field(description="Of the upload, and of its memo.")
    upload_offset: int = Field(description="Bytes that are on the disk; the next ones begin there.")
    complete: bool = Field(description="Whether it is finished; then read `/v1/memos/{memo_id}`.")
    state: MemoState
    act: bool | None = Field(description="Whether it is acted upon; null once it is finished.")
    captured_at: AwareDatetime


@router.post("", operation_id="begin_upload", summary="Begin a recording", response_model=UploadView, status_code=201)
async def begin_upload(
    body: UploadStart, services: Provided, uploads: ProvidedUploads, user_id: Tenant, once: Once
) -> Response:
    """Its memo is there at once, in state `receiving`. Begun again with its `client_id` it is told how far it came.

    One that nothing comes for in `SUMMIT_UPLOAD_IDLE_SECONDS` is finished as a memo, and not acted upon.
    """

    async def begin() -> KeptResponse:
        found = await create_upload(services, uploads, user_id, body)
        return KeptResponse(201, as_json(found), {"Location": f"/v1/memos/uploads/{found.id}", **_headers(found)})

    return await once.answer(begin)


@router.head("/{memo_id}", operation_id="upload_offset", summary="How far it came", status_code=204)
async def upload_offset(memo_id: UUID, uploads: ProvidedUploads, user_id: Tenant) -> Response:
    """`Upload-Offset` and `Upload-Complete`."""
    return Response(status_code=204, headers=_headers(_view(await uploads.get(user_id, memo_id))))


@router.get("/{memo_id}", operation_id="get_upload", summary="Read an upload")
async def get_upload(memo_id: UUID, uploads: ProvidedUploads, user_id: Tenant) -> UploadView:
    """The same as JSON."""
    return _view(await uploads.get(user_id, memo_id))


@router.patch(
    "/{memo_id}",
    operation_id="append_to_upload",
    summary="Send more of it",
    status_code=204,
    response_class=Response,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
@take_larger_body(lambda settings: settings.max_audio_bytes)
async def append_to_upload(
    memo_id: UUID,
    request: Request,
    services: Provided,
    uploads: ProvidedUploads,
    user_id: Tenant,
    upload_offset: Offset,
    content_digest: Digest = "",
) -> Response:
    """The bytes that come next. They are on the disk before this is answered; of a body that breaks off, what came is.

    409 with `upload_offset` where they do not belong.
    """
    pieces = _read_verified(request, services, content_digest) if content_digest else _pieces(request)
    at = upload_offset
    async for piece in pieces:
        at = await uploads.append(user_id, memo_id, at, piece)
    if at == upload_offset:
        await uploads.append(user_id, memo_id, at, b"")
    return Response(status_code=204, headers={"Upload-Offset": str(at)})


@router.post(
    "/{memo_id}/finish",
    operation_id="finish_upload",
    summary="It is whole",
    response_model=MemoView,
    status_code=202,
)
async def finish_upload(memo_id: UUID, uploads: ProvidedUploads, user_id: Tenant, once: Once) -> Response:
    """The memo, with `turn_id` where it is acted upon. Finished again it is the same."""

    async def finish() -> KeptResponse:
        memo = as_json(from_row(MemoView, await uploads.finish(user_id, memo_id)))
        return KeptResponse(202, memo, {"Location": f"/v1/memos/{memo_id}"})

    return await once.answer(finish)


@router.delete(
    "/{memo_id}", operation_id="cancel_upload", summary="Cancel it", status_code=204, response_class=Response
)
async def cancel_upload(memo_id: UUID, uploads: ProvidedUploads, user_id: Tenant) -> Response:
    """Nothing of it is kept; 409 for one that is whole."""
    await uploads.cancel(user_id, memo_id)
    return Response(status_code=204)


async def create_upload(services: Services, uploads: Uploading, user_id: UUID, body: UploadStart) -> UploadView:
    """A recording under its client's name, as far as it came."""
    memo_id = upload_id(user_id, body.client_id)
    if body.act:
        await insist_on_credits(services, user_id, f"upload:{memo_id}")
    if await services.memos.get(user_id, memo_id) is None:
        await insist_on_room(services, user_id)
    new = NewUpload(
        memo_id=memo_id,
        form=body.form,
        captured_at=body.captured_at or datetime.now(UTC),
        timezone=body.timezone,
        act=body.act,
        wanted=UploadWanted(body.thread_id, body.strategy, body.speak),
    )
    return _view(await uploads.begin(user_id, new))


def upload_id(user_id: UUID, client_id: str) -> UUID:
    """The memo of a recording, by its client's name for it."""
    return uuid5(user_id, f"upload:{client_id}")


def _view(found: Upload | Memo) -> UploadView:
    if isinstance(found, Upload):
        return UploadView(
            id=found.memo_id,
            upload_offset=found.received,
            complete=False,
            state="receiving",
            act=found.act,
            captured_at=found.captured_at,
        )
    return UploadView(
        id=found.id,
        upload_offset=found.size,
        complete=True,
        state=found.state,
        act=None,
        captured_at=found.captured_at,
    )


def _headers(found: UploadView) -> dict[str, str]:
    complete = "?1" if found.complete else "?0"
    return {"Upload-Offset": str(found.upload_offset), "Upload-Complete": complete, "Cache-Control": "no-store"}


async def _pieces(request: Request) -> AsyncIterator[bytes]:
    waiting = bytearray()
    async for chunk in request.stream():
        waiting += chunk
        if len(waiting) >= PIECE:
            yield bytes(waiting)
            waiting.clear()
    if waiting:
        yield bytes(waiting)


async def _read_verified(request: Request, services: Services, digest: str) -> AsyncIterator[bytes]:
    """The whole body, once it is proven to be what was sent."""
    stated, most = DIGEST.search(digest), services.settings.max_body_bytes
    if stated is None:
        raise InvalidInput("Content-Digest: it has no sha-256.", hint="Send `sha-256=:<base64>:`, or leave it out.")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise TooLarge(f"A body with a Content-Digest has at most {most} bytes.", hint="Send it in smaller pieces.")
    try:
        wanted = base64.b64decode(stated[1], validate=True)
    except binascii.Error:
        wanted = b""
    if hashlib.sha256(body).digest() != wanted:
        raise InvalidInput("Content-Digest: the bytes that came are others.", hint="Send them again.")
    yield bytes(body)
