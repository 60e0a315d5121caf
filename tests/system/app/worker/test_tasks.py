"""A worker of jobs that is killed: another one takes up what it left."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from pathlib import Path

from app.worker.worker import run_jobs
from tests.support.speech.studio import ScriptedTranscriber, heard, open_studio


async def test_a_job_whose_worker_was_killed_is_rescued(database_url: str, tmp_path: Path) -> None:
    async with open_studio(database_url, tmp_path, ScriptedTranscriber(heard("call mom"))) as room:
        memo_id, turn = await room.record()
        await room.begun_before(4)
        command = [
            sys.executable,
            "-m",
            "tests.support.speech.stuck_worker",
            database_url,
            str(tmp_path),
            str(room.server.user),
        ]
        worker = await asyncio.to_thread(subprocess.Popen, command, stdout=subprocess.PIPE, text=True)
        assert worker.stdout is not None
        assert (await asyncio.to_thread(worker.stdout.readline)).strip() == "working"
        worker.kill()
        await asyncio.to_thread(worker.communicate)
        assert await room.states() == ["doing"]
        working = asyncio.create_task(run_jobs(room.queue, room.jobs, 1))
        try:
            assert (await room.server.wait(turn)).state == "done"
            assert (await room.memo(memo_id)).tries == 0
        finally:
            working.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await working
