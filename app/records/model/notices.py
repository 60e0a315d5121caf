"""Reminders, the notifications that they become, and their other channels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol
from uuid import UUID

NotificationKind = Literal["reminder", "briefing", "question", "workflow"]
NotificationOutcome = Literal["acknowledged", "snoozed", "done"]


@dataclass(frozen=True)
class Notification:
    """A reminder that fired, what a run asks, or what a workflow tells.

    ``due_at`` is when it should have fired, ``outcome`` what the user did about it.
    """

    id: UUID
    kind: NotificationKind
    record_kind: str
    record_id: str
    title: str
    text: str
    due_at: datetime
    fired_at: datetime
    late_seconds: int
    event_seq: int
    outcome: NotificationOutcome | None
    acknowledged_at: datetime | None
    snoozed_until: datetime | None


@dataclass(frozen=True)
class Claimed:
    """A due reminder that this process holds; ``generation`` is the fencing token of its lease."""

    user_id: UUID
    kind: str
    record_id: str
    due_at: datetime
    stated: bool
    generation: int


class Outbox(Protocol):
    """The reminders that wait, of all tenants."""

    async def due(self, moment: datetime, most: int) -> Sequence[tuple[UUID, datetime]]:
        """(user, earliest time) of the users with reminders due up to a time, earliest first."""

    async def claim(self, user_id: UUID, now: datetime, most: int) -> Sequence[Claimed]:
        """Lease what is due of one user; what another process holds is left to it."""

    async def deliver(
        self, user_id: UUID, claimed: Sequence[Claimed], now: datetime, day: str = ""
    ) -> Sequence[Notification]:
        """Commit notifications, events, the next rounds and the jobs that tell them elsewhere, at once.

        What was lost to another process or changed meanwhile is left out. ``day`` are the words of a briefing.
        """


class MailFailed(Exception):  # noqa: N818 - the state it is in
    """The mail server did not take a message; ``final`` when it never will."""

    def __init__(self, why: str, *, final: bool = False) -> None:
        super().__init__(why)
        self.final = final


class Mail(Protocol):
    """Hands messages to a mail server."""

    async def send(self, to: str, subject: str, text: str, message_id: str) -> None:
        """Hand one message over; raises MailFailed."""


WebhookFormat = Literal["json", "text"]
DeliveryState = Literal["pending", "delivered", "dead"]


@dataclass(frozen=True)
class Webhook:
    """An address that receives notifications."""

    id: UUID
    url: str
    format: WebhookFormat
    created_at: datetime


@dataclass(frozen=True)
class Delivery:
    """One notification on its way to one webhook; ``dead`` means given up."""

    id: UUID
    webhook_id: UUID
    notification_id: UUID
    state: DeliveryState
    attempts: int
    status: int | None
    error: str | None
    next_at: datetime | None
    created_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True)
class Parcel:
    """A delivery with all that an attempt needs; ``attempts`` were made before."""

    id: UUID
    attempts: int
    notification_id: UUID
    webhook_id: UUID
    url: str
    format: WebhookFormat
    secret: str


def document_of(notification: Notification) -> dict[str, Any]:
    """A notification as events and webhooks tell it."""
    return {
        "id": str(notification.id),
        "kind": notification.kind,
        "record_kind": notification.record_kind,
        "record_id": notification.record_id,
        "title": notification.title,
        "text": notification.text,
        "due_at": notification.due_at.isoformat(),
        "fired_at": notification.fired_at.isoformat(),
        "late_seconds": notification.late_seconds,
    }
