"""Thousands of turns of one server: its memory may not grow with them.

    python -m tests.survival.long_rounds [--turns 10000]

Four users add, delete, note and ask, one message after the other each. After a tenth of the turns, which load what is
loaded once, the resident memory of the server may grow by 30 MB until the end: 20 are the aim, and a fourth of what is
said are notes, which stay.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from itertools import count
from pathlib import Path

import psutil

from tests.support.servers.load import ADMIN_KEY, Connection, connected, new_user
from tests.support.servers.running import running
from tests.survival.fleet import distinct

USERS = 4
MOST_GROWTH = 30.0
MEGABYTE = 1000 * 1000
SAID = ("add task call {}", "delete the task call {}", "note that the code of {} is 4711", "what is on my list?")


async def talk(line: Connection, key: str, turns: int, since: count[int]) -> None:
    """Say one thing after the other; the numbers of ``since`` make each of them new."""
    for _ in range(0, turns, len(SAID)):
        mark = str(next(since))
        for text in SAID:
            await line.post("/v1/turns", {"text": distinct(text, mark)}, key)


async def campaign(url: str, server: psutil.Process, turns: int) -> list[float]:
    """The server's memory in MB after each tenth of the turns."""
    held, since = [], count()
    async with connected(url) as first:
        keys = [await new_user(first) for _ in range(USERS)]
    for _ in range(10):
        async with asyncio.TaskGroup() as users:
            for key in keys:
                users.create_task(_connected(url, key, turns // (10 * USERS), since))
        held.append(server.memory_info().rss / MEGABYTE)
    return held


async def _connected(url: str, key: str, turns: int, since: count[int]) -> None:
    async with connected(url) as line:
        await talk(line, key, turns, since)


def main() -> int:
    """One campaign; exit status 1 when the server grew."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=10_000)
    options, began = parser.parse_args(), time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="summit-long-") as folder,
        running(Path(folder) / "data", SUMMIT_ADMIN_KEY=ADMIN_KEY) as server,
    ):
        held = asyncio.run(campaign(server.url, psutil.Process(server.process.pid), options.turns))
    grown = held[-1] - held[0]
    sys.stdout.write(f"MB after each tenth: {', '.join(f'{one:.0f}' for one in held)}\n")
    sys.stdout.write(
        f"{options.turns} turns in {time.monotonic() - began:.0f} s: {held[0]:.0f} MB after a tenth, "
        f"{grown:+.1f} MB at the end\n"
    )
    return int(grown > MOST_GROWTH)


if __name__ == "__main__":
    sys.exit(main())
