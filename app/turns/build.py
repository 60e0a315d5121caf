"""The part of the composition root that is about turns: their queue, what works on it, uploads and transcription."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from procrastinate import App, RetryStrategy

from app.database.database import Database
from app.database.jobs import Job
from app.database.saver import TenantSaver
from app.database.signals import Signals
from app.records.store.event_log import EventLog
from app.records.store.ledger import PostgresLedger
from app.records.store.records import StoreReader
from app.settings import Settings
from app.shares import Shares
from app.turns.jobs.transcription import MemoTranscription, defer_transcription
from app.turns.run_throttle import RunThrottle
from app.turns.runner import TurnRunner
from app.turns.service import TurnService
from app.turns.store.inbox import Inbox
from app.turns.store.summaries import renew_summary
from app.turns.store.uploads import PostgresUploads
from app.turns.uploads import Uploading
from app.voice.speech.clips import ClipFolder
from app.voice.speech.hints import LikelyWords
from app.voice.speech.service import SpeechService
from app.voice.store.memos import Memos
from app.voice.store.recordings import Recordings
from graph.builder import TurnGraph as Graph
from graph.state import serializer

MOST_AT_ONCE = 10_000
"""Turns that one process runs at once, whoever asks: a turn that waits for a model costs next to nothing."""


@dataclass(frozen=True)
class TurnNeeds:
    """What turns need of the rest; ``run_throttle`` makes room for them where runs work, too."""

    settings: Settings
    database: Database
    signals: Signals
    queue: App
    speech: SpeechService
    ledger: PostgresLedger
    graph: Graph
    run_throttle: RunThrottle


@dataclass(frozen=True)
class TurnParts:
    """What doors work with, and the jobs."""

    inbox: Inbox
    events: EventLog
    turns: TurnService
    uploads: Uploading
    memos: Memos
    clips: ClipFolder
    jobs: Sequence[Job]


def compose_turns(around: TurnNeeds) -> TurnParts:
    """Compose it; nothing is started."""
    settings, database = around.settings, around.database
    reception = Recordings(around.ledger, partial(defer_transcription, around.queue), around.signals.wake)
    inbox = _inbox(around, reception)
    events = EventLog(database, around.signals, heartbeat_seconds=settings.heartbeat_seconds)
    turns = _turns(around, inbox, events)
    memos, clips = Memos(database, reception, settings.default_timezone), ClipFolder(settings.clips_dir)
    uploads = Uploading(
        PostgresUploads(database, reception, settings.default_timezone),
        clips,
        Memos(database),
        around.speech,
        turns,
        most_bytes=settings.max_audio_bytes,
    )
    words = LikelyWords(StoreReader(database), own_names=settings.speech_hints).prompt
    transcription = MemoTranscription(memos, inbox, events, turns, clips, around.speech, settings.min_confidence, words)
    keep_abandoned = partial(uploads.finish_abandoned, settings.upload_idle_seconds)
    again = RetryStrategy(max_attempts=3, wait=60)
    jobs = [
        transcription.job(settings.speech_concurrency),
        Job("finish_abandoned_uploads", keep_abandoned, again, every="*/5 * * * *"),
    ]
    return TurnParts(inbox, events, turns, uploads, memos, clips, jobs)


def _inbox(around: TurnNeeds, reception: Recordings) -> Inbox:
    settings = around.settings
    return Inbox(
        around.database,
        around.signals,
        lease_seconds=settings.turn_lease_seconds,
        max_queued=settings.max_queued_turns,
        max_queued_of_user=settings.max_queued_turns_per_user,
        usual_timezone=settings.default_timezone,
        reception=reception,
    )


def _turns(around: TurnNeeds, inbox: Inbox, events: EventLog) -> TurnService:
    settings, database = around.settings, around.database
    runner = TurnRunner(
        inbox,
        around.ledger,
        events,
        around.graph,
        lease_seconds=settings.turn_lease_seconds,
        attempts=settings.turn_attempts,
        prune=_tidying(database, TenantSaver(database, serde=serializer()), events, settings.event_log_size),
    )
    return TurnService(
        inbox=inbox,
        changes=around.ledger,
        events=events,
        runner=runner,
        run_throttle=around.run_throttle,
        shares=Shares(MOST_AT_ONCE, settings.turns_at_once_per_user),
        sweep_seconds=settings.sweep_seconds,
    )


def _tidying(database: Database, saver: TenantSaver, events: EventLog, keep: int) -> Callable[[str], Awaitable[None]]:
    """What grows with every turn, cut back for the thread of a turn (``<user>:<thread>``), and its summary renewed."""

    async def tidy(thread: str) -> None:
        await events.prune(UUID(thread.partition(":")[0]), keep)
        await renew_summary(database, saver, thread)
        await saver.prune_thread(thread)

    return tidy
