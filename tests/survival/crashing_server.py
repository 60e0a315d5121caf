"""The real server on a database that can be told to kill, stop or delay it at a boundary of any transaction.

    SUMMIT_TEST_TRAP=FILE SUMMIT_TEST_TRACE=FILE python -m tests.survival.crashing_server

FILE holds a trap as JSON while one is set; it is gone once the trap has sprung. Boundaries are named after the code
that opens the transaction: ``PostgresInbox.accept commit`` is the moment before the commit of an accepted turn.
SUMMIT_TEST_CLOCK='{"from": EPOCH, "shows": ISO, "speed": N}' lets reminders live in a time that runs N times as fast.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any
from uuid import UUID

from psycopg import AsyncCursor
from psycopg.rows import DictRow

from app.cli.serve import serve
from app.jobs.reminders import utc_now
from app.lifespan import serving
from app.storage.database import Connection, Database, Query

TRAP, TRACE, CLOCK = "SUMMIT_TEST_TRAP", "SUMMIT_TEST_TRACE", "SUMMIT_TEST_CLOCK"
SIGNALS = {"kill": signal.SIGKILL, "stop": signal.SIGSTOP}
BETWEEN = ("contextlib.py", "crashing_server.py", "storage/database.py")


class TrappedDatabase(Database):
    """Every transaction passes three boundaries: before it, before its commit, after it."""

    @asynccontextmanager
    async def tenant(self, user_id: UUID | None = None) -> AsyncIterator[Connection]:
        name = _opener(sys._getframe())
        await pass_boundary(f"{name} before")
        async with super().tenant(user_id) as conn:
            yield conn
            await pass_boundary(f"{name} commit")
        await pass_boundary(f"{name} after")

    @asynccontextmanager
    async def glance(self, user_id: UUID) -> AsyncIterator[Connection]:
        name = _opener(sys._getframe())
        await pass_boundary(f"{name} before")
        async with super().glance(user_id) as conn:
            yield conn
            await pass_boundary(f"{name} commit")
        await pass_boundary(f"{name} after")

    async def rows(self, function: str, values: Query) -> list[DictRow]:
        """In a transaction of its own, as the server would make one: so there is a moment before its commit."""
        name = _opener(sys._getframe())
        await pass_boundary(f"{name} before")
        with self.reaching():
            async with self.pool.connection() as conn, conn.transaction():
                found = await (await conn.execute(function, values)).fetchall()
                await pass_boundary(f"{name} commit")
        await pass_boundary(f"{name} after")
        return found

    @asynccontextmanager
    async def pipeline(self, *, fenced: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:
        name = _opener(sys._getframe())
        await pass_boundary(f"{name} before")
        async with super().pipeline(fenced=fenced) as cursor:
            yield cursor
            await pass_boundary(f"{name} commit")
        await pass_boundary(f"{name} after")


async def pass_boundary(name: str) -> None:
    """Spring the trap that is set at a boundary, the given time it is passed."""
    deed = deed_at(name)
    if deed in SIGNALS:
        os.kill(os.getpid(), SIGNALS[deed])
    elif deed:
        await asyncio.sleep(float(deed))


def deed_at(name: str) -> str:
    """What is to be done at a boundary now: a signal, a delay in seconds, or nothing."""
    if path := os.environ.get(TRACE):
        with Path(path).open("a") as trace:
            trace.write(f"{name}\n")
    trap_file = Path(os.environ.get(TRAP, ""))
    trap: dict[str, Any] = json.loads(trap_file.read_text()) if trap_file.is_file() else {"at": ""}
    if trap["at"] != name:
        return ""
    if trap["nth"] > 1:
        trap_file.write_text(json.dumps({**trap, "nth": trap["nth"] - 1}))
        return ""
    trap_file.unlink()
    return str(trap["do"])


def _opener(frame: FrameType | None) -> str:
    """The code that opens a transaction, past context managers and private steps."""
    while frame and (frame.f_code.co_filename.endswith(BETWEEN) or frame.f_code.co_name.startswith("_")):
        frame = frame.f_back
    return frame.f_code.co_qualname if frame else ""


def clock() -> datetime:
    """What time it is for reminders: in a test's own time, if it has one."""
    stated = json.loads(os.environ.get(CLOCK, "null"))
    if not stated:
        return utc_now()
    elapsed = (time.time() - stated["from"]) * stated["speed"]
    return datetime.fromisoformat(stated["shows"]) + timedelta(seconds=elapsed)


def main() -> int:
    """Serve until somebody kills it."""
    return serve(argparse.Namespace(), partial(serving, kind=TrappedDatabase, clock=clock))


if __name__ == "__main__":
    sys.exit(main())
