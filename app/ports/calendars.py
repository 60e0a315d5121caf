"""Calendars that cross the border: the private feed out, and calendars of elsewhere in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
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
    """What a token opens: whose feed, how to-dos are shown, and where the user's changes stand."""

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


RenderFeed = Callable[[FeedItems], Awaitable[bytes]]


class Feeds(Protocol):
    """The feeds of users, one each."""

    async def get(self, user_id: UUID) -> Feed | None:
        """The user's feed."""

    async def issue(self, user_id: UUID, digest: bytes, todos: TodosAs) -> Feed:
        """Make the feed, or give it this new token in place of the old one."""

    async def revoke(self, user_id: UUID) -> bool:
        """Close the feed at once; False when there was none."""

    async def find(self, digest: bytes) -> OpenFeed | None:
        """The feed that a token with this SHA-256 opens, of any user: one small statement."""

    async def items(self, feed: OpenFeed, since: datetime, most: int) -> tuple[list[Event], list[ToDo]]:
        """Events that are not over at ``since`` and open to-dos with a deadline, the latest ``most`` of each."""
