"""Voice: clips, memos and what turns them into words."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, Protocol
from uuid import UUID

MemoState = Literal["receiving", "received", "transcribing", "transcribed", "indexed", "acted", "needs_you", "failed"]
Container = Literal["wav", "flac", "ogg", "webm", "mp4", "mp3", "aac", "caf", "amr", "aiff"]
ACCEPTED = "wav, flac, ogg, webm, m4a/mp4, mp3, aac, caf, amr or aiff"
"""The same in words, for everybody who is told which recordings may be sent."""
TranscriptionOutcome = Literal[
    "success", "expected_silence", "empty_unexpected", "timeout", "upstream_error", "config_error", "invalid_input"
]


@dataclass(frozen=True)
class NewMemo:
    """A clip that was saved: where its bytes came from and how many there are; ``timezone`` None means its turn's.

    ``title`` and ``external_id`` are its user's own.
    """

    id: UUID
    container: str
    size: int
    sha256: bytes
    captured_at: datetime
    timezone: str | None
    title: str = ""
    external_id: str | None = None


@dataclass(frozen=True)
class Memo:
    """A voice memo and what became of it."""

    id: UUID
    title: str
    transcript: str | None
    language: str | None
    segments: list[dict[str, Any]]
    engine: str | None
    confidence: float | None
    captured_at: datetime
    timezone: str
    state: MemoState
    reason: str | None
    retryable: bool
    tries: int
    turn_id: UUID | None
    container: str
    size: int
    duration_ms: int | None
    created_at: datetime
    updated_at: datetime
    external_id: str | None = None
    transcript_id: UUID | None = None
    tags: list[str] = field(default_factory=list)
    outcome: TranscriptionOutcome | None = None

    @property
    def edited(self) -> bool:
        """Whether its words are its user's own, and no engine may replace them."""
        return self.transcript_id is not None


@dataclass(frozen=True)
class TextMemo:
    """A memo that was written, now if not at another time; an empty title means the first words.

    ``timezone`` None means the user's own. What is not stated of a memo that is there stays.
    """

    id: UUID
    transcript: str
    captured_at: datetime | None = None
    timezone: str | None = None
    title: str = ""
    external_id: str | None = None


@dataclass(frozen=True)
class MemoEdit:
    """What a user corrects in a memo; None stays as it is."""

    transcript: str | None = None
    title: str | None = None
    captured_at: datetime | None = None
    timezone: str | None = None


@dataclass(frozen=True)
class MemoVersion:
    """The words of a memo at one time; ``id`` is None while the engine's own were never replaced."""

    id: UUID | None
    transcript: str
    segments: list[dict[str, Any]]
    created_at: datetime
    current: bool


@dataclass(frozen=True)
class SpeechUse:
    """The recordings of a user's last 24 hours: minutes that were decoded, and how many are coming in or wait."""

    minutes: float
    waiting: int


@dataclass(frozen=True)
class SavedClip:
    """Bytes that survive a power cut; ``head`` has the first ones, for telling what they are."""

    path: Path
    size: int
    sha256: bytes
    head: bytes = b""


class Clips(Protocol):
    """The folder of audio clips; bytes are durable before ``save`` returns."""

    async def save(self, user_id: UUID, memo_id: UUID, chunks: AsyncIterator[bytes], max_bytes: int) -> SavedClip:
        """Keep a clip; raises TooLarge beyond ``max_bytes`` and leaves nothing behind then."""

    def path(self, user_id: UUID, memo_id: UUID) -> Path:
        """Where the clip of a memo lies."""

    async def delete(self, user_id: UUID, memo_id: UUID) -> None:
        """Forget a clip; one that is not there is fine."""

    async def drop_parts(self) -> int:
        """Remove what a server left that died while a clip came in; how many there were."""


class SpeechGate(Protocol):
    """What the door asks about speech before it accepts a clip."""

    async def check_upload(self, head: bytes, size: int, *, whole: bool = False) -> str:
        """The container that the first bytes prove; raises InvalidInput for anything that is no clip.

        Where it has to be ``whole``, one whose header promises more than ``size`` bytes is refused, too.
        """


EngineName = Literal["remote", "faster-whisper", "whisper"]

Word = tuple[int, int, str]
"""When a word begins and ends, in milliseconds, and how it is spelled."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A sentence-sized part of a transcript; confidence is 0 to 1, None when the engine does not say.

    ``words`` are its words with their times, where the engine tells them.
    """

    start_ms: int
    end_ms: int
    text: str
    confidence: float | None
    words: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class Transcript:
    """What was said, by which engine; ``language`` is a code such as ``en``, None when the engine does not say."""

    text: str
    language: str | None
    segments: list[Segment]
    engine: EngineName
    confidence: float | None

    def may_act(self, min_confidence: float) -> bool:
        """Whether a turn may act on this transcript without asking first; unknown confidence is no obstacle."""
        return self.confidence is None or self.confidence >= min_confidence


@dataclass(frozen=True, slots=True)
class Transcription:
    """How one attempt ended; ``transcript`` is set for success alone, ``reason`` is a sentence for people otherwise.

    ``breaks_off`` says that the end of the recording is missing.
    """

    outcome: TranscriptionOutcome
    transcript: Transcript | None = None
    reason: str = ""
    retryable: bool = False
    duration_ms: int | None = None
    breaks_off: bool = False


SoFar = Callable[[Sequence[Segment], int], Awaitable[None]]
"""Takes the segments that are heard, while more are to come, and the milliseconds of the whole clip."""


class Transcriber(Protocol):
    """Turns a clip on disk into words."""

    async def transcribe(self, path: Path, prompt: str = "", so_far: SoFar | None = None) -> Transcription:
        """Decode, gate and recognise one clip with words likely in it; what went wrong is an outcome, not an error."""


SpokenForm = Literal["mp3", "opus", "aac", "flac", "wav", "pcm"]


class CannotSpeak(Exception):  # noqa: N818 - the state it is in
    """Nothing spoke the words; the reason is for people, and ``retryable`` says whether it may pass by itself."""

    def __init__(self, reason: str, *, retryable: bool = False) -> None:
        super().__init__(reason)
        self.retryable = retryable


class Voice(Protocol):
    """Speaks words aloud."""

    async def speak(self, text: str, form: SpokenForm, *, speed: float = 1.0, voice: str = "") -> bytes:
        """The words as the bytes of a sound file; ``voice`` is a name that a server may know. Raises CannotSpeak."""


@dataclass(frozen=True)
class LiveEvent:
    """What is noticed while somebody speaks, ``ms`` after the sound began; ``stable`` words no longer change."""

    kind: Literal["started", "partial", "ended"]
    ms: int
    text: str = ""
    stable: str = ""


class Listening(Protocol):
    """One open microphone."""

    async def feed(self, pcm: bytes) -> None:
        """More sound: 16 kHz, mono, 16 bits, little-endian."""

    def events(self) -> AsyncGenerator[LiveEvent]:
        """What is noticed, until the iterator is closed."""
