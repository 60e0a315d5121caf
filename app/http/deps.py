"""What a request is served with; the composition root fills it, each request reads it from its state."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from langgraph.store.base import BaseStore

from app.boundary.model import Outbound
from app.boundary.programs import Programs
from app.calendars.model.calendars import CalendarKeeping, Calendars, Feeds, RenderFeed
from app.calendars.model.synced import CalendarAccounts, CalendarEntering
from app.database.model import Backlog, ReadyCheck
from app.http.accounts.model.audit import AuditLog
from app.http.accounts.model.portability import Portability
from app.http.accounts.model.tokens import Tokens
from app.http.accounts.model.users import Users
from app.http.auth import Caller, tenant_of
from app.http.model import Replays
from app.memory.model.memory import MemoryAnswers
from app.memory.model.topics import Topics
from app.models.model.credits import Credits
from app.models.model.embeddings import Embedder
from app.models.model.local_models import LocalModels
from app.models.model.providers import Lacks, Probe, Providers
from app.models.model.thinking import Thinker
from app.principal import Principal, acting_as
from app.records.model.busy import FreeBusy
from app.records.model.events import EventLog
from app.records.model.notices import Notifications, Webhooks
from app.records.model.records import ChangeLog, RecordReader
from app.settings import Settings
from app.turns.model.threads import Threads
from app.turns.model.turns import Inbox, Preview, Turns
from app.turns.model.uploads import Receiving
from app.voice.model import Clips, LiveSpeech, MemoEdits, Memos, Speech, Voice
from app.work.mail.model import MailAccounts, MailOut, MailServers
from app.work.projects.model.projects import CodingAgents, ProjectFolders, Projects
from app.work.runs.model.lessons import Lessons
from app.work.runs.model.runs import Runs
from app.work.runs.model.tool_servers import ToolServers
from app.work.workflows.model import Workflows


@dataclass(frozen=True)
class ModelServices:
    """What the doors need of language models; ``changed`` makes new choices count at once at this server.

    ``solvent`` tells whether a user can pay for the model that messages go to. ``thinker`` is who works on runs.
    """

    providers: Providers
    credits: Credits
    probe: Probe
    lacks: Lacks
    here: LocalModels
    changed: Callable[[], None]
    solvent: Callable[[UUID], Awaitable[bool]]
    thinker: Thinker


@dataclass(frozen=True)
class ProjectServices:
    """What the doors need of projects."""

    registry: Projects
    folders: ProjectFolders
    agents: CodingAgents


@dataclass(frozen=True)
class RunParts:
    """What doors of runs use beside the runs themselves."""

    programs: Programs
    lessons: Lessons


@dataclass(frozen=True)
class MailServices:
    """What the doors need of the mail of users."""

    accounts: MailAccounts
    out: MailOut
    servers: MailServers


@contextmanager
def _act_as(user_id: UUID) -> Iterator[None]:
    with acting_as(Principal(user_id)):
        yield


@dataclass
class Services:
    """Everything the doors need, as ports. ``act_as`` sets the tenant for all work done inside it.

    ``identity`` tells the database of this server from every other one; ``items`` is the store of the graph.
    """

    settings: Settings
    inbox: Inbox
    events: EventLog
    records: RecordReader
    changes: ChangeLog
    threads: Threads
    items: BaseStore
    users: Users
    memos: Memos
    memo_edits: MemoEdits
    memory: MemoryAnswers
    topics: Topics
    workflows: Workflows
    mail: MailServices
    embedder: Embedder
    notifications: Notifications
    webhooks: Webhooks
    projects: ProjectServices
    portability: Portability
    audit: AuditLog
    outbound: Outbound
    replays: Replays
    clips: Clips
    uploads: Receiving
    speech: Speech
    voice: Voice
    live: LiveSpeech
    turns: Turns
    preview: Preview
    calendars: Calendars
    calendar_keeper: CalendarKeeping
    calendar_accounts: CalendarAccounts
    calendar_sync: CalendarEntering
    models: ModelServices
    runs: Runs
    tool_servers: ToolServers
    run_parts: RunParts
    free_busy: FreeBusy
    feeds: Feeds
    write_feed: RenderFeed
    identity: Callable[[], Awaitable[str]]
    readiness: Callable[[], Awaitable[list[ReadyCheck]]]
    backlog: Callable[[], Awaitable[Backlog | None]]
    act_as: Callable[[UUID], AbstractContextManager[None]] = _act_as
    tokens: Tokens | None = None


bearer = HTTPBearer(
    scheme_name="ApiKey",
    description="A user's key, `sk_summit_...`. A server on loopback without any key needs none.",
    auto_error=False,
)


async def services_of(request: Request) -> Services:
    """The services of this process."""
    services: Services = request.state.services
    return services


async def caller_of(
    request: Request,
    _documented: Annotated[HTTPAuthorizationCredentials | None, Security(bearer)],
) -> Caller:
    """Who the identity middleware found."""
    caller: Caller = request.state.caller
    return caller


async def user_of(caller: Annotated[Caller, Depends(caller_of)]) -> UUID:
    """The tenant of this request; raises Forbidden for the administrator, who has none."""
    return tenant_of(caller)


Provided = Annotated[Services, Depends(services_of)]
Called = Annotated[Caller, Depends(caller_of)]
Tenant = Annotated[UUID, Depends(user_of)]
