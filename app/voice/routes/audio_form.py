"""The multipart form of a voice turn: one clip named ``audio`` beside the fields of a text turn."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from fastapi import Request
from pydantic import BaseModel, ValidationError
from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from app.errors import InvalidInput, Malformed, UnsupportedMedia
from app.http.bodies import check_storable, media_type
from app.http.problems import invalid

Fields = TypeVar("Fields", bound=BaseModel)
CHUNK = 256 * 1024
HEAD = 4096
MOST_FIELDS = 10
LARGEST_FIELD = 16 * 1024
FORM = "Send JSON in UTF-8, or multipart/form-data with a file named audio."


@asynccontextmanager
async def read_form(request: Request) -> AsyncIterator[FormData]:
    """The parsed form; its clip lies in a temporary file until the context ends. Raises UnsupportedMedia, Malformed."""
    if media_type(request) != "multipart/form-data":
        raise UnsupportedMedia("A recording is sent as multipart/form-data.", hint="Send its clip as a file.")
    parser = MultiPartParser(
        request.headers, request.stream(), max_files=1, max_fields=MOST_FIELDS, max_part_size=LARGEST_FIELD
    )
    try:
        yield await parser.parse()
    except MultiPartException as error:
        raise Malformed(error.message, hint="Send the whole form again; perhaps it was cut short.") from None
    finally:
        # The form names finished files only; one whose upload broke off would stay open.
        for file in parser._files_to_close_on_error:  # noqa: SLF001
            file.close()


def clip_of(form: FormData) -> UploadFile:
    """The clip of a form; raises InvalidInput when there is none, or an empty one."""
    clip = form.get("audio")
    if not isinstance(clip, UploadFile):
        raise InvalidInput("The form has no file named audio; was the upload cut short?", errors=_audio("is missing"))
    if not clip.size:
        raise InvalidInput("The clip is empty (0 bytes).", errors=_audio("is empty"))
    return clip


def fields_of(form: FormData, kind: type[Fields], clip: str = "audio") -> Fields:
    """The form's other fields; raises InvalidInput."""
    fields: dict[str, Any] = {name: value for name, value in form.multi_items() if name != clip}
    if "text" in fields:
        raise InvalidInput("A form carries a clip; its words are transcribed.", hint="Send text as application/json.")
    if any(isinstance(value, UploadFile) for value in fields.values()):
        raise InvalidInput(f"The form may hold one file, named {clip}.")
    check_storable(fields)
    try:
        return kind.model_validate_strings(fields)  # a form has nothing but text: "true" is a yes there
    except ValidationError as error:
        raise invalid([{**item, "loc": ("body", *item["loc"])} for item in error.errors()]) from error


async def head_of(clip: UploadFile) -> bytes:
    """The first bytes, which prove the container."""
    head = await clip.read(HEAD)
    await clip.seek(0)
    return head


async def chunks_of(clip: UploadFile) -> AsyncIterator[bytes]:
    """The whole clip, piece by piece."""
    while piece := await clip.read(CHUNK):
        yield piece


async def sha256_of(clip: UploadFile) -> bytes:
    """The digest of the whole clip."""
    digest = hashlib.sha256()
    async for piece in chunks_of(clip):
        digest.update(piece)
    return digest.digest()


def _audio(message: str) -> list[dict[str, str]]:
    return [{"field": "audio", "message": message}]
