from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from app.errors import TooLarge
from app.voice.speech.clips import ClipFolder

USER, MEMO = UUID(int=1), UUID(int=2)


async def chunks(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


async def broken(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part
    raise ConnectionResetError


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


async def test_a_clip_is_kept_whole_and_private(tmp_path: Path) -> None:
    folder = ClipFolder(tmp_path / "data" / "clips")
    saved = await folder.save(USER, MEMO, chunks(b"fLaC", b"", b"x" * 1000), max_bytes=1004)
    content = b"fLaC" + b"x" * 1000
    assert saved.path == folder.path(USER, MEMO)
    assert saved.path.read_bytes() == content
    assert (saved.size, saved.sha256, saved.head) == (1004, hashlib.sha256(content).digest(), content[:512])
    assert stat.S_IMODE(saved.path.stat().st_mode) == 0o600
    for place in (saved.path.parent, saved.path.parent.parent):
        assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert files(tmp_path) == [f"data/clips/{USER}/{MEMO}"]


async def test_too_much_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(TooLarge):
        await ClipFolder(tmp_path).save(USER, MEMO, chunks(b"x" * 600, b"x" * 600), max_bytes=1000)
    assert files(tmp_path) == []


async def test_a_broken_upload_leaves_what_was_there_before(tmp_path: Path) -> None:
    folder = ClipFolder(tmp_path)
    await folder.save(USER, MEMO, chunks(b"first"), max_bytes=100)
    with pytest.raises(ConnectionResetError):
        await folder.save(USER, MEMO, broken(b"second"), max_bytes=100)
    assert files(tmp_path) == [f"{USER}/{MEMO}"]
    assert folder.path(USER, MEMO).read_bytes() == b"first"


async def test_users_do_not_share_a_folder(tmp_path: Path) -> None:
    folder = ClipFolder(tmp_path)
    await folder.save(USER, MEMO, chunks(b"mine"), max_bytes=100)
    await folder.save(uuid4(), MEMO, chunks(b"theirs"), max_bytes=100)
    assert folder.path(USER, MEMO).read_bytes() == b"mine"


async def test_what_a_server_left_that_died_is_removed_a_day_later(tmp_path: Path) -> None:
    folder = ClipFolder(tmp_path)
    clip = (await folder.save(USER, MEMO, chunks(b"whole"), max_bytes=100)).path
    old, new, upload = (clip.with_name(name) for name in (".a.1.part", ".b.2.part", f".{MEMO}.upload"))
    for path in (old, new, upload):
        path.write_bytes(b"x")
    long_ago = time.time() - 25 * 3600
    for path in (clip, old, upload):
        os.utime(path, (long_ago, long_ago))
    assert await folder.drop_parts() == 1
    assert sorted(path.name for path in clip.parent.iterdir()) == sorted([str(MEMO), new.name, upload.name])
    assert await folder.drop_parts() == 0


async def test_no_folder_has_no_parts(tmp_path: Path) -> None:
    assert await ClipFolder(tmp_path / "none").drop_parts() == 0


async def test_a_clip_can_be_deleted_twice(tmp_path: Path) -> None:
    folder = ClipFolder(tmp_path)
    await folder.save(USER, MEMO, chunks(b"x"), max_bytes=100)
    await folder.delete(USER, MEMO)
    await folder.delete(USER, MEMO)
    assert files(tmp_path) == []
