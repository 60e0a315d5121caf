"""A worker that takes a job and never ends it: ``python -m tests.support.speech.stuck_worker URL FOLDER USER``."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from uuid import UUID

from app.worker.worker import run_jobs
from tests.support.speech.studio import StuckTranscriber, open_studio


async def _work(url: str, folder: str, user: str) -> None:
    async with open_studio(url, Path(folder), StuckTranscriber(), user=UUID(user)) as studio:
        await run_jobs(studio.queue, studio.jobs, 1)


if __name__ == "__main__":
    asyncio.run(_work(*sys.argv[1:]))
