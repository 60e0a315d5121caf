"""The real server, or its worker, which can be killed, stopped or delayed at a boundary of any transaction.

    SUMMIT_TEST_TRAP=FILE SUMMIT_TEST_TRACE=FILE python -m tests.survival.crashing_server [worker]

FILE holds a trap as JSON while one is set; it is gone once the trap has sprung. Boundaries are named after the code
that opens the transaction: ``Inbox.accept commit`` is the moment before the commit of an accepted turn.
``boundaries.py`` has those of files, jobs and answers.
SUMMIT_TEST_CLOCK='{"shows": ISO, "tick": SECONDS, "ends": ISO}' lets reminders live in a time that goes on by a tick
whenever somebody looks at it, up to its end: as fast as the server works, on any machine.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from functools import partial
from itertools import count
from uuid import UUID

from psycopg import AsyncCursor
from psycopg.rows import DictRow

from app.cli.server.serve import serve
from app.cli.server.worker import work
from app.database.database import Connection, Database, Query
from app.lifespan import open_summit, serving
from app.records.reminding import utc_now
from tests.survival.boundaries import COMMIT, READS, note, opener, pass_boundary, watch_all

CLOCK, LOOKED = "SUMMIT_TEST_CLOCK", "looked at the clock"
LOOKS = count()
"""How often somebody looked at the clock of this process."""
UNWRITTEN = "select pg_current_xact_id_if_assigned() is null as unwritten"


class TrappedDatabase(Database):
    """Every transaction passes three boundaries: before it, before its commit, after it."""

    @asynccontextmanager
    async def tenant(self, user_id: UUID | None = None) -> AsyncIterator[Connection]:
        name = opener(sys._getframe())
        await pass_boundary(f"{name} before")
        async with super().tenant(user_id) as conn:
            yield conn
            await pass_commit(name, conn)
        await pass_boundary(f"{name} after")

    @asynccontextmanager
    async def one_statement(self, user_id: UUID) -> AsyncIterator[Connection]:
        name = opener(sys._getframe())
        await pass_boundary(f"{name} before")
        async with super().one_statement(user_id) as conn:
            yield conn
            await pass_commit(name, conn)
        await pass_boundary(f"{name} after")

    async def rows(self, function: str, values: Query) -> list[DictRow]:
        """In a transaction of its own, as the server would make one: so there is a moment before its commit."""
        name = opener(sys._getframe())
        await pass_boundary(f"{name} before")
        with self.reaching():
            async with self.pool.connection() as conn, conn.transaction():
                found = await (await conn.execute(function, values)).fetchall()
                await pass_commit(name, conn)
        await pass_boundary(f"{name} after")
        return found

    @asynccontextmanager
    async def pipeline(self, *, fenced: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:
        name = opener(sys._getframe())
        await pass_boundary(f"{name} before")
        async with super().pipeline(fenced=fenced) as cursor:
            yield cursor
            await pass_commit(name, cursor)
        await pass_boundary(f"{name} after")


async def pass_commit(name: str, within: Connection | AsyncCursor[DictRow]) -> None:
    """The moment before a commit, and a note where there is nothing to commit."""
    row = await (await within.execute(UNWRITTEN)).fetchone()
    if row and row["unwritten"]:
        note(f"{name}{READS}")
    await pass_boundary(f"{name}{COMMIT}")


def clock() -> datetime:
    """What time it is for reminders: in a test's own time, if it has one."""
    stated = json.loads(os.environ.get(CLOCK, "null"))
    if not stated:
        return utc_now()
    note(LOOKED)
    shows, ends = (datetime.fromisoformat(stated[name]) for name in ("shows", "ends"))
    return min(shows + next(LOOKS) * timedelta(seconds=stated["tick"]), ends)


def main(command: str = "serve") -> int:
    """Serve, or work, until somebody kills it."""
    watch_all()
    if command == "worker":
        return work(argparse.Namespace(), partial(open_summit, kind=TrappedDatabase, clock=clock))
    return serve(argparse.Namespace(), partial(serving, kind=TrappedDatabase, clock=clock))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
