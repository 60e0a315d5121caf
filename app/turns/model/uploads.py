"""Recordings that come in piece by piece."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol
from uuid import UUID

from app.turns.model.turns import Strategy
from app.voice.model import SavedClip

UploadForm = Literal["file", "pcm16"]
"""The bytes of a file, or bare samples: 16 kHz, mono, 16 bits, little-endian."""


@dataclass(frozen=True)
class UploadWanted:
    """How a turn made of an upload is to be: where it belongs, what to do with earlier ones, and if it is spoken."""

    thread_id: UUID | None = None
    strategy: Strategy = "enqueue"
    speak: bool = False


@dataclass(frozen=True)
class NewUpload:
    """A recording that begins; ``timezone`` None means the user's own. With ``act`` its end is a turn."""

    memo_id: UUID
    form: UploadForm
    captured_at: datetime
    timezone: str | None
    act: bool
    wanted: UploadWanted = UploadWanted()


@dataclass(frozen=True)
class Upload:
    """A recording that is not whole yet; the first ``received`` bytes are on the disk."""

    memo_id: UUID
    form: UploadForm
    received: int
    act: bool
    wanted: UploadWanted
    captured_at: datetime
    timezone: str


@dataclass(frozen=True)
class Extended:
    """How many bytes there are now, and whether those that came were taken."""

    received: int
    taken: bool


class UploadFiles(Protocol):
    """The bytes of recordings that come in."""

    def extend(self, user_id: UUID, memo_id: UUID, offset: int, data: bytes) -> None:
        """Write bytes at an offset, durably; blocks."""

    def upload_path(self, user_id: UUID, memo_id: UUID) -> Path:
        """Where the bytes of one that is not whole lie."""

    async def head(self, user_id: UUID, memo_id: UUID) -> bytes:
        """The first bytes, empty where there is no file any more."""

    async def complete(self, user_id: UUID, memo_id: UUID, size: int, header: bytes = b"") -> SavedClip:
        """Make its first ``size`` bytes, after a ``header``, the clip of its memo; what came stays until ``drop``."""

    async def drop(self, user_id: UUID, memo_id: UUID) -> None:
        """Remove what came."""
