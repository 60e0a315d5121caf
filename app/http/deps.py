"""What a request is served with; the composition root fills it, each request reads it from its state."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar
from uuid import UUID

from fastapi import Depends, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from langgraph.store.base import BaseStore

from app.boundary.model import Outbound
from app.database.model import Backlog, ReadyCheck
from app.http.accounts.issuer import Issuer
from app.http.accounts.store.users import Users
from app.http.auth import Caller, tenant_of
from app.principal import Principal, acting_as
from app.records.model.records import ChangeLog, RecordReader
from app.records.store.event_log import EventLog
from app.records.store.notifications import Notifications
from app.settings import Settings
from app.turns.service import TurnService
from app.turns.store.inbox import Inbox
from app.turns.store.threads import Threads
from app.voice.model import Clips, Voice
from app.voice.speech.live import LiveSpeech
from app.voice.speech.service import SpeechService
from app.voice.store.memos import Memos

Part = TypeVar("Part")


@contextmanager
def act_as(user_id: UUID) -> Iterator[None]:
    """Do all work inside in the name of one user."""
    with acting_as(Principal(user_id)):
        yield


@dataclass(frozen=True)
class ServerState:
    """What is asked about this server: which database it has, whether it is ready, and what waits."""

    identity: Callable[[], Awaitable[str]]
    readiness: Callable[[], Awaitable[list[ReadyCheck]]]
    backlog: Callable[[], Awaitable[Backlog | None]]


@dataclass
class Services:
    """What routes of many slices need; ``own`` has by its type what the routes of one slice need.

    ``items`` is the store of the graph.
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
    notifications: Notifications
    outbound: Outbound
    clips: Clips
    speech: SpeechService
    voice: Voice
    live: LiveSpeech
    turns: TurnService
    own: Mapping[type[Any], Any]
    tokens: Issuer | None = None

    def get(self, kind: type[Part]) -> Part:
        """Return the service of a slice; raises KeyError for one that the composition root did not hand in."""
        part: Part = self.own[kind]
        return part


bearer = HTTPBearer(
    scheme_name="ApiKey",
    description="A user's key, `sk_summit_...`. A server on loopback without any key needs none.",
    auto_error=False,
)


async def services_of(request: Request) -> Services:
    """The services of this process."""
    services: Services = request.state.services
    return services


def provide(kind: type[Part]) -> Callable[[Request], Awaitable[Part]]:
    """Return the dependency by which routes take a service of their slice."""

    async def find(request: Request) -> Part:
        services: Services = request.state.services
        return services.get(kind)

    return find


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
