"""The port of every speech engine, and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from app.voice.model import Container, EngineName, Transcript, TranscriptionOutcome


@dataclass(frozen=True, slots=True)
class Clip:
    """A decoded clip: where its bytes lie, what they are, and its sound (16 kHz mono s16le).

    One that ``breaks_off`` has lost its end: its sound is what can be read.
    """

    path: Path
    container: Container
    pcm: bytes
    duration_ms: int
    breaks_off: bool = False


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """Which engine would transcribe now and why; ``missing`` has a sentence per better engine that cannot run."""

    engine: EngineName | None
    why: str
    missing: list[str]


class SpeechFailed(Exception):  # noqa: N818 - an outcome, told apart by its word
    """A clip that got no transcript: the outcome, the reason for people, and whether trying again can help."""

    def __init__(self, outcome: TranscriptionOutcome, reason: str, *, retryable: bool = False) -> None:
        super().__init__(reason)
        self.outcome: TranscriptionOutcome = outcome
        self.reason = reason
        self.retryable = retryable


class Engine(Protocol):
    """One way to turn sound into words."""

    @property
    def name(self) -> EngineName: ...

    def missing(self) -> str | None:
        """What this engine lacks to run here, as a sentence; None when it can run."""

    @property
    def takes_whole_clips(self) -> bool:
        """Whether it reads the file itself, however long; else it gets at most 30 s of sound at a time."""

    @property
    def model(self) -> str:
        """The model it would use, for people."""

    def prepare(self) -> None:
        """Begin what takes long before the first clip, in the background."""

    async def transcribe(self, clip: Clip, prompt: str = "") -> Transcript:
        """The final transcript (its text may be empty), with words likely in it; raises SpeechFailed."""

    async def close(self) -> None:
        """Free what the engine holds; it may be used again."""
