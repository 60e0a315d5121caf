"""Reads calendar files in a confined child, so that no file can hold up or harm the server."""

from __future__ import annotations

import asyncio
import hashlib
import json
import signal
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import IO, Any

from app.boundary.confinement import frames, processes
from app.calendars.model.calendars import BusyTime, CalendarContents, CalendarRefused
from app.settings import MEBIBYTE

DAYS_BACK = 31
MEMORY_BYTES = 1024 * MEBIBYTE
MOST_AT_ONCE = 2  # each may take that much memory
REPORT_BYTES = 64 * MEBIBYTE
TOO_SLOW = "Reading this calendar took longer than it may; it was stopped."


@dataclass(frozen=True)
class Reader:
    """Reads files of at most ``max_bytes`` with so many events, and occurrences in the next ``days_ahead`` days."""

    max_bytes: int
    max_events: int
    max_occurrences: int
    seconds: int
    days_ahead: int
    turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST_AT_ONCE), compare=False)

    def until(self) -> datetime:
        """Up to when occurrences are read now."""
        return datetime.now(UTC) + timedelta(days=self.days_ahead)

    async def read(self, body: bytes, timezone: str) -> CalendarContents:
        """What a file says; floating times are read in ``timezone``. Raises CalendarRefused."""
        if len(body) > self.max_bytes:
            raise CalendarRefused(f"This calendar is larger than {self.max_bytes} bytes, the limit.")
        since, until = datetime.now(UTC) - timedelta(days=DAYS_BACK), self.until()
        async with self.turns:
            report = await self._report(body, since, until, timezone)
        if "refused" in report:
            raise CalendarRefused(report["refused"])
        return _contents(report, body, until, digest_of(body, timezone))

    async def _report(self, body: bytes, since: datetime, until: datetime, timezone: str) -> dict[str, Any]:
        with tempfile.TemporaryFile() as file:
            await asyncio.to_thread(_fill, file, body)
            limits = (self.max_events, self.max_occurrences, self.seconds, MEMORY_BYTES)
            arguments = (since.isoformat(), until.isoformat(), timezone, *map(str, limits))
            child = await processes.start("app.calendars.read_child", *arguments, stdin=file)
            try:
                async with asyncio.timeout(2 * self.seconds + 5):
                    found: dict[str, Any] = json.loads(await frames.receive(child.replies, max_bytes=REPORT_BYTES))
                    return found
            except TimeoutError as error:
                raise CalendarRefused(TOO_SLOW) from error
            except (asyncio.IncompleteReadError, ValueError) as error:
                await processes.stop(child)
                raise CalendarRefused(_why(child.process.returncode or 0)) from error
            finally:
                await processes.stop(child)


def digest_of(body: bytes, timezone: str) -> bytes:
    """Equal for equal files that are read in the same zone."""
    return hashlib.sha256(timezone.encode() + b"\n" + body).digest()


def _fill(file: IO[bytes], body: bytes) -> None:
    file.write(body)
    file.seek(0)


def _why(status: int) -> str:
    if status == -signal.SIGXCPU:
        return TOO_SLOW
    return f"This calendar could not be read ({processes.explain(status)})."


def _contents(report: dict[str, Any], body: bytes, until: datetime, digest: bytes) -> CalendarContents:
    busy = [
        BusyTime(uid, title, datetime.fromisoformat(start), datetime.fromisoformat(end), whole_day, keeps_busy)
        for uid, title, start, end, whole_day, keeps_busy in report["busy"]
    ]
    seconds = report["refresh_seconds"]
    return CalendarContents(
        name=report["name"],
        events=report["events"],
        busy=busy,
        warnings=report["warnings"],
        refresh_seconds=int(seconds) if seconds else None,
        read_until=until,
        content=body,
        digest=digest,
    )
