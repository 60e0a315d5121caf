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
from app.calendars.model.calendars import CalendarKeeping, Calendars, RenderFeed
from app.calendars.model.synced import CalendarEntering
from app.calendars.store.feeds import Feeds
from app.calendars.store.synced_calendars import CalendarAccounts
from app.database.model import Backlog, ReadyCheck
from app.http.accounts.issuer import Issuer
from app.http.accounts.store.audit import AuditLog
from app.http.accounts.store.portability import Portability
from app.http.accounts.store.users import Users
from app.http.auth import Caller, tenant_of
from app.http.store.replays import Replays
from app.memory.service import Memory
from app.memory.store.topics import Topics
from app.models.local.models_here import ModelsHere
from app.models.model.embeddings import Embedder
from app.models.model.providers import Lacks, Probe
from app.models.model.thinking import Thinker
from app.models.store.credits import Credits
from app.models.store.providers import Providers
from app.principal import Principal, acting_as
from app.records.model.records import ChangeLog, RecordReader
from app.records.store.busy_time import BusyReader
from app.records.store.event_log import EventLog
from app.records.store.notifications import Notifications
from app.records.store.webhooks import Webhooks
from app.settings import Settings
from app.turns.model.turns import Inbox, Preview
from app.turns.service import TurnService
from app.turns.store.threads import Threads
from app.turns.uploads import Uploading
from app.voice.model import Clips, Voice
from app.voice.speech.live import LiveSpeech
from app.voice.speech.service import SpeechService
from app.voice.store.memo_edits import MemoEdits
from app.voice.store.memos import Memos
from app.work.mail.model import MailAccounts
from app.work.mail.servers.mail_servers import SafeMailServers
from app.work.mail.store.outgoing import Outbox
from app.work.projects.folders import AllowedFolders
from app.work.projects.model.projects import CodingAgents
from app.work.projects.store import Projects
from app.work.runs.store.lessons import Lessons
from app.work.runs.store.runs import Runs
from app.work.runs.tool_servers import NamedServers
from app.work.workflows.store import Workflows


@dataclass(frozen=True)
class ModelServices:
    """What the doors need of language models; ``changed`` makes new choices count at once at this server.

    ``solvent`` tells whether a user can pay for the model that messages go to. ``thinker`` is who works on runs.
    """

    providers: Providers
    credits: Credits
    probe: Probe
    lacks: Lacks
    here: ModelsHere
    changed: Callable[[], None]
    solvent: Callable[[UUID], Awaitable[bool]]
    thinker: Thinker


@dataclass(frozen=True)
class ProjectServices:
    """What the doors need of projects."""

    registry: Projects
    folders: AllowedFolders
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
    out: Outbox
    servers: SafeMailServers


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
    memory: Memory
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
    uploads: Uploading
    speech: SpeechService
    voice: Voice
    live: LiveSpeech
    turns: TurnService
    preview: Preview
    calendars: Calendars
    calendar_keeper: CalendarKeeping
    calendar_accounts: CalendarAccounts
    calendar_sync: CalendarEntering
    models: ModelServices
    runs: Runs
    tool_servers: NamedServers
    run_parts: RunParts
    free_busy: BusyReader
    feeds: Feeds
    write_feed: RenderFeed
    identity: Callable[[], Awaitable[str]]
    readiness: Callable[[], Awaitable[list[ReadyCheck]]]
    backlog: Callable[[], Awaitable[Backlog | None]]
    act_as: Callable[[UUID], AbstractContextManager[None]] = _act_as
    tokens: Issuer | None = None


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
