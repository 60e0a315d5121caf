"""The composition root: opens every service in order, closes them in reverse, and names the concrete adapters."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from uuid import UUID

from langgraph.config import get_store
from procrastinate import App as JobQueue

from agents.context import LOCAL_USER
from agents.ledger.limits import LedgerLimits
from agents.ports import LongWork, Recollections, Understanding
from app.boundary.model import Outbound
from app.boundary.outbound.http import SafeHttp
from app.calendars.build import compose_calendars
from app.calendars.store.synced_calendars import SyncMarks
from app.database.backlog import BacklogReader
from app.database.build import Say, open_database, readiness, refuse_unsafe_role
from app.database.database import Database
from app.database.jobs import Job
from app.database.model import ReadyCheck
from app.database.pool import Pool
from app.database.pruning import Keeping, Pruner
from app.database.saver import TenantSaver
from app.database.signals import Signals
from app.database.store import TenantStore
from app.http.accounts.build import compose_portability, portability_job
from app.http.accounts.issuer import Issuer
from app.http.accounts.store.audit import AuditLog
from app.http.accounts.store.portability import Portability
from app.http.accounts.store.users import Users
from app.http.deps import ServerState, Services
from app.http.store.replays import Replays
from app.http.telemetry import open_tracing
from app.memory.build import MemoryParts, compose_memory
from app.models.build import LanguageModels, open_language_models, open_quick_model
from app.records.build import NotificationNeeds, compose_notifications
from app.records.reminding import Clock, ReminderLoop, utc_now
from app.records.store.appointments import Appointments
from app.records.store.due_rows import DueRows
from app.records.store.ledger import PostgresLedger
from app.records.store.occurrences import Occurrences, OccurrenceWindow
from app.records.store.pending_reminders import schedule_held
from app.records.store.records import StoreReader
from app.settings import Settings
from app.tracing import agent_span
from app.turns.build import TurnNeeds, compose_turns
from app.turns.preview import Preview
from app.turns.store.summaries import renew_summary
from app.turns.store.threads import Threads
from app.voice.engines.chosen_server import ChosenServers
from app.voice.saying.service import VoiceService
from app.voice.speech.live import LiveSpeech
from app.voice.speech.service import SpeechService
from app.voice.store.memo_edits import MemoEdits
from app.voice.store.memo_rows import MemoRows
from app.work.projects.build import warn_of_agents
from app.work.runs.build import RunNeeds, compose_runs
from app.work.workflows.build import compose_workflows
from app.worker.cleanup import cleanup_jobs
from app.worker.queue import add_jobs, open_queue
from app.worker.worker import run_background
from graph.builder import TurnGraph as Graph
from graph.builder import build_graph
from graph.state import serializer
from graph.store_ledger import StoreLedger


@dataclass(frozen=True)
class Summit:
    """Everything that runs in one process."""

    services: Services
    database: Database
    queue: JobQueue
    jobs: Sequence[Job]
    reminding: ReminderLoop


@dataclass(frozen=True)
class Opened:
    """What has to be closed again, of which the rest is made."""

    signals: Signals
    queue: JobQueue
    speech: SpeechService
    voice: VoiceService
    live: LiveSpeech
    minds: LanguageModels
    memory: MemoryParts


@asynccontextmanager
async def open_summit(
    settings: Settings, say: Say, kind: type[Database] = Database, clock: Clock = utc_now
) -> AsyncIterator[Summit]:
    """Open everything that serving and working need."""
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(open_tracing(settings))
        database = await stack.enter_async_context(open_database(settings, say, kind))
        await refuse_unsafe_role(database)
        await database.identity()  # told by /v1/version, also while the database does not answer
        signals = await stack.enter_async_context(Signals(database))
        queue = await stack.enter_async_context(open_queue(database.url, database.configure, Pool))
        minds = await stack.enter_async_context(open_language_models(settings, database))
        speech = SpeechService(settings, ChosenServers(minds.services.providers).active)
        stack.push_async_callback(speech.close)
        voice = VoiceService(settings, ChosenServers(minds.services.providers, "speech").active)
        stack.push_async_callback(voice.close)
        live = LiveSpeech(settings)
        stack.push_async_callback(live.close)
        memory = compose_memory(settings, database, queue, minds.services.providers, minds.thinker)
        stack.push_async_callback(memory.local.close)
        summit = _compose(settings, database, clock, Opened(signals, queue, speech, voice, live, minds, memory))
        add_jobs(queue, summit.jobs)
        summit.services.tokens = _tokens(settings, summit.services.outbound)
        await summit.services.users.create("local", UUID(LOCAL_USER))
        await summit.services.get(Portability).finish_all()  # what servers left that died
        await stack.enter_async_context(summit.services.turns.running(settings.shutdown_seconds))
        yield summit


@asynccontextmanager
async def open_graph(settings: Settings, say: Say) -> AsyncIterator[Graph]:
    """The graph alone, without turns and jobs: on the database at DATABASE_URL, or on the store that runs it."""
    async with AsyncExitStack() as stack:
        if settings.database_url is None:
            mind = await stack.enter_async_context(open_quick_model(settings))
            yield build_graph(mind, StoreLedger(get_store), agent_timeout=settings.agent_timeout_seconds)
            return
        database = await stack.enter_async_context(open_database(settings, say))
        await refuse_unsafe_role(database)
        signals = await stack.enter_async_context(Signals(database))
        minds = await stack.enter_async_context(open_language_models(settings, database))
        await Users(database).create("local", UUID(LOCAL_USER))
        appointments = Appointments(utc_now, settings.remind_before_days)
        occurrences = Occurrences(_window(settings))
        # A host such as Studio refuses what blocks its loop: the machine's own zone is read from a link.
        ledger = await asyncio.to_thread(_ledger, settings, database, signals, occurrences, appointments)
        yield build_graph(
            minds.understanding, ledger, store=TenantStore(database), agent_timeout=settings.agent_timeout_seconds
        )


@asynccontextmanager
async def serving(
    settings: Settings, say: Say, kind: type[Database] = Database, clock: Clock = utc_now
) -> AsyncIterator[Services]:
    """The services of an API process, with background jobs beside them unless these run apart."""
    async with open_summit(settings, say, kind, clock) as summit, AsyncExitStack() as stack:
        await warn_of_agents(settings, say)
        if settings.workers_in_process:
            await stack.enter_async_context(_jobs_beside(summit, settings))
        yield summit.services


def _compose(settings: Settings, database: Database, clock: Clock, opened: Opened) -> Summit:
    signals, queue, minds, memory = opened.signals, opened.queue, opened.minds, opened.memory
    occurrences, appointments = Occurrences(_window(settings)), Appointments(clock, settings.remind_before_days)
    ledger = _ledger(settings, database, signals, occurrences, appointments)
    records, users, outbound = StoreReader(database), Users(database), _outbound(settings)
    told = (signals.wake, queue, records, users, outbound, occurrences, appointments, clock, ledger)
    notices = compose_notifications(NotificationNeeds(settings, database, *told))
    places = (database, signals, queue, minds, memory, ledger, records, users, outbound, notices.tellers)
    runs = compose_runs(needed := RunNeeds(settings, *places))
    in_step = compose_calendars(settings, database, signals, ledger, users, outbound, queue, appointments)
    graph, store = _graph(settings, database, ledger, minds.understanding, memory.service, runs.long_work)
    parts = compose_turns(TurnNeeds(settings, database, signals, queue, opened.speech, ledger, graph, runs.throttle))
    own = [*memory.services, *notices.services, *in_step.services, *runs.services, minds.services]
    own += [MemoEdits(database, ledger, signals.wake, settings.default_timezone), parts.uploads, AuditLog(database)]
    own += [compose_portability(settings, database), Replays(database)]
    own += [Preview(minds.built_in, ledger, graph, store, quick=settings.quick_text_chars)]
    backlog = BacklogReader(database, settings.metrics_cache_seconds)
    own += [ServerState(database.identity, partial(_readiness, settings, database, opened), backlog.read)]
    services = Services(
        settings=settings,
        inbox=parts.inbox,
        events=parts.events,
        records=records,
        changes=ledger,
        threads=_threads(database),
        users=users,
        memos=parts.memos,
        notifications=notices.notifications,
        outbound=outbound,
        clips=parts.clips,
        speech=opened.speech,
        voice=opened.voice,
        live=opened.live,
        turns=parts.turns,
        items=store,
        own={type(one): one for one in own},
    )
    jobs = [*memory.jobs, *notices.jobs, *in_step.jobs, *parts.jobs, *runs.jobs, *_cleanup(services, database, queue)]
    jobs += compose_workflows(needed, runs, parts.turns, services.threads)
    return Summit(services, database, queue, jobs, notices.reminding)


async def _readiness(settings: Settings, database: Database, opened: Opened) -> list[ReadyCheck]:
    more = [opened.voice.check(), opened.minds.check(), opened.memory.check()]
    return await readiness(settings, database, opened.speech, more)


def _threads(database: Database) -> Threads:
    return Threads(database, partial(renew_summary, database, TenantSaver(database, serde=serializer())))


def _cleanup(services: Services, database: Database, queue: JobQueue) -> Sequence[Job]:
    pruner = Pruner(database, _keeping(services.settings), services.clips.delete)

    async def prune() -> Mapping[str, int]:
        return {**await pruner.prune(), "unfinished recordings": await services.clips.drop_parts()}

    return [portability_job(services.get(Portability)), *cleanup_jobs(queue, prune, services.settings.outbox_days)]


def _graph(
    settings: Settings,
    database: Database,
    ledger: PostgresLedger,
    mind: Understanding,
    memory: Recollections,
    long_work: LongWork,
) -> tuple[Graph, TenantStore]:
    store = TenantStore(database)
    graph = build_graph(
        mind,
        ledger,
        store=store,
        checkpointer=TenantSaver(database, serde=serializer()),
        agent_timeout=settings.agent_timeout_seconds,
        memory=memory,
        long_work=long_work,
        around=agent_span if settings.otlp_endpoint else None,
    )
    return graph, store


def _ledger(
    settings: Settings, database: Database, signals: Signals, occurrences: Occurrences, appointments: Appointments
) -> PostgresLedger:
    return PostgresLedger(
        database,
        signals.wake,
        patience=timedelta(seconds=settings.confirmation_seconds),
        limits=_limits(settings),
        occurrences=occurrences,
        derivers=[DueRows(settings.default_timezone), appointments, MemoRows(), SyncMarks()],
        on_held=schedule_held,
    )


def _outbound(settings: Settings) -> SafeHttp:
    return SafeHttp(settings.allowed_networks, seconds=settings.outbound_seconds)


def _tokens(settings: Settings, outbound: Outbound) -> Issuer | None:
    if not settings.oidc_issuer:
        return None
    from app.http.accounts.issuer import Issuer

    return Issuer(settings.oidc_issuer, settings.oidc_audience, outbound)


def _keeping(settings: Settings) -> Keeping:
    return Keeping(
        outbox_days=settings.outbox_days,
        notification_days=settings.notification_days,
        event_log_days=settings.event_log_days,
        event_log_size=settings.event_log_size,
        memo_days=settings.memory_keep_days,
        audio_days=settings.audio_keep_days,
    )


def _window(settings: Settings) -> OccurrenceWindow:
    return OccurrenceWindow(
        days_back=settings.occurrence_days_back,
        days_ahead=settings.occurrence_days_ahead,
        per_series=settings.occurrences_per_series,
    )


def _limits(settings: Settings) -> LedgerLimits:
    return LedgerLimits(
        list_items=settings.max_list_items,
        event_days=settings.max_event_days,
        recurrence_count=settings.max_recurrence_count,
        look_back=settings.max_look_back,
    )


@asynccontextmanager
async def _jobs_beside(summit: Summit, settings: Settings) -> AsyncIterator[None]:
    working = asyncio.create_task(run_background(summit.queue, summit.jobs, summit.reminding, settings.job_concurrency))
    try:
        yield
    finally:
        working.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await working
