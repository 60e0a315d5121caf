"""Files of events, read and written in a confined child that lives for a few requests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from app.boundary.confinement.worker import Worker, WorkerDied
from app.calendars.model.synced import Form, PendingWrite, ReadItem, RemoteRefused, Written
from app.calendars.reader import MEMORY_BYTES, TOO_SLOW

REQUESTS_PER_CHILD = 10
"""So many requests may take as much of the processor as each may; few take any that counts."""


class ChildFiles:
    """See app.calendars.model.synced.ItemFiles.

    A request takes at most ``seconds``. Close it: it is for one user's files.
    """

    def __init__(self, form: Form, *, seconds: int) -> None:
        self._seconds = seconds
        self._worker = Worker("app.calendars.items_child", form, str(seconds * REQUESTS_PER_CHILD), str(MEMORY_BYTES))

    async def read(self, texts: Sequence[str], timezone: str) -> Sequence[ReadItem]:
        """What each file says."""
        return [ReadItem(**one) for one in await self._ask({"zone": timezone, "read": list(texts)})]

    async def write(self, wanted: Sequence[PendingWrite], timezone: str) -> Sequence[Written]:
        """The changed files."""
        found = await self._ask({"zone": timezone, "write": [asdict(one) for one in wanted]})
        return [Written(one["text"], ReadItem(**one["reading"])) for one in found]

    async def close(self) -> None:
        """End the child."""
        await self._worker.close()

    async def _ask(self, asked: Mapping[str, Any]) -> list[dict[str, Any]]:
        try:
            reply = await self._worker.exchange(json.dumps(asked).encode(), seconds=2 * self._seconds + 5)
        except (WorkerDied, TimeoutError, asyncio.IncompleteReadError) as error:
            raise RemoteRefused(TOO_SLOW) from error
        found = json.loads(reply)
        if isinstance(found, dict):
            raise RemoteRefused(str(found["refused"]))
        return list(found)
