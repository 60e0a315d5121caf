"""Reminders, the notifications that they become, and their other channels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol
from uuid import UUID

from agents.rendering.day_summary import Happening
from app.database.model import Page

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


class Notifications(Protocol):
    """A user's notifications."""

    async def list(self, user_id: UUID, limit: int, cursor: str | None, *, open_only: bool = False) -> Page:
        """The latest first."""

    async def get(self, user_id: UUID, notification_id: UUID) -> Notification | None:
        """One notification."""

    async def unacknowledged(self, user_id: UUID, up_to: int, most: int) -> Sequence[Notification]:
        """The latest ones nobody acknowledged, of events up to ``up_to``; oldest first."""

    async def unmailed(self, user_id: UUID, notification_id: UUID) -> Notification | None:
        """One notification, unless it was mailed."""

    async def mailed(self, user_id: UUID, notification_id: UUID) -> None:
        """It was handed to the mail server."""

    async def settle(
        self,
        user_id: UUID,
        notification_id: UUID,
        outcome: NotificationOutcome,
        snoozed_until: datetime | None = None,
    ) -> Notification | None:
        """Write down what the user did about it; the row as it is then."""


class Days(Protocol):
    """What takes place on a day."""

    async def happenings(self, user_id: UUID, since: datetime, until: datetime, most: int) -> Sequence[Happening]:
        """Appointments of any calendar that overlap a stretch of time, whole days first, by the clock of ``since``."""


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


class Webhooks(Protocol):
    """Addresses that receive notifications, and the deliveries to them."""

    async def create(
        self, user_id: UUID, url: str, form: WebhookFormat, secret: str, webhook_id: UUID | None = None
    ) -> Webhook:
        """Register an address; raises Conflict when there are too many."""

    async def list(self, user_id: UUID) -> Sequence[Webhook]:
        """Every address, the oldest first."""

    async def get(self, user_id: UUID, webhook_id: UUID) -> Webhook | None:
        """One address."""

    async def delete(self, user_id: UUID, webhook_id: UUID) -> bool:
        """Forget an address, with what is on its way to it."""

    async def deliveries(self, user_id: UUID, webhook_id: UUID, limit: int, cursor: str | None) -> Page:
        """What was and is on its way, the latest first."""

    async def again(self, user_id: UUID, webhook_id: UUID, delivery_id: UUID) -> Delivery | None:
        """Send a dead delivery again; None when it is not dead."""

    async def parcel(self, user_id: UUID, delivery_id: UUID) -> Parcel | None:
        """What has to be sent where; None when nothing has (any more)."""

    async def delivered(self, user_id: UUID, delivery_id: UUID, status: int) -> None:
        """It arrived."""

    async def failed(
        self, user_id: UUID, delivery_id: UUID, status: int | None, error: str, next_at: datetime | None
    ) -> None:
        """It did not arrive; without a next attempt it is dead."""


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
