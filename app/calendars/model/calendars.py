"""Calendars that cross the border: the private feed out, and calendars of elsewhere in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol
from uuid import UUID

from agents.records import Event, ToDo

TodosAs = Literal["task", "event", "none"]


@dataclass(frozen=True)
class Feed:
    """A user's feed as it may be shown again: never its token."""

    todos: TodosAs
    created_at: datetime


@dataclass(frozen=True)
class OpenFeed:
    """The feed behind a token: its user, how to-dos are shown, and the user's last change."""

    user_id: UUID
    digest: bytes
    todos: TodosAs
    cursor: int
    timezone: str | None


@dataclass(frozen=True)
class FeedItems:
    """What a feed shows; ``timezone`` is for events that name none."""

    events: list[Event]
    todos: list[ToDo]
    todos_as: TodosAs
    timezone: str


@dataclass(frozen=True, slots=True)
class BusyTime:
    """One occurrence in a calendar of elsewhere: ``item`` is its event's id there, ``end`` is exclusive."""

    item: str
    title: str
    start: datetime
    end: datetime
    whole_day: bool
    busy: bool


@dataclass(frozen=True)
class CalendarContents:
    """A calendar as it was read: what it says, and what is needed to read it again or to see that it is the same."""

    name: str
    events: int
    busy: list[BusyTime]
    warnings: list[str]
    refresh_seconds: int | None
    read_until: datetime
    content: bytes
    digest: bytes
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True)
class ImportedCalendar:
    """A calendar of elsewhere as it may be shown. ``url`` is None for a file."""

    id: UUID
    name: str
    url: str | None
    events: int
    occurrences: int
    warnings: list[str]
    error: str | None
    error_at: datetime | None
    created_at: datetime
    last_refreshed: datetime | None
    next_refresh: datetime


@dataclass(frozen=True)
class CalendarSource:
    """What a refresh begins with. ``content`` is what was read last."""

    id: UUID
    url: str | None
    content: bytes | None
    digest: bytes | None
    etag: str | None
    last_modified: str | None
    refresh_seconds: int | None
    read_until: datetime | None
    failures: int


class CalendarRefused(Exception):  # noqa: N818 - an outcome of reading
    """A file or an address that gives no calendar; the message says why, for people."""


class Calendars(Protocol):
    """Calendars of elsewhere as they are read again."""

    async def claim(self, user_id: UUID, calendar_id: UUID, seconds: float) -> CalendarSource | None:
        """Begin a refresh that is due, which nobody else begins for ``seconds``; None when it is not due."""

    async def keep(self, user_id: UUID, calendar_id: UUID, contents: CalendarContents, next_refresh: datetime) -> None:
        """Replace everything that was known of the calendar, at once; nothing when it was deleted meanwhile."""

    async def mark_unchanged(self, user_id: UUID, calendar_id: UUID, next_refresh: datetime) -> None:
        """The calendar is as it was."""

    async def mark_failed(self, user_id: UUID, calendar_id: UUID, error: str, next_refresh: datetime) -> None:
        """It could not be read: what is known stays, and the error is shown."""

    async def due(self, how_many: int) -> Sequence[tuple[UUID, UUID]]:
        """(user, calendar) of refreshes that are due, of any user."""
