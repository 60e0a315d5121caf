"""Jobs that tell a notification elsewhere: to webhooks and by mail."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from procrastinate import App, RetryStrategy
from psycopg import AsyncConnection

from app.database.jobs import Job, defer
from app.http.accounts.store.users import Users
from app.records.jobs.webhooks import WebhookPoster
from app.records.model.notices import Mail, MailFailed, Notification
from app.records.store.notifications import Notifications

log = logging.getLogger(__name__)

WEBHOOK, MAIL = "deliver_webhook", "mail_notification"
# A crash of the worker is no attempt at the address, and attempts at the address are counted with its delivery.
CRASHES = RetryStrategy(max_attempts=10, wait=2)
MAILING = RetryStrategy(max_attempts=8, exponential_wait=5)


@dataclass(frozen=True)
class Mailing:
    """Mails notifications to users who gave an address; ``mail`` is None where no SMTP server is set."""

    notifications: Notifications
    users: Users
    mail: Mail | None

    async def send(self, user_id: UUID, notification_id: UUID) -> None:
        """Mail one notification unless it was; raises MailFailed when another try may succeed."""
        user = await self.users.get(user_id)
        address: str | None = user.settings.get("email") if user else None
        told = await self.notifications.get_unmailed(user_id, notification_id)
        if self.mail is None or not address or told is None:
            return
        try:
            await self.mail.send(address, told.title, told.text, str(told.id))
        except MailFailed as failure:
            if not failure.final:
                raise
            log.warning("the mail server refuses a notification for good (%s)", failure)
        await self.notifications.mark_mailed(user_id, notification_id)


def delivery_jobs(post: WebhookPoster, mailing: Mailing) -> Sequence[Job]:
    """Return what makes one attempt at a delivery (the next one is a job of its own), and what mails a notification."""
    return [Job(WEBHOOK, post.deliver, CRASHES), Job(MAIL, mailing.send, MAILING)]


async def defer_delivery(
    queue: App, conn: AsyncConnection[Any], user_id: UUID, delivery_id: UUID, at: datetime | None = None
) -> None:
    """Make an attempt at a delivery once ``conn`` commits, or at a later moment."""
    await defer(queue, WEBHOOK, conn, at=at, user_id=user_id, delivery_id=delivery_id)


async def defer_mails(
    queue: App, conn: AsyncConnection[Any], user_id: UUID, notifications: Sequence[Notification]
) -> None:
    """Mail notifications once ``conn`` commits."""
    for notification in notifications:
        await defer(queue, MAIL, conn, user_id=user_id, notification_id=notification.id)
