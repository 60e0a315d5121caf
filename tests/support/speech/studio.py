"""A transcriber that follows a script, and job services around it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from procrastinate import App

from agents.ports import LongWork, Understanding
from app.boundary.outbound.http import SafeHttp
from app.calendars.model.calendars import CalendarContents
from app.calendars.model.synced import Login, RemoteCalendar
from app.database.database import Database
from app.database.job_context import SERVICES
from app.database.secrets import KeyRing
from app.database.signals import Signals
from app.http.accounts.store.users import Users
from app.records.jobs.deliveries import ExternalDelivery, Mailing
from app.records.jobs.webhooks import WebhookPoster
from app.records.store.notifications import Notifications
from app.records.store.webhooks import Webhooks
from app.turns.model.turns import Turn
from app.voice.model import Memo, NewMemo, Segment, SoFar, Transcriber, Transcript, Transcription
from app.voice.speech.clips import ClipFolder
from app.voice.store.memos import Memos
from app.voice.store.recordings import Recordings
from app.work.mail.servers.mail_servers import SafeMailServers
from app.work.mail.store.accounts import PostgresMailAccounts
from app.work.mail.store.outgoing import Outbox
from app.work.runs.jobs import RunJobs
from app.work.workflows.delivering import Delivery
from app.work.workflows.jobs import WorkflowJobs
from app.work.workflows.model import StepEnd
from app.work.workflows.store import PostgresWorkflowWork, Workflows
from app.work.workflows.trying import Try
from app.work.workflows.worker import WorkflowWorker
from app.worker.cleanup import Cleanup
from app.worker.queue import Deferrer, open_queue
from app.worker.tasks import JobServices
from tests.support.ledgers import LISBON, NOW
from tests.support.runs import desk as run_desk
from tests.support.scripted import ScriptedUnderstanding
from tests.support.servers.turn_server import TurnServer, inbox_at, new_turn, turn_server


class NoneInStep:
    """No calendar is kept in step."""

    async def find(self, login: Login) -> Sequence[RemoteCalendar]:
        raise AssertionError

    async def sync(self, user_id: UUID, calendar_id: UUID) -> None:
        raise AssertionError

    async def due(self, how_many: int) -> Sequence[tuple[UUID, UUID]]:
        return []


class NoCalendars:
    """Nothing is to be read."""

    async def check(self, url: str) -> None:
        raise AssertionError

    async def read(self, body: bytes, timezone: str) -> CalendarContents:
        raise AssertionError

    def next_reading(self) -> datetime:
        raise AssertionError

    async def refresh(self, user_id: UUID, calendar_id: UUID) -> None:
        raise AssertionError

    async def due(self, how_many: int) -> Sequence[tuple[UUID, UUID]]:
        return []


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
    services: JobServices

    async def record(self) -> tuple[UUID, Turn]:
        """A clip at the door: its memo and the turn that waits for its words."""
        memo = NewMemo(uuid4(), "wav", 4, b"sum", NOW, LISBON)
        accepted = await self.server.inbox.accept(new_turn(self.server.user, None, memo=memo))
        return memo.id, accepted.turn

    async def work(self) -> None:
        """Do every job that is due now, and those that would be due after a retry's wait."""
        async with self.server.database.system() as conn:
            await conn.execute("update procrastinate_jobs set scheduled_at = null where status = 'todo'")
        await self.queue.run_worker_async(
            wait=False, install_signal_handlers=False, additional_context={SERVICES: self.services}
        )

    async def begun_before(self, times: int) -> None:
        """Count the job as begun that often, as if its workers had been killed."""
        async with self.server.database.system() as conn:
            await conn.execute("update procrastinate_jobs set attempts = %s", (times,))

    async def memo(self, memo_id: UUID) -> Memo:
        found = await self.services.memos.get(self.server.user, memo_id)
        assert found is not None
        return found

    async def jobs(self) -> list[str]:
        async with self.server.database.system() as conn:
            query = "select status::text from procrastinate_jobs where task_name like '%transcribe_memo'"
            return [row["status"] for row in await (await conn.execute(query)).fetchall()]


def nowhere(database: Database) -> ExternalDelivery:
    """Notifications are told nowhere else."""
    notifications = Notifications(database)

    async def nothing(*_: Any) -> None:
        """No job is deferred."""

    webhooks = Webhooks(database, KeyRing(Path("/nonexistent")), nothing, most=0)
    return ExternalDelivery(
        WebhookPoster(webhooks, notifications, SafeHttp(), 1, 1.0),
        Mailing(notifications, Users(database), None),
    )


async def no_hints(_user: UUID) -> str:
    return ""


async def none_moved() -> int:
    return 0


class NothingToIndex:
    """A memory that is up to date."""

    async def users(self) -> list[UUID]:
        return []

    async def run(self, user_id: UUID) -> None:
        raise AssertionError("nothing is to be indexed")


def no_runs(database: Database) -> RunJobs:
    """Jobs that find no run to work on."""
    found = run_desk.Desk(database, UUID(int=1), Path("nowhere"), run_desk.Script(run_desk.finish()))
    return RunJobs(found.worker, found.runs, found.work)


class NothingToDo:
    """Steps of no workflow."""

    async def do(self, one: Try) -> StepEnd:
        raise AssertionError(f"there is no step {one.step.id}")


def no_workflows(database: Database) -> WorkflowJobs:
    """Jobs that find no workflow to run."""

    async def nothing(*_: Any) -> None:
        """No job is deferred."""

    signals = Signals(database)
    starts = Workflows(database, signals, nothing, most=0)
    worker = WorkflowWorker(PostgresWorkflowWork(database, signals), NothingToDo())
    accounts = PostgresMailAccounts(database, KeyRing(Path("/nonexistent")), most=0)
    mail = Delivery(Outbox(database, signals, nothing, most=0), accounts, SafeMailServers(seconds=1))
    return WorkflowJobs(worker, starts, Users(database), mail, "UTC")


async def none_pruned() -> dict[str, int]:
    return {}


async def none_abandoned() -> int:
    return 0


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
        reception = Recordings(server.ledger, Deferrer(queue).transcription, lambda _user: None)
        server.inbox = inbox_at(database, Signals(database), reception=reception)
        memos, clips = Memos(database), ClipFolder(folder)
        doing = (memos, server.inbox, server.events, server.turns, clips, transcriber)
        services = JobServices(
            *doing,
            0.6,
            none_moved,
            NoCalendars(),
            nowhere(database),
            Cleanup(none_pruned, none_abandoned, none_abandoned, 1),
            no_hints,
            NothingToIndex(),
            no_runs(database),
            NothingToIndex(),
            no_workflows(database),
            NoneInStep(),
        )
        yield Studio(server, queue, services)
