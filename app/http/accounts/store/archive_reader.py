"""Has archives read by children, so that none of them holds up or harms the server."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

from app.boundary.confinement import frames, processes
from app.errors import StorageFull
from app.http.accounts.model.portability import NotImportable
from app.http.accounts.store.archive_child import TOO_MUCH, ArchiveWanted
from app.http.accounts.store.archive_rows import Columns
from app.http.accounts.store.archives import LONGEST_MANIFEST, ArchiveLimits

CHILD = "app.http.accounts.store.archive_child"
MOST_AT_ONCE = 2  # each may take as much memory as one may
REPORT_BYTES = 8 * LONGEST_MANIFEST


@dataclass(frozen=True)
class ArchiveReader:
    """Reads archives within ``limits``, so many at once."""

    limits: ArchiveLimits
    turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST_AT_ONCE), compare=False)

    async def lay_out(
        self, archive: Path, folder: Path, user_id: UUID, tables: Mapping[str, Columns]
    ) -> dict[str, Any]:
        """The manifest of an archive that now lies in ``folder``, whole; raises NotImportable, StorageFull."""
        wanted = ArchiveWanted(archive, folder, user_id, tables, self.limits)
        async with self.turns:
            report = await self._report(wanted)
        if "refused" in report:
            raise NotImportable(report["refused"])
        if "full" in report:
            raise StorageFull
        manifest: dict[str, Any] = report["manifest"]
        return manifest

    async def _report(self, wanted: ArchiveWanted) -> dict[str, Any]:
        child = await processes.start(CHILD)
        try:
            if child.requests is None:
                raise RuntimeError("a child was started without a pipe")
            await frames.send(child.requests, wanted.to_json())
            found: dict[str, Any] = json.loads(await frames.receive(child.replies, max_bytes=REPORT_BYTES))
            return found
        except (asyncio.IncompleteReadError, ConnectionError, ValueError) as error:
            await processes.stop(child)
            status = child.process.returncode or 0
            stopped = status in (-signal.SIGXCPU, -signal.SIGKILL)
            why = TOO_MUCH if stopped else f"This archive could not be read ({processes.explain(status)})."
            raise NotImportable(why) from error
        finally:
            await processes.stop(child)
