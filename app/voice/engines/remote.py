"""Any OpenAI-compatible ``/audio/transcriptions``: sends the clip as it was recorded."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
from pydantic import BaseModel, Field, ValidationError

from app.settings import Settings
from app.voice.engines.confidence import from_logprob, overall
from app.voice.engines.engine import Clip, SpeechFailed
from app.voice.model import EngineName, Segment, Transcript
from app.voice.speech.wave_file import as_wav

ONLY_HERE = frozenset({"aac", "caf", "amr", "aiff"})
ATTEMPTS = 3
BACKOFF_SECONDS = 1.2
LONGEST_BACKOFF_SECONDS = 30.0
CONFIGURATION = {401: "it refuses the key", 403: "it refuses the key", 404: "it has no such address or model"}
PASSING = {408, 409, 429}
SHOWN_CHARS = 200


class _HeardSegment(BaseModel):
    start: float = Field(ge=0, allow_inf_nan=False)
    end: float = Field(ge=0, allow_inf_nan=False)
    text: str
    avg_logprob: float | None = Field(None, allow_inf_nan=False)
    no_speech_prob: float = Field(0.0, ge=0, le=1)

    def segment(self, duration_ms: int) -> Segment:
        start, end = (min(round(second * 1000), duration_ms) for second in (self.start, self.end))
        sure = None if self.avg_logprob is None else from_logprob(self.avg_logprob, self.no_speech_prob)
        return Segment(start, end, self.text.strip(), sure)


class _Heard(BaseModel):
    text: str
    language: str | None = None
    segments: list[_HeardSegment] | None = None


@dataclass(frozen=True)
class SpeechServer:
    """Where clips are sent, the name of the model there, and the key, which is in no repr."""

    base_url: str
    model: str
    api_key: str = field(default="", repr=False)


def named_by(settings: Settings) -> SpeechServer:
    """The server of the settings; its address is empty where they name none."""
    key = settings.transcription_api_key
    return SpeechServer(
        settings.transcription_base_url or "", settings.transcription_model, key.get_secret_value() if key else ""
    )


class RemoteEngine:
    """Asks a server, that of the settings if none is given; what passes by itself is tried three times in all."""

    name: EngineName = "remote"
    takes_whole_clips = True

    def __init__(
        self,
        settings: Settings,
        server: SpeechServer | None = None,
        *,
        backoff_seconds: float = BACKOFF_SECONDS,
        pausing: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._settings = settings
        self._server = server or named_by(settings)
        self._backoff_seconds = backoff_seconds
        self._pausing = pausing
        self._client: httpx.AsyncClient | None = None

    def missing(self) -> str | None:
        """Only an address is needed; a key is the server's business."""
        return None if self._server.base_url else "remote: SUMMIT_TRANSCRIPTION_BASE_URL is not set"

    @property
    def model(self) -> str:
        """Its name at the server."""
        return self._server.model

    def prepare(self) -> None:
        """Nothing: the server is ready, or is not."""

    async def transcribe(self, clip: Clip, prompt: str = "") -> Transcript:
        """Upload the clip and read ``verbose_json``."""
        name, sound = await asyncio.to_thread(_upload, clip)
        for attempt in range(ATTEMPTS):
            try:
                return self._transcript(_parse_response(await self._post(name, sound, prompt)), clip)
            except _Passing as failure:
                if attempt == ATTEMPTS - 1:
                    raise SpeechFailed("upstream_error", str(failure), retryable=True) from failure
                await self._pausing(failure.retry_after or self._backoff_seconds * 2**attempt)
        raise AssertionError("the last attempt returns or raises")

    async def close(self) -> None:
        """Close the connections."""
        if self._client:
            await self._client.aclose()
            self._client = None

    async def _post(self, name: str, sound: bytes, prompt: str) -> httpx.Response:
        try:
            return await self._get_client().post(
                "audio/transcriptions",
                data=self._fields(prompt),
                files={"file": (name, sound)},
                headers=self._headers(),
            )
        except httpx.ConnectTimeout as error:
            raise _Passing("remote: the server cannot be reached in time.") from error
        except httpx.TimeoutException as error:
            raise SpeechFailed("timeout", "remote: the server did not answer in time.", retryable=True) from error
        except (httpx.UnsupportedProtocol, httpx.InvalidURL, ValueError) as error:
            raise SpeechFailed("config_error", f"remote: the address cannot be used ({error}).") from error
        except httpx.TransportError as error:
            raise _Passing(f"remote: the connection failed ({error or type(error).__name__}).") from error

    def _get_client(self) -> httpx.AsyncClient:
        if self._client is None:
            seconds = httpx.Timeout(self._settings.transcription_timeout_seconds, connect=10.0)
            self._client = httpx.AsyncClient(base_url=self._server.base_url, timeout=seconds)
        return self._client

    def _fields(self, prompt: str) -> dict[str, str]:
        fields = {"model": self._server.model, "response_format": "verbose_json"}
        language = self._settings.spoken_language.split("-")[0]
        more = {"language": language, "prompt": prompt}
        return fields | {name: value for name, value in more.items() if value}

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._server.api_key}"} if self._server.api_key else {}

    def _transcript(self, heard: _Heard, clip: Clip) -> Transcript:
        text, end = heard.text.strip(), clip.duration_ms
        segments = [part.segment(end) for part in heard.segments or [] if part.text.strip()]
        if text and not segments:
            segments = [Segment(0, end, text, None)]
        return Transcript(text, heard.language, segments, self.name, overall(segments))


class _Passing(Exception):  # noqa: N818 - it may pass by itself
    def __init__(self, reason: str, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.retry_after = retry_after


def _upload(clip: Clip) -> tuple[str, bytes]:
    """The clip as it is sent: as it came, but for what servers of OpenAI's protocol do not take, or may not read."""
    if clip.breaks_off or clip.container in ONLY_HERE:
        return "clip.wav", as_wav(clip.pcm)
    name = "clip.m4a" if clip.container == "mp4" else f"clip.{clip.container}"
    return name, clip.path.read_bytes()


def _parse_response(response: httpx.Response) -> _Heard:
    status = response.status_code
    if status in CONFIGURATION:
        raise SpeechFailed("config_error", f"remote: {CONFIGURATION[status]} ({status}: {_error_message(response)}).")
    if status in PASSING or response.is_server_error:
        raise _Passing(f"remote: the server answered {status} ({_error_message(response)}).", _retry_after(response))
    if not response.is_success:
        raise SpeechFailed("upstream_error", f"remote: the server answered {status} ({_error_message(response)}).")
    try:
        return _Heard.model_validate_json(response.content)
    except ValidationError as error:
        kind = response.headers.get("Content-Type", "no content type")
        raise _Passing(f"remote: the server's answer is no transcript ({kind}).") from error


def _retry_after(response: httpx.Response) -> float | None:
    value = response.headers.get("Retry-After", "")
    return min(float(value), LONGEST_BACKOFF_SECONDS) if re.fullmatch(r"\d{1,9}", value) else None


def _error_message(response: httpx.Response) -> str:
    """The server's own message, short and on one line."""
    try:
        document: Any = response.json()
    except ValueError:
        return response.reason_phrase or "no reason"
    error = document.get("error") if isinstance(document, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    return " ".join(str(message or response.reason_phrase).split())[:SHOWN_CHARS]
