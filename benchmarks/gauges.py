"""What a process and its database spent while something was measured."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import LiteralString

import psutil
import psycopg

STATISTICS_SECONDS = 11.0  # a session reports what it did at the latest 10 s after it fell idle
MEBIBYTE = 1024 * 1024
# Sessions of clients flush the log when they commit; whatever else flushes it is another kind of process.
FLUSHES = """
select coalesce(sum(fsyncs), 0)::bigint from pg_stat_io where object = 'wal' and backend_type = 'client backend'
"""
WRITTEN = "select pg_current_wal_insert_lsn() - '0/0'::pg_lsn"


@dataclass
class Gauges:
    """Reads counters of one API process and of the database server that it uses."""

    pid: int
    url: str
    process: psutil.Process = field(init=False)
    session: psycopg.Connection = field(init=False)

    def __post_init__(self) -> None:
        self.process = psutil.Process(self.pid)
        self.session = psycopg.connect(self.url, autocommit=True)

    def cpu_ms(self) -> float:
        """Processor time of the API process until now, in milliseconds."""
        spent = self.process.cpu_times()
        return float(spent.user + spent.system) * 1000

    def memory_mib(self) -> float:
        """Resident memory of the API process, in MiB."""
        return float(self.process.memory_info().rss) / MEBIBYTE

    def flushes(self) -> int:
        """Commits of client sessions that flushed the log until now; sequential ones never share a flush."""
        time.sleep(STATISTICS_SECONDS)
        return self._number(FLUSHES)

    def written(self) -> int:
        """Bytes of log written until now."""
        return self._number(WRITTEN)

    def without_page_images(self) -> None:
        """Count what turns write and not whole pages, of which each checkpoint brings some by chance."""
        self.session.execute("alter system set full_page_writes = off")
        self.session.execute("select pg_reload_conf()")

    def delay_flushes(self, milliseconds: float) -> None:
        """Let each flush of the log take that much longer, as on a slower disk; commits that wait share it.

        PostgreSQL's own ``commit_delay``, with siblings 0: whoever leads a group commit sleeps before the flush.
        """
        self.session.execute(f"alter system set commit_delay = {int(milliseconds * 1000)}".encode())
        self.session.execute("alter system set commit_siblings = 0")
        self.session.execute("select pg_reload_conf()")

    def close(self) -> None:
        """End the session."""
        self.session.close()

    def _number(self, query: LiteralString) -> int:
        [(number,)] = self.session.execute(query).fetchall()
        return int(number)
