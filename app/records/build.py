"""The part of the composition root that is about reminders: what finds them, tells them and passes them on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from app.boundary.model import Outbound
from app.database.database import Database
from app.database.secrets import KeyRing
from app.http.accounts.store.users import Users
from app.records.briefings import Briefings
from app.records.jobs.deliveries import ExternalDelivery, Mailing
from app.records.jobs.reminders import Clock, ReminderLoop
from app.records.jobs.webhooks import WebhookPoster
from app.records.mail import SmtpMail
from app.records.model.records import RecordReader
from app.records.store.announcing import Teller
from app.records.store.appointments import Appointments
from app.records.store.day_view import Days
from app.records.store.ledger import PostgresLedger
from app.records.store.notifications import Notifications
from app.records.store.occurrences import Occurrences
from app.records.store.reminders import PostgresOutbox
from app.records.store.webhooks import Webhooks
from app.settings import Settings
from app.worker.queue import Deferrer


@dataclass(frozen=True)
class NotificationServices:
    """What doors and jobs need of reminders."""

    notifications: Notifications
    webhooks: Webhooks
    elsewhere: ExternalDelivery
    reminding: ReminderLoop
    tellers: Sequence[Teller]


@dataclass(frozen=True)
class NotificationNeeds:
    """What reminders need of the rest."""

    settings: Settings
    database: Database
    wake: Callable[[UUID], None]
    deferrer: Deferrer
    records: RecordReader
    users: Users
    outbound: Outbound
    occurrences: Occurrences
    appointments: Appointments
    clock: Clock
    ledger: PostgresLedger


def compose_notifications(around: NotificationNeeds) -> NotificationServices:
    """Compose it; nothing is started."""
    settings, database = around.settings, around.database
    notifications = Notifications(database)
    webhooks = Webhooks(
        database, KeyRing(settings.master_key_path), around.deferrer.webhook, most=settings.max_webhooks
    )
    post = WebhookPoster(
        webhooks, notifications, around.outbound, settings.webhook_attempts, settings.webhook_backoff_seconds
    )
    mail = SmtpMail(settings) if settings.smtp_host else None
    tellers: list[Teller] = [webhooks.spread, *([around.deferrer.mail] if mail else [])]
    outbox = PostgresOutbox(
        database,
        around.wake,
        zone=settings.default_timezone,
        lease_seconds=settings.reminder_lease_seconds,
        tellers=tellers,
        appointments=around.appointments,
        apply=around.ledger.apply_within,
    )
    days = Days(database, around.occurrences)
    briefings = Briefings(around.records, days, around.users, settings.default_timezone)
    return NotificationServices(
        notifications,
        webhooks,
        ExternalDelivery(post, Mailing(notifications, around.users, mail)),
        ReminderLoop(outbox, briefings.of_day, look_seconds=settings.reminder_look_seconds, clock=around.clock),
        tellers,
    )
