"""The folder of recordings: bytes are on the disk before anyone is told that they were received."""

from __future__ import annotations

import asyncio
import hashlib
import os
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import IO
from uuid import UUID, uuid4

from app.errors import TooLarge
from app.voice.model import SavedClip
from app.voice.speech.containers import HEAD_BYTES

PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600
CHUNK = 1024 * 1024
ABANDONED_SECONDS = 24 * 3600
"""No clip takes so long to come in."""


class ClipFolder:
    """One private folder per user, one file per memo."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, user_id: UUID, memo_id: UUID) -> Path:
        """Where this memo's recording lies, or would."""
        return self._folder / str(user_id) / str(memo_id)

    async def save(self, user_id: UUID, memo_id: UUID, chunks: AsyncIterator[bytes], max_bytes: int) -> SavedClip:
        """Store a recording durably, whole or not at all; raises TooLarge above ``max_bytes``."""
        final = self.path(user_id, memo_id)
        part = final.with_name(f".{memo_id}.{uuid4().hex}.part")
        file = await asyncio.to_thread(self._create, part)
        try:
            with file:
                size, sha256, head = await _write(file, chunks, max_bytes)
            await asyncio.to_thread(_publish, part, final)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        return SavedClip(final, size, sha256, head)

    async def delete(self, user_id: UUID, memo_id: UUID) -> None:
        """Remove a recording, if it is there."""
        await asyncio.to_thread(self.path(user_id, memo_id).unlink, missing_ok=True)

    async def drop_parts(self) -> int:
        """Remove what a server left that died while a clip came in; how many there were."""
        return await asyncio.to_thread(_drop_parts, self._folder, time.time() - ABANDONED_SECONDS)

    def extend(self, user_id: UUID, memo_id: UUID, offset: int, data: bytes) -> None:
        """Write more of a recording that comes in, durably; blocks."""
        path = self.upload_path(user_id, memo_id)
        fresh = not path.exists()
        if fresh:
            self._make_folder(path.parent)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, PRIVATE_FILE)
        try:
            written = 0
            while written < len(data):
                written += os.pwrite(descriptor, data[written:], offset + written)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if fresh:
            _flush_folder(path.parent)

    async def head(self, user_id: UUID, memo_id: UUID) -> bytes:
        """The first bytes of what came in; empty where it is a clip already, or nothing."""
        return await asyncio.to_thread(_first_bytes, self.upload_path(user_id, memo_id))

    async def complete(self, user_id: UUID, memo_id: UUID, size: int, header: bytes = b"") -> SavedClip:
        """Make the first ``size`` bytes that came in, after a ``header``, the clip of a memo."""
        pieces = _chunks(header, self.upload_path(user_id, memo_id), size)
        return await self.save(user_id, memo_id, pieces, size + len(header))

    async def drop(self, user_id: UUID, memo_id: UUID) -> None:
        """Remove what came in."""
        await asyncio.to_thread(self.upload_path(user_id, memo_id).unlink, missing_ok=True)

    def upload_path(self, user_id: UUID, memo_id: UUID) -> Path:
        """Where the bytes of a recording lie that is not whole yet."""
        return self.path(user_id, memo_id).with_name(f".{memo_id}.upload")

    def _create(self, part: Path) -> IO[bytes]:
        self._make_folder(part.parent)
        return os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE), "wb")

    def _make_folder(self, folder: Path) -> None:
        self._folder.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
        self._folder.chmod(PRIVATE_FOLDER)
        if not folder.is_dir():
            folder.mkdir(exist_ok=True, mode=PRIVATE_FOLDER)
            _flush_folder(self._folder)


async def _write(file: IO[bytes], chunks: AsyncIterator[bytes], max_bytes: int) -> tuple[int, bytes, bytes]:
    """Size, SHA-256 and first bytes of what was written."""
    size, digest, head = 0, hashlib.sha256(), b""
    async for chunk in chunks:
        size += len(chunk)
        if size > max_bytes:
            raise TooLarge(f"The clip has more than {max_bytes} bytes, the most that is accepted.")
        digest.update(chunk)
        head += chunk[: HEAD_BYTES - len(head)]
        await asyncio.to_thread(file.write, chunk)
    await asyncio.to_thread(_flush, file)
    return size, digest.digest(), head


async def _chunks(header: bytes, path: Path, size: int) -> AsyncIterator[bytes]:
    if header:
        yield header
    with await asyncio.to_thread(path.open, "rb") as file:
        while size and (chunk := await asyncio.to_thread(file.read, min(CHUNK, size))):
            size -= len(chunk)
            yield chunk


def _first_bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(HEAD_BYTES)
    except FileNotFoundError:
        return b""


def _drop_parts(folder: Path, before: float) -> int:
    dropped = 0
    for part in folder.glob("*/.*.part"):
        with suppress(FileNotFoundError):  # it became whole at this moment
            if part.stat().st_mtime < before:
                part.unlink()
                dropped += 1
    return dropped


def _flush(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())


def _publish(part: Path, final: Path) -> None:
    part.replace(final)
    _flush_folder(final.parent)


def _flush_folder(folder: Path) -> None:
    """A rename lasts only when the folder is on the disk as well."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
