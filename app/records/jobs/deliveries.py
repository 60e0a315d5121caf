"""Jobs that tell a notification elsewhere: to webhooks and by mail."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from procrastinate import Blueprint, JobContext, RetryStrategy

from app.database.job_context import SERVICES
from app.http.accounts.store.users import Users
from app.principal import Principal, acting_as
from app.records.jobs.webhooks import WebhookPoster
from app.records.model.notices import Mail, MailFailed
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


@dataclass(frozen=True)
class ExternalDelivery:
    """What telling a notification elsewhere needs."""

    post: WebhookPoster
    mailing: Mailing


def add_deliveries(made: Blueprint) -> None:
    """The tasks of this module."""
    made.task(name=WEBHOOK, pass_context=True, retry=CRASHES)(deliver_webhook)
    made.task(name=MAIL, pass_context=True, retry=MAILING)(mail_notification)


async def deliver_webhook(context: JobContext, *, user_id: str, delivery_id: str) -> None:
    """Make one attempt at a delivery; the next one is a job of its own."""
    user = UUID(user_id)
    with acting_as(Principal(user)):
        await _elsewhere(context).post.deliver(user, UUID(delivery_id))


async def mail_notification(context: JobContext, *, user_id: str, notification_id: str) -> None:
    """Mail one notification."""
    user = UUID(user_id)
    with acting_as(Principal(user)):
        await _elsewhere(context).mailing.send(user, UUID(notification_id))


def _elsewhere(context: JobContext) -> ExternalDelivery:
    services: Any = context.additional_context[SERVICES]
    elsewhere: ExternalDelivery = services.elsewhere
    return elsewhere
