"""From a clip on disk to a transcript or an honest reason why not: the door to this package."""

from __future__ import annotations

import asyncio
from pathlib import Path

from app.errors import TooLarge
from app.settings import Settings
from app.speech.choice import choose
from app.speech.containers import Container, check_whole, sniff
from app.speech.decode import decode
from app.speech.engine import Clip, Engine, EngineStatus, SpeechFailed, Transcript, Transcription
from app.speech.remote import RemoteEngine
from app.speech.sphinx import SphinxEngine
from app.speech.whisper import WhisperEngine

NOBODY_SPEAKS = "Nobody speaks in this clip."


class SpeechService:
    """Transcribes one clip at a time, in child processes; the event loop stays free."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._whisper = WhisperEngine(settings)
        self._engines: tuple[Engine, ...] = (RemoteEngine(settings), self._whisper, SphinxEngine(settings))
        self._one_at_a_time = asyncio.Semaphore(1)

    async def check_upload(self, head: bytes, size: int) -> Container:
        """What a clip of ``size`` bytes is by its first ``HEAD_BYTES``; raises InvalidAudio or TooLarge."""
        if size > self._settings.max_audio_bytes:
            raise TooLarge(f"The clip has {size} bytes; {self._settings.max_audio_bytes} are accepted.")
        container = sniff(head)
        check_whole(head, size)
        return container

    async def transcribe(self, path: Path) -> Transcription:
        """Decode, gate and recognise one clip; what went wrong is an outcome, not an error."""
        async with self._one_at_a_time:
            try:
                clip = await decode(path, max_seconds=self._settings.max_audio_seconds)
            except SpeechFailed as failure:
                return _failed(failure, None)
            if clip.silent:
                return Transcription("expected_silence", reason=NOBODY_SPEAKS, duration_ms=clip.duration_ms)
            try:
                transcript = await self._recognise(clip)
            except SpeechFailed as failure:
                return _failed(failure, clip.duration_ms)
            return _ended(transcript, clip.duration_ms)

    def status(self) -> EngineStatus:
        """Which engine would transcribe now, why, and what better ones are missing."""
        return choose(self._engines, self._settings.transcriber)[1]

    async def close(self) -> None:
        """End every child."""
        await asyncio.gather(*(engine.close() for engine in self._engines))

    async def _recognise(self, clip: Clip) -> Transcript:
        if self._settings.transcriber in ("auto", "whisper") and self.status().engine in (None, "sphinx"):
            self._whisper.prepare()
        engine, status = choose(self._engines, self._settings.transcriber)
        if engine is None:
            reason = "; ".join([status.why, *status.missing])
            raise SpeechFailed("config_error", f"{reason}.", retryable=True)
        seconds = self._settings.transcription_timeout_seconds
        try:
            async with asyncio.timeout(seconds):
                return await engine.transcribe(clip)
        except TimeoutError as error:
            reason = f"{engine.name}: no transcript after {seconds:g} s."
            raise SpeechFailed("timeout", reason, retryable=True) from error


def _ended(transcript: Transcript, duration_ms: int) -> Transcription:
    if transcript.text:
        return Transcription("success", transcript, duration_ms=duration_ms)
    reason = f"{transcript.engine}: there is sound in this clip, but no words were understood."
    return Transcription("empty_unexpected", None, reason, retryable=True, duration_ms=duration_ms)


def _failed(failure: SpeechFailed, duration_ms: int | None) -> Transcription:
    return Transcription(failure.outcome, None, failure.reason, failure.retryable, duration_ms)
