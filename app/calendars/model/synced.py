"""Calendars and task lists of elsewhere that are kept in step: the provider, and what is known of each side.

A list of tasks is a calendar that ``holds`` tasks; what is said here of events is true of tasks, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol
from uuid import UUID

from agents.contract import Op
from agents.records import Kind

Fields = Mapping[str, Any]
"""What one event or task says, in one form for both sides: its synced fields in JSON form."""
State = Fields | None
"""An event on one side; None where it is not, or not any more."""
Direction = Literal["off", "in", "both"]
Collects = Literal["none", "new", "all"]
Keep = Literal["here", "there"]
Provider = Literal["caldav", "google"]
Holds = Literal["events", "tasks"]
Form = Literal["caldav", "caldav-tasks", "google", "google-tasks"]
"""How a calendar is spoken to, and what its files look like."""
FORMS: Mapping[Provider, Sequence[Form]] = {"caldav": ["caldav"], "google": ["google", "google-tasks"]}
"""Who is asked for all that an account has: with CalDAV one knows calendars and lists."""
TASK_FORMS: Mapping[Provider, Form] = {"caldav": "caldav-tasks", "google": "google-tasks"}
KINDS: Mapping[Holds, Kind] = {"events": "event", "tasks": "todo"}
OURS = "@summit"
"""How the UID of what began here ends."""
TO_BE_NAMED = "summit:"
"""How the name of a file begins that its server has still to name."""
MASTER = ""
"""The instance of a single event or of a whole series; others are named by the time of the occurrence they replace."""


@dataclass(frozen=True)
class Login:
    """Where an account is, and how to enter it; with Google the password is a refresh token."""

    url: str
    username: str
    password: str = field(repr=False)
    provider: Provider = "caldav"


def form_of(provider: Provider, holds: Holds) -> Form:
    """The form of a calendar, or of a list of tasks."""
    return TASK_FORMS[provider] if holds == "tasks" else provider


@dataclass(frozen=True)
class RemoteCalendar:
    """A calendar as its server shows it."""

    url: str
    name: str
    color: str | None = None
    writable: bool = True
    holds: Holds = "events"


@dataclass(frozen=True)
class RemoteItem:
    """The file of an event, with the occurrences of it that were changed.

    ``marked``: it still carries what it was written with to be known again; writing it once more takes that out.
    """

    etag: str | None
    text: str
    marked: bool = False


@dataclass(frozen=True)
class Stored:
    """A file that was written: its ETag if that is told, and its name where its server gives it one."""

    etag: str | None
    name: str | None = None


@dataclass(frozen=True)
class RemoteChanges:
    """What changed since a token: names with their ETags, and names that are gone.

    With ``whole`` it is everything that is there, and whatever is not listed is not there. ``items`` are files that
    came with the list; the others are to be fetched. Those of ``only_known`` are no news where they are not known.
    """

    changed: Mapping[str, str | None]
    gone: Sequence[str]
    token: str | None
    whole: bool
    items: Mapping[str, RemoteItem] = field(default_factory=dict)
    only_known: frozenset[str] = frozenset()


class RemoteRefused(Exception):  # noqa: N818 - an outcome
    """The server will not do that, also at another try; the message says why, for people."""


class RemoteFailed(Exception):  # noqa: N818 - the state it is in
    """The server did not answer as it should; another try may succeed."""


class RemoteMoved(Exception):  # noqa: N818 - an outcome
    """What was to be written has changed there since it was read."""


class RemoteCalendars(Protocol):
    """A provider of calendars. Each raises RemoteRefused or RemoteFailed."""

    async def find(self, login: Login) -> Sequence[RemoteCalendar]:
        """The calendars of an account."""

    async def changes(self, login: Login, url: str, token: str | None) -> RemoteChanges:
        """What changed in a calendar."""

    async def fetch(self, login: Login, url: str, names: Sequence[str]) -> Mapping[str, RemoteItem]:
        """The files with these names that are there."""

    async def put(self, login: Login, url: str, name: str, item: RemoteItem) -> Stored:
        """Write a file over the one with that ETag, or a new one where it has none.

        Raises RemoteMoved.
        """

    async def delete(self, login: Login, url: str, name: str, etag: str | None) -> None:
        """Delete the file with that ETag, unless it is gone already. Raises RemoteMoved."""


@dataclass(frozen=True)
class ReadItem:
    """What a file says: its events by instance, or why it is not taken over."""

    uid: str
    parts: Mapping[str, Fields]
    problem: str | None = None


@dataclass(frozen=True)
class Target:
    """What an instance is to say from now on, and the groups of fields that changed; no fields: it goes."""

    fields: State
    groups: Sequence[str] = ()


@dataclass(frozen=True)
class PendingWrite:
    """A file that is to change; ``text`` is what it was, None for a new one."""

    uid: str
    text: str | None
    parts: Mapping[str, Target]


@dataclass(frozen=True)
class Written:
    """The file as it is to be, and how it reads; without text nothing is left of it."""

    text: str | None
    reading: ReadItem


class ItemFiles(Protocol):
    """Reads and writes the files of events. Raises RemoteRefused where they take too long or too much."""

    async def read(self, texts: Sequence[str], timezone: str) -> Sequence[ReadItem]:
        """What each file says; times without a zone are read in ``timezone``."""

    async def write(self, wanted: Sequence[PendingWrite], timezone: str) -> Sequence[Written]:
        """The changed files; everything in them that Summit knows nothing of stays."""

    async def close(self) -> None:
        """Let go of what reading needs."""


@dataclass(frozen=True)
class CalendarAccount:
    """An account with a provider as it may be shown: never its password."""

    id: UUID
    name: str
    url: str
    username: str
    created_at: datetime
    provider: Provider


@dataclass(frozen=True)
class SyncedCalendar:
    """A calendar of an account, chosen or not, and how it is."""

    id: UUID
    account_id: UUID
    url: str
    name: str
    color: str | None
    writable: bool
    holds: Holds
    direction: Direction
    collects: Collects
    events: int
    conflicts: int
    problems: Sequence[str]
    gone: int
    error: str | None
    error_at: datetime | None
    last_synced: datetime | None
    next_sync: datetime | None


@dataclass(frozen=True)
class Claim:
    """The right to keep one calendar in step, until somebody else takes it."""

    user_id: UUID
    calendar_id: UUID
    account_id: UUID
    generation: int
    url: str
    name: str
    token: str | None
    writable: bool
    direction: Direction
    collects: Collects
    gone: Sequence[str]
    failures: int
    provider: Provider
    holds: Holds = "events"

    @property
    def form(self) -> Form:
        """How it is spoken to."""
        return form_of(self.provider, self.holds)


@dataclass(frozen=True)
class KnownItem:
    """A file that is known; it is ``there`` as long as its server lists it.

    ``begun``: it was being written for the first time, and how that ended was never told. ``carried``: something of it
    is kept in step.
    """

    etag: str | None
    there: bool
    begun: bool = False
    carried: bool = True


@dataclass(frozen=True)
class Incoming:
    """A file as it was read now; without an item it is gone."""

    name: str
    item: RemoteItem | None
    reading: ReadItem | None


@dataclass(frozen=True)
class OutgoingPart:
    """One instance as it is here and as both sides last agreed on it."""

    local: State
    base: State
    version: int


@dataclass(frozen=True)
class Outgoing:
    """A file with changes from here that are not there yet."""

    name: str
    uid: str
    etag: str | None
    text: str | None
    parts: Mapping[str, OutgoingPart]


@dataclass(frozen=True)
class SyncConflict:
    """An event that was changed on both sides: as it is here, as it is there, and as both last agreed on it."""

    id: UUID
    calendar_id: UUID
    calendar: str
    record_id: str | None
    title: str
    here: State
    there: State
    before: State
    fields: Sequence[str]
    at: datetime
    holds: Holds


@dataclass(frozen=True)
class Base:
    """What both sides last agreed on, as each of them says it: not all that one can say can be said on the other."""

    local: State = None
    remote: State = None


@dataclass(frozen=True)
class Merged:
    """What follows: an operation here, or a conflict over some groups, or neither.

    ``local`` is what is agreed on from now on as it is said here, before the operation; of the ``carried`` groups it is
    what the operation makes of them. ``remote`` is the same as it is said there.
    """

    op: Literal["create", "update", "delete"] | None = None
    fields: Fields | None = None
    carried: tuple[str, ...] = ()
    clash: tuple[str, ...] = ()
    local: State = None
    remote: State = None


class MergeRules(Protocol):
    """How two sides of an event, or of a task, come together; pure."""

    @property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """The fields that belong together."""

    def state(self, record: Mapping[str, Any] | None) -> State:
        """The synced fields of a record here, in one form."""

    def is_news(self, state: Fields) -> bool:
        """Whether this is taken over where it was not known before: what was done before stays where it is."""

    def to_ledger_change(
        self, op: Op, fields: Fields, record: Mapping[str, Any] | None, zone: str
    ) -> tuple[Op, Fields]:
        """What an operation on the state is for the ledger, which has this record; ``zone`` is the user's."""

    def merge(self, base: Base, local: State, remote: State) -> Merged:
        """What is to be done about two states."""

    def take_over(self, local: State, remote: State) -> Merged:
        """What makes this side like the other one, whatever was agreed on."""

    def agreed_state(self, merged: Merged, after: State) -> State:
        """What is agreed on, as it is said here, once the operation has made the event ``after``."""

    def differing(self, left: State, right: State) -> tuple[str, ...]:
        """The groups in which two states differ."""


@dataclass(frozen=True)
class SignIn:
    """Where a person allows the access, and until when that counts."""

    url: str
    expires_at: datetime
