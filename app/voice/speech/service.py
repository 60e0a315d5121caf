"""From a clip on disk to a transcript or an honest reason why not: the door to this package."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

from app.database.model import ReadyCheck
from app.errors import InvalidInput, TooLarge
from app.principal import EVERYBODY, Principal, acting_as
from app.settings import Settings
from app.voice.engines.choice import choose
from app.voice.engines.confidence import overall
from app.voice.engines.engine import Clip, Engine, EngineStatus, SpeechFailed
from app.voice.engines.faster_whisper import FasterWhisperEngine
from app.voice.engines.remote import RemoteEngine, SpeechServer
from app.voice.engines.whisper import WhisperEngine
from app.voice.model import Container, Segment, SoFar, Transcript, Transcription
from app.voice.speech.containers import WAV_HEADER_BYTES, check_whole, sniff
from app.voice.speech.decode import decode
from app.voice.speech.limits import MOST_MS_AT_ONCE, milliseconds
from app.voice.speech.silence import Span, cut, pieces, spoken_spans
from app.voice.speech.spelling import readable_times
from app.voice.speech.wave_file import as_wav

Registered = Callable[[], Awaitable[SpeechServer | None]]
"""The server that the acting user chose, if any; raises SpeechFailed."""

NOBODY_SPEAKS = "Nobody speaks in this clip."
NO_WORDS = "there is sound in this clip, but no words were understood."


class SpeechService:
    """Transcribes in child processes; the event loop stays free."""

    def __init__(self, settings: Settings, registered: Registered | None = None) -> None:
        self._settings = settings
        self._registered = registered
        self._local = FasterWhisperEngine(settings)
        self._whisper = WhisperEngine(settings)
        self._engines: tuple[Engine, ...] = (RemoteEngine(settings), self._local, self._whisper)
        self._one_decoder = asyncio.Semaphore(1)
        self._one_excerpt = asyncio.Semaphore(1)

    async def check_upload(self, head: bytes, size: int, *, whole: bool = False) -> Container:
        """What a clip of ``size`` bytes is by its first ``HEAD_BYTES``; raises InvalidAudio or TooLarge."""
        if size > self._settings.max_audio_bytes:
            raise TooLarge(f"The clip has {size} bytes; {self._settings.max_audio_bytes} are accepted.")
        container = sniff(head)
        if whole or size <= WAV_HEADER_BYTES:  # of one without sound nothing can be heard later either
            check_whole(head, size)
        if self._settings.workers_in_process:
            self.prepare()
        return container

    async def excerpt(self, path: Path, start_ms: int, end_ms: int) -> bytes:
        """That part of a clip as a wav file; raises InvalidInput where it has no such part."""
        try:
            async with self._one_excerpt:
                clip = await decode(path, max_seconds=self._settings.max_audio_seconds)
        except SpeechFailed as failure:
            raise InvalidInput(failure.reason) from failure
        if start_ms >= clip.duration_ms:
            raise InvalidInput(f"This recording ends after {clip.duration_ms} ms.")
        return as_wav(cut(clip.pcm, (start_ms, end_ms)))

    def prepare(self) -> None:
        """A clip is on its way: begin what its transcription needs."""
        engine = choose(self._engines, self._settings.transcriber)[0]
        if engine:
            engine.prepare()

    async def transcribe(self, path: Path, prompt: str = "", so_far: SoFar | None = None) -> Transcription:
        """Decode, gate and recognise one clip; what went wrong is an outcome, not an error.

        A clip of several pieces tells ``so_far`` what it has after each but the last; see app.voice.model.Transcriber.
        """
        self.prepare()
        try:
            async with self._one_decoder:
                clip = await decode(path, max_seconds=self._settings.max_audio_seconds)
        except SpeechFailed as failure:
            return _as_failed_transcription(failure, None)
        try:
            spans = await spoken_spans(await self._local.process(), clip.pcm)
            if not spans:
                return Transcription("expected_silence", reason=NOBODY_SPEAKS, duration_ms=clip.duration_ms)
            return _as_transcription(await self._recognise(clip, spans, prompt, so_far), clip)
        except SpeechFailed as failure:
            return _as_failed_transcription(failure, clip.duration_ms)

    def status(self) -> EngineStatus:
        """Which engine would transcribe now by the settings, why, and what better ones are missing."""
        return choose(self._engines, self._settings.transcriber)[1]

    async def check(self) -> ReadyCheck:
        """Who hears the clips of everybody who has not chosen another server; without an engine Summit is as ready."""
        status = await self._status_for_everybody()
        return ReadyCheck("speech", ok=True, detail="; ".join([status.why, *status.missing]))

    async def close(self) -> None:
        """End every child."""
        await asyncio.gather(*(engine.close() for engine in self._engines))

    async def _recognise(self, clip: Clip, spans: list[Span], prompt: str, so_far: SoFar | None) -> Transcript:
        server = await self._chosen_server()
        if server:
            return await self._by_server(server, clip, prompt)
        if self._settings.transcriber in ("auto", "whisper") and self.status().engine is None:
            self._whisper.prepare()
        engine, status = choose(self._engines, self._settings.transcriber)
        if engine is None:
            reason = "; ".join([status.why, *status.missing])
            raise SpeechFailed("config_error", f"{reason}.", retryable=True)
        if engine.takes_whole_clips:
            return _with_readable_times(await self._in_time(engine, clip, prompt))
        heard: list[Transcript] = []
        parts = list(pieces(spans, MOST_MS_AT_ONCE))
        for piece in parts:
            heard.append(await self._transcribe_piece(engine, clip, piece, prompt))
            if so_far and len(heard) < len(parts):
                await so_far(_with_readable_times(_together(heard)).segments, clip.duration_ms)
        return _with_readable_times(_together(heard))

    async def _chosen_server(self) -> SpeechServer | None:
        """The user's own choice counts unless the settings force another engine, or none."""
        if self._registered is None or self._settings.transcriber not in ("auto", "remote"):
            return None
        return await self._registered()

    async def _status_for_everybody(self) -> EngineStatus:
        try:
            with acting_as(Principal(EVERYBODY)):
                server = await self._chosen_server()
        except SpeechFailed as failure:
            return EngineStatus(None, failure.reason.rstrip("."), [])
        if server is None:
            return self.status()
        return EngineStatus("remote", f"remote with {server.model}: chosen by the administrator for everybody", [])

    async def _by_server(self, server: SpeechServer, clip: Clip, prompt: str) -> Transcript:
        engine = RemoteEngine(self._settings, server)
        try:
            return _with_readable_times(await self._in_time(engine, clip, prompt))
        finally:
            await engine.close()

    async def _transcribe_piece(self, engine: Engine, clip: Clip, piece: Span, prompt: str) -> Transcript:
        pcm = cut(clip.pcm, piece)
        heard = await self._in_time(engine, replace(clip, pcm=pcm, duration_ms=milliseconds(pcm)), prompt)
        return replace(heard, segments=[_later(segment, piece[0]) for segment in heard.segments])

    async def _in_time(self, engine: Engine, clip: Clip, prompt: str) -> Transcript:
        seconds = self._settings.transcription_timeout_seconds
        try:
            async with asyncio.timeout(seconds):
                return await engine.transcribe(clip, prompt)
        except TimeoutError as error:
            reason = f"{engine.name}: no transcript after {seconds:g} s."
            raise SpeechFailed("timeout", reason, retryable=True) from error


