"""Who speaks replies: the server that its user chose, else a voice on this machine; the door to this package."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from app.database.model import ReadyCheck
from app.settings import Settings
from app.voice.engines.engine import SpeechFailed
from app.voice.engines.remote import SpeechServer
from app.voice.model import CannotSpeak, SpokenForm
from app.voice.saying import remote
from app.voice.saying.piper import Piper

Registered = Callable[[], Awaitable[SpeechServer | None]]
"""The server that the acting user chose, if any; raises SpeechFailed."""
OFF = "spoken replies are switched off (SUMMIT_VOICE=none)"


class VoiceService:
    """See app.voice.model.Voice."""

    def __init__(self, settings: Settings, registered: Registered) -> None:
        self._settings = settings
        self._registered = registered
        path = "" if settings.voice in ("auto", "none") else settings.voice
        self._piper = Piper(path, settings.voice_timeout_seconds)

    async def speak(self, text: str, form: SpokenForm, *, speed: float = 1.0, voice: str = "") -> bytes:
        """See app.voice.model.Voice."""
        if self._settings.voice == "none":
            raise CannotSpeak(OFF)
        try:
            server = await self._registered() if self._settings.voice == "auto" else None
        except SpeechFailed as failure:
            raise CannotSpeak(failure.reason, retryable=failure.retryable) from failure
        if server:
            name, seconds = voice or self._settings.voice_name, self._settings.voice_timeout_seconds
            return await remote.speak(server, text, form, speed=speed, voice=name, seconds=seconds)
        if lack := self._piper.missing():
            raise CannotSpeak(lack)
        return await self._piper.speak(text, form, speed)

    def check(self) -> ReadyCheck:
        """Who speaks here; a user's own choice of a server comes first. Without a voice Summit is as ready."""
        lack = OFF if self._settings.voice == "none" else self._piper.missing()
        return ReadyCheck("spoken replies", ok=True, detail=lack or "piper speaks on this machine")

    async def close(self) -> None:
        """End the process of the voice."""
        await self._piper.close()
