"""The real server, which writes down every step of its event loop that keeps the others waiting.

    SUMMIT_TEST_STEPS=FILE python -m tests.fuzz.watched_server

A line of FILE is one step: the milliseconds it took on the clock and of the processor, and what it was.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path

from app.cli import main

STEPS = "SUMMIT_TEST_STEPS"
NOTICED = 0.02  # seconds


def watch(steps: Path) -> None:
    """Take the time of each step of every event loop of this process."""
    run = asyncio.Handle._run

    def timed(step: asyncio.Handle) -> None:
        clock, processor = time.perf_counter(), time.thread_time()
        run(step)
        taken = time.thread_time() - processor
        if taken > NOTICED:
            with steps.open("a") as lines:
                lines.write(f"{1000 * (time.perf_counter() - clock):.1f} {1000 * taken:.1f} {str(step)[:200]}\n")

    asyncio.Handle._run = timed  # type: ignore[method-assign, assignment]


def serve() -> int:
    """Serve, watched."""
    watch(Path(os.environ[STEPS]))
    return main(["serve"])


if __name__ == "__main__":
    sys.exit(serve())
