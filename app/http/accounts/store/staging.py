"""Folders in which something of a user's is made or taken in, and which nobody leaves behind.

Whoever works in one holds its lock, which the system lets go of when the process dies, however it does.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal
from uuid import UUID

Purpose = Literal["taking", "making"]
PRIVATE = 0o700


def begin(parent: Path, purpose: Purpose, user_id: UUID) -> tuple[Path, int]:
    """A new folder, private and locked; the second is to be closed with ``os.close``."""
    parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE)
    parent.chmod(PRIVATE)
    while True:
        folder = Path(tempfile.mkdtemp(dir=parent, prefix=f".{purpose}-{user_id}."))
        descriptor = os.open(folder, os.O_RDONLY)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        if folder.is_dir():  # somebody who tidies up may have come between
            return folder, descriptor
        os.close(descriptor)


def owners(parent: Path) -> set[UUID]:
    """Whose folders lie there, whoever works in them."""
    names = [path.name.partition("-")[2].rpartition(".")[0] for path in parent.glob(".*-*.*")]
    return {UUID(name) for name in names if _is_id(name)}


def drop_abandoned(parent: Path, user_id: UUID) -> int:
    """Remove the folders of a user in which nobody works any more; how many there were."""
    dropped = 0
    for folder in parent.glob(f".*-{user_id}.*"):
        with _alone_in(folder) as free:
            if free:
                shutil.rmtree(folder, ignore_errors=True)
                dropped += 1
    return dropped


@contextmanager
def _alone_in(folder: Path) -> Iterator[bool]:
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        yield False
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(descriptor)


def _is_id(name: str) -> bool:
    try:
        UUID(name)
    except ValueError:
        return False
    return True
