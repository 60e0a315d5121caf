"""Counts of waiting work from the database, cached for a moment between scrapes."""

from __future__ import annotations

import asyncio
import logging
import time

from psycopg import Error

from app.database.database import Database
from app.database.model import Backlog
from app.errors import OutOfReach

log = logging.getLogger(__name__)
READ_SECONDS = 3.0
READ = """
select b.*, j.waiting_jobs, j.running_jobs, j.failed_jobs
from backlog() b,
     (select count(*) filter (where status = 'todo') as waiting_jobs,
             count(*) filter (where status = 'doing') as running_jobs,
             count(*) filter (where status = 'failed') as failed_jobs from procrastinate_jobs) j
"""


class BacklogReader:
    """Reads at most once in ``cache_seconds``, whoever asks how often."""

    def __init__(self, database: Database, cache_seconds: float) -> None:
        self._database = database
        self._cache_seconds = cache_seconds
        self._reading = asyncio.Lock()
        self._known: Backlog | None = None
        self._until = 0.0

    async def read(self) -> Backlog | None:
        """The numbers; None when the database does not answer in time."""
        async with self._reading:
            if time.monotonic() >= self._until:
                self._known = await self._look()
                self._until = time.monotonic() + self._cache_seconds
        return self._known

    async def _look(self) -> Backlog | None:
        try:
            async with asyncio.timeout(READ_SECONDS), self._database.system() as conn:
                row = await (await conn.execute(READ)).fetchone()
        except (Error, OutOfReach, TimeoutError) as error:
            log.warning("the backlog could not be read (%s)", type(error).__name__)
            return None
        return Backlog(**row) if row else None
