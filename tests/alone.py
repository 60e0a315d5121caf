"""Whose turn it is when `pytest -n` runs tests side by side: those that look at the clock run while no other does."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# Files that are there anyway; what is locked is the file, not what it says.
ROOM = Path(__file__)
DOOR = ROOM.with_name("__init__.py")


@contextmanager
def room(*, alone: bool) -> Iterator[None]:
    """Shared with the tests of the other processes, or ``alone``, for as long as the test runs.

    Who waits to be alone holds the door, so that those who share cannot go in before it for ever.
    """
    with DOOR.open() as door, ROOM.open() as inside:
        fcntl.flock(door, fcntl.LOCK_EX)
        fcntl.flock(inside, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        fcntl.flock(door, fcntl.LOCK_UN)
        try:
            yield
        finally:
            fcntl.flock(inside, fcntl.LOCK_UN)  # a child that a test forked has the file open, too
