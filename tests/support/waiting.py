"""Waiting for a condition: tests wait for what they mean, and a wait that hangs is given up after two minutes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")

HANG_SECONDS = 120.0
"""When a wait has failed for certain, however busy the machine is: a guard, never a measure of speed."""
PAUSE_SECONDS = 0.02


def wait_until(read: Callable[[], T], about: object = "") -> T:
    """Return the first true value that ``read`` gives. Raises AssertionError with the last one when it hangs."""
    deadline = time.monotonic() + HANG_SECONDS
    while not (value := read()):
        assert time.monotonic() < deadline, f"waited {HANG_SECONDS:.0f} s in vain {about}: {value!r}"
        time.sleep(PAUSE_SECONDS)
    return value


async def until(read: Callable[[], Awaitable[T]], about: object = "") -> T:
    """Return the first true value that ``read`` gives, and let others work meanwhile. Raises AssertionError."""
    deadline = time.monotonic() + HANG_SECONDS
    while not (value := await read()):
        assert time.monotonic() < deadline, f"waited {HANG_SECONDS:.0f} s in vain {about}: {value!r}"
        await asyncio.sleep(PAUSE_SECONDS)
    return value


async def until_true(holds: Callable[[], object], about: object = "") -> None:
    """Return once something that is looked up without waiting holds. Raises AssertionError."""

    async def read() -> bool:
        return bool(holds())

    await until(read, about)
