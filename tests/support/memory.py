"""Where files of tests lie that need not outlive them: in memory, where there is room."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from itertools import count
from pathlib import Path

ROOM_BYTES = 8 * 2**30
_FOLDER = Path("/dev/shm")  # noqa: S108 - what tests put there lies in folders of their own

MEMORY = _FOLDER if _FOLDER.is_dir() and shutil.disk_usage(_FOLDER).free > ROOM_BYTES else None
"""None where there is no such folder, or too little room in it: then files lie where they usually do."""


def own_folder(parent: Path | None = None) -> Path:
    """Return a folder that no other run of the tests has while this process lives, in ``parent`` or where files lie.

    pytest closes the folder that it shares with other runs to everybody when it starts, which would lock out the
    account that runs PostgreSQL in a run beside it.
    """
    parent = parent or MEMORY or Path(tempfile.gettempdir())
    tries = (parent / f"summit-{os.geteuid()}-{number}" for number in count())
    return next(folder for folder in tries if _take(folder))


def _take(folder: Path) -> bool:
    """Lock a folder until this process ends."""
    folder.mkdir(mode=0o700, exist_ok=True)
    lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return False
    return True