def _later(segment: Segment, ms: int) -> Segment:
    words = tuple((start + ms, end + ms, text) for start, end, text in segment.words)
    return replace(segment, start_ms=segment.start_ms + ms, end_ms=segment.end_ms + ms, words=words)


def _with_readable_times(heard: Transcript) -> Transcript:
    segments = [replace(segment, text=readable_times(segment.text)) for segment in heard.segments]
    return replace(heard, text=readable_times(heard.text), segments=segments)


def _together(heard: list[Transcript]) -> Transcript:
    segments = [segment for part in heard for segment in part.segments]
    text = " ".join(part.text for part in heard if part.text)
    return replace(heard[0], text=text, segments=segments, confidence=overall(segments))


def _as_transcription(transcript: Transcript, clip: Clip) -> Transcription:
    duration_ms = clip.duration_ms
    if transcript.text:
        return Transcription("success", transcript, duration_ms=duration_ms, breaks_off=clip.breaks_off)
    return Transcription(
        "empty_unexpected", None, f"{transcript.engine}: {NO_WORDS}", retryable=True, duration_ms=duration_ms
    )


def _as_failed_transcription(failure: SpeechFailed, duration_ms: int | None) -> Transcription:
    return Transcription(failure.outcome, None, failure.reason, failure.retryable, duration_ms)
