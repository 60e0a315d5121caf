"""The part of the composition root that is about runs: their storage, their tools, their worker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from ipaddress import ip_network

from procrastinate import App

from agents.ports import LongWork
from app.boundary.confinement.programs import SandboxedPrograms
from app.boundary.model import Outbound
from app.boundary.outbound.http import SafeHttp
from app.boundary.programs import Programs
from app.database.database import Database
from app.database.jobs import Job
from app.database.saver import TenantSaver
from app.database.signals import Signals
from app.http.accounts.store.users import Users
from app.memory.build import MemoryParts
from app.models.build import LanguageModels
from app.records.model.records import ChangeLog, RecordReader
from app.records.store.announcing import Teller
from app.settings import Settings
from app.turns.run_throttle import RunThrottle
from app.work.conversation import ProjectsByName, RunsOfConversation
from app.work.mail.build import compose_mail
from app.work.mail.services import MailServices
from app.work.projects.build import compose_pipeline, compose_projects
from app.work.projects.store import Projects
from app.work.runs.browser import ChromiumBrowser
from app.work.runs.engine import Engine
from app.work.runs.jobs import defer_run, run_jobs
from app.work.runs.lessons import LessonRetriever
from app.work.runs.limits import most_of
from app.work.runs.store.lessons import Lessons
from app.work.runs.store.run_work import PostgresRunWork
from app.work.runs.store.runs import Runs
from app.work.runs.tool_servers import NamedServers
from app.work.runs.tools.changes import RunChanges
from app.work.runs.tools.files import file_tools
from app.work.runs.tools.people import people_tools
from app.work.runs.tools.programs import ProgramTools
from app.work.runs.tools.recall import MemoryTools
from app.work.runs.tools.records import RecordTools
from app.work.runs.tools.tool import Registry, Tool, registry_of
from app.work.runs.tools.web import WebTools
from app.work.runs.worker import RunSurroundings, RunWorker
from app.work.workflows.jobs import defer_workflow
from app.work.workflows.store import Workflows
from graph.state import serializer

ANYWHERE = [ip_network("0.0.0.0/0"), ip_network("::/0")]
"""A search service is the administrator's choice, and often stands in a private network."""


@dataclass(frozen=True)
class RunNeeds:
    """What runs need of the rest."""

    settings: Settings
    database: Database
    signals: Signals
    queue: App
    models: LanguageModels
    memory: MemoryParts
    changes: ChangeLog
    records: RecordReader
    users: Users
    outbound: Outbound
    tellers: Sequence[Teller]


@dataclass(frozen=True)
class RunServices:
    """What doors and jobs need of runs."""

    services: Sequence[object]
    jobs: Sequence[Job]
    long_work: LongWork
    servers: NamedServers
    workflows: Workflows
    mail: MailServices
    throttle: RunThrottle


def compose_runs(around: RunNeeds) -> RunServices:
    """Compose it; nothing is started."""
    settings, database = around.settings, around.database
    put_run = partial(defer_run, around.queue)
    runs = Runs(database, around.signals, put_run, heartbeat_seconds=settings.heartbeat_seconds)
    patience = timedelta(hours=settings.approval_hours)
    work = PostgresRunWork(
        database,
        around.signals,
        put_run,
        patience=patience,
        tellers=around.tellers,
        most_lessons=settings.run_lessons,
    )
    saver = TenantSaver(database, serde=serializer())
    servers = NamedServers(settings.mcp_servers, seconds=settings.mcp_seconds)
    programs = _programs(settings)
    surroundings = RunSurroundings(
        lambda user_id: settings.data_dir / "files" / str(user_id),
        around.users,
        settings.default_timezone,
        servers=servers,
        server_seconds=settings.mcp_seconds,
        programs=programs,
        learns=settings.run_lessons > 0,
    )
    lessons = Lessons(database)
    recalling = LessonRetriever(lessons, around.memory.embedders)
    run_throttle = RunThrottle()
    engine = Engine(around.models.thinker, work, _registry(around, programs), recalling, run_throttle)
    pipeline = compose_pipeline(settings, database, work, around.models.thinker, recalling)
    forget = partial(saver.prune_thread, keep="nothing")
    worker = RunWorker(engine, work, saver, surroundings, forget, pipeline)
    workflows = Workflows(database, around.signals, partial(defer_workflow, around.queue), most=settings.max_workflows)
    mail, mail_jobs = compose_mail(settings, database, around.signals, around.queue, around.tellers)
    named = _projects_by_name(settings, database)
    long_work = RunsOfConversation(runs, around.models.thinker, most_of(settings), workflows, mail.out, named)
    jobs = [*run_jobs(worker, runs, work, settings.run_concurrency), *mail_jobs]
    services = [runs, lessons, programs, servers, workflows, mail, compose_projects(settings, database)]
    return RunServices(services, jobs, long_work, servers, workflows, mail, run_throttle)


def _projects_by_name(settings: Settings, database: Database) -> ProjectsByName | None:
    if not settings.project_folders:
        return None
    return ProjectsByName(Projects(database, most=settings.max_projects), most_of(settings, project=True))


def _programs(settings: Settings) -> SandboxedPrograms:
    return SandboxedPrograms(
        seconds=settings.program_seconds,
        memory_bytes=settings.program_memory_bytes,
        output_chars=settings.run_output_chars,
        hidden=[settings.data_dir],
    )


def _registry(around: RunNeeds, programs: Programs) -> Registry:
    settings = around.settings
    searching = SafeHttp(ANYWHERE, seconds=settings.outbound_seconds)
    browser = ChromiumBrowser(settings.browser, around.outbound, settings.browser_seconds) if settings.browser else None
    no_browser = browser.objection() if browser else "SUMMIT_BROWSER names no Chromium"
    changes = RunChanges(around.changes, around.records)
    tools: list[Tool] = [
        *people_tools(),
        *RecordTools(changes, around.records).tools(),
        *MemoryTools(around.memory.service, changes).tools(),
        *file_tools(),
        *ProgramTools(programs, settings.program_seconds).tools(),
        *WebTools(
            around.outbound, searching, settings.search_url, settings.page_hosts, None if no_browser else browser
        ).tools(),
    ]
    no_search = "" if settings.search_url else "SUMMIT_SEARCH_URL names no service"
    absent = {"browse_page": no_browser, "search_web": no_search}
    return registry_of(tools, {name: why for name, why in absent.items() if why})
