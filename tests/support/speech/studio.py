"""A transcriber that follows a script, and jobs around it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from uuid import UUID, uuid4

from procrastinate import App

from agents.ports import LongWork, Understanding
from app.database.database import Database
from app.database.jobs import Job
from app.database.signals import Signals
from app.turns.jobs.transcription import MemoTranscription, defer_transcription
from app.turns.model.turns import Turn
from app.voice.model import Memo, NewMemo, Segment, SoFar, Transcriber, Transcript, Transcription
from app.voice.speech.clips import ClipFolder
from app.voice.store.memos import Memos
from app.voice.store.recordings import Recordings
from app.worker.cleanup import cleanup_jobs
from app.worker.queue import add_jobs, open_queue
from tests.support.ledgers import LISBON, NOW
from tests.support.scripted import ScriptedUnderstanding
from tests.support.servers.turn_server import TurnServer, inbox_at, new_turn, turn_server

Script = Transcription | Exception


def heard(text: str, confidence: float = 0.9) -> Transcription:
    words = Transcript(text, "en", [Segment(0, 900, text, confidence)], "whisper", confidence)
    return Transcription("success", words, duration_ms=900)


class ScriptedTranscriber:
    """Hears what its script says, in order; the last entry repeats."""

    def __init__(self, *script: Script) -> None:
        self._script = list(script)
        self.clips: list[Path] = []

    async def transcribe(self, path: Path, prompt: str = "", so_far: SoFar | None = None) -> Transcription:
        self.clips.append(path)
        if so_far:
            await so_far([Segment(0, 900, "the beginning", 0.9)], 60_000)
        said = self._script.pop(0) if len(self._script) > 1 else self._script[0]
        if isinstance(said, Exception):
            raise said
        return said


class StuckTranscriber:
    """Says that it began, and never ends."""

    async def transcribe(self, path: Path, prompt: str = "", so_far: SoFar | None = None) -> Transcription:
        sys.stdout.write("working\n")
        sys.stdout.flush()
        await asyncio.sleep(3600)
        raise AssertionError


@dataclass
class Studio:
    """A turn server whose clips are transcribed by jobs."""

    server: TurnServer
    queue: App
    jobs: Sequence[Job]
    memos: Memos
    pruned: list[int]

    async def record(self) -> tuple[UUID, Turn]:
        """A clip at the door: its memo and the turn that waits for its words."""
        memo = NewMemo(uuid4(), "wav", 4, b"sum", NOW, LISBON)
        accepted = await self.server.inbox.accept(new_turn(self.server.user, None, memo=memo))
        return memo.id, accepted.turn

    async def work(self) -> None:
        """Do every job that is due now, and those that would be due after a retry's wait."""
        async with self.server.database.system() as conn:
            await conn.execute("update procrastinate_jobs set scheduled_at = null where status = 'todo'")
        await self.queue.run_worker_async(wait=False, install_signal_handlers=False)

    async def begun_before(self, times: int) -> None:
        """Count the job as begun that often, as if its workers had been killed."""
        async with self.server.database.system() as conn:
            await conn.execute("update procrastinate_jobs set attempts = %s", (times,))

    async def memo(self, memo_id: UUID) -> Memo:
        found = await self.memos.get(self.server.user, memo_id)
        assert found is not None
        return found

    async def states(self) -> list[str]:
        async with self.server.database.system() as conn:
            query = "select status::text from procrastinate_jobs where task_name like '%transcribe_memo'"
            return [row["status"] for row in await (await conn.execute(query)).fetchall()]


async def no_hints(_user: UUID) -> str:
    return ""


@asynccontextmanager
async def open_studio(
    url: str,
    folder: Path,
    transcriber: Transcriber,
    *,
    user: UUID | None = None,
    long_work: LongWork | None = None,
    understanding: Understanding | None = None,
) -> AsyncIterator[Studio]:
    async with (
        Database(url) as database,
        open_queue(database.url, database.configure) as queue,
        turn_server(database, understanding or ScriptedUnderstanding(), user=user, long_work=long_work) as server,
    ):
        reception = Recordings(server.ledger, partial(defer_transcription, queue), lambda _user: None)
        server.inbox = inbox_at(database, Signals(database), reception=reception)
        pruned = list[int]()

        async def prune() -> dict[str, int]:
            pruned.append(1)
            return {"reminders": 1}

        memos, clips = Memos(database), ClipFolder(folder)
        doing = (memos, server.inbox, server.events, server.turns, clips)
        jobs = [MemoTranscription(*doing, transcriber, 0.6, no_hints).job(1), *cleanup_jobs(queue, prune, days=30)]
        add_jobs(queue, jobs)
        yield Studio(server, queue, jobs, memos, pruned)
