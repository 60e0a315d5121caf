"""Sound and words: recordings to words as memos become words, and words to sound; nothing is kept."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path
from typing import Any, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.datastructures import UploadFile
from starlette.responses import JSONResponse, PlainTextResponse

from app.errors import InvalidInput, Unavailable
from app.http.bodies import read_json
from app.http.deps import Provided, Services, Tenant
from app.http.limits import take_larger_body
from app.http.problems import invalid
from app.turns.routes.spoken import speech_response
from app.voice.model import SpokenForm, Transcript, Transcription
from app.voice.routes.allowance import insist_on_room
from app.voice.routes.audio_form import fields_of, head_of, read_form
from app.voice.routes.transcript_formats import as_srt, as_vtt

router = APIRouter(prefix="/v1/audio", include_in_schema=False)
PROMPT_CHARS = 1000


class SpeechRequest(BaseModel):
    """Words to speak. `model` and `voice` are for a server that was chosen for speech; the local voice has one."""

    model_config = ConfigDict(extra="ignore", strict=True)

    input: str = Field(min_length=1)
    model: str = Field("tts-1", max_length=200)
    voice: str = Field("", max_length=200)
    response_format: SpokenForm = "mp3"
    speed: float = Field(1.0, ge=0.25, le=4.0)
    stream_format: Literal["audio"] = "audio"


class TranscriptionForm(BaseModel):
    """What goes with a recording. `model`, `language` and `temperature` are taken; the server's engine decides."""

    model_config = ConfigDict(extra="ignore")

    model: str = Field("whisper-1", max_length=200)
    response_format: Literal["json", "text", "srt", "vtt", "verbose_json"] = "json"
    prompt: str = Field("", max_length=PROMPT_CHARS)
    stream: Literal["false", "False"] = "false"


@router.post("/transcriptions")
@take_larger_body(lambda settings: settings.max_audio_bytes, form=True)
async def transcribe(request: Request, services: Provided, user_id: Tenant) -> Response:
    """The words of one recording, in the form that is asked for; its minutes count like those of a memo."""
    async with read_form(request) as form:
        clip = form.get("file")
        if not isinstance(clip, UploadFile) or not clip.size:
            raise InvalidInput("file: the form has no recording named file, or an empty one.")
        wanted = fields_of(form, TranscriptionForm, "file")
        await services.speech.check_upload(await head_of(clip), clip.size)
        await insist_on_room(services, user_id)
        heard = await _transcribe_clip(services, clip, wanted.prompt)
    if heard.duration_ms:
        await services.memos.count_transcription(user_id, heard.duration_ms)
    return _answer(heard, wanted.response_format)


@router.post("/speech")
async def speak(request: Request, services: Provided, _user_id: Tenant) -> Response:
    """The words as sound."""
    try:
        asked = SpeechRequest.model_validate(await read_json(request))
    except ValidationError as error:
        raise invalid([{**item, "loc": ("body", *item["loc"])} for item in error.errors()]) from error
    most = services.settings.max_speech_chars
    if len(asked.input) > most:
        raise InvalidInput(f"input: it has {len(asked.input)} characters; {most} are spoken at once.")
    return await speech_response(services, asked.input, asked.response_format, speed=asked.speed, voice=asked.voice)


async def _transcribe_clip(services: Services, clip: UploadFile, prompt: str) -> Transcription:
    folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="summit-clip-"))
    try:
        path = folder / "clip"
        await asyncio.to_thread(_copy, clip, path)
        return await services.speech.transcribe(path, prompt)
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


def _copy(clip: UploadFile, path: Path) -> None:
    with path.open("wb") as file:
        shutil.copyfileobj(clip.file, file)


def _answer(heard: Transcription, form: str) -> Response:
    words = heard.transcript
    if words is None and heard.outcome != "expected_silence":
        if heard.retryable:
            raise Unavailable(heard.reason)
        raise InvalidInput(heard.reason)
    if form == "text":
        return PlainTextResponse(f"{words.text if words else ''}\n")
    if form in ("srt", "vtt"):
        return PlainTextResponse((as_srt if form == "srt" else as_vtt)(words.segments if words else []))
    return JSONResponse(_verbose(heard, words) if form == "verbose_json" else {"text": words.text if words else ""})


def _verbose(heard: Transcription, words: Transcript | None) -> dict[str, Any]:
    segments = [
        {"id": number, "start": one.start_ms / 1000, "end": one.end_ms / 1000, "text": one.text}
        for number, one in enumerate(words.segments if words else [])
    ]
    return {
        "task": "transcribe",
        "language": (words.language if words else None) or "",
        "duration": (heard.duration_ms or 0) / 1000,
        "text": words.text if words else "",
        "segments": segments,
    }
