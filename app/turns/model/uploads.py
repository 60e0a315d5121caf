"""Recordings that come in piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol
from uuid import UUID

from app.turns.model.turns import Strategy
from app.voice.model import NewMemo, SavedClip

UploadForm = Literal["file", "pcm16"]
"""The bytes of a file, or bare samples: 16 kHz, mono, 16 bits, little-endian."""


@dataclass(frozen=True)
class Wanted:
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
    wanted: Wanted = Wanted()


@dataclass(frozen=True)
class Upload:
    """A recording that is not whole yet; the first ``received`` bytes are on the disk."""

    memo_id: UUID
    form: UploadForm
    received: int
    act: bool
    wanted: Wanted
    captured_at: datetime
    timezone: str


@dataclass(frozen=True)
class Extended:
    """How many bytes there are now, and whether those that came were taken."""

    received: int
    taken: bool


class Uploads(Protocol):
    """What is known of recordings that are coming in."""

    async def begin(self, user_id: UUID, new: NewUpload) -> bool:
        """Keep a memo that is being received; False where there is a memo with this id."""

    async def get(self, user_id: UUID, memo_id: UUID) -> Upload | None:
        """One that is not whole yet."""

    async def extend(
        self, user_id: UUID, memo_id: UUID, offset: int, size: int, write: Callable[[], None]
    ) -> Extended | None:
        """Run ``write``, which makes ``size`` bytes at ``offset`` durable, if that is where the next belong.

        None where no more are taken at all.
        """

    async def close(self, user_id: UUID, memo_id: UUID) -> Upload | None:
        """Take no more bytes from here on; what there is."""

    async def finish(self, user_id: UUID, memo: NewMemo) -> None:
        """It is whole, and no turn waits for it: have it transcribed."""

    async def forget(self, user_id: UUID, memo_id: UUID, *, with_memo: bool = False) -> bool:
        """No longer one that comes in; ``with_memo`` forgets that there was any."""

    async def fail(self, user_id: UUID, memo_id: UUID, reason: str) -> None:
        """What came is kept as a memo that nothing can make words of."""

    async def idle(self, seconds: float, most: int) -> Sequence[tuple[UUID, UUID]]:
        """(user, memo) of all tenants for which nothing came in so long."""


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
