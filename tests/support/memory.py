"""A folder that lies in memory, for files of tests that need not outlive them."""

from __future__ import annotations

import shutil
from pathlib import Path

ROOM_BYTES = 8 * 2**30
_FOLDER = Path("/dev/shm")  # noqa: S108 - what tests put there lies in folders of their own

MEMORY = _FOLDER if _FOLDER.is_dir() and shutil.disk_usage(_FOLDER).free > ROOM_BYTES else None
"""None where there is no such folder, or too little room in it: then files lie where they usually do."""
