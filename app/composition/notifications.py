"""The part of the composition root that is about reminders: what finds them, tells them and passes them on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from app.briefings import Briefings
from app.jobs.deliveries import Elsewhere, Mailing
from app.jobs.queue import Deferrer
from app.jobs.reminders import Clock, Reminding
from app.jobs.webhooks import Post
from app.outbound.mail import SmtpMail
from app.ports import Notifications, Outbound, RecordReader, Users, Webhooks
from app.settings import Settings
from app.storage.appointments import Appointments
from app.storage.database import Database
from app.storage.day_view import PostgresDays
from app.storage.ledger import PostgresLedger
from app.storage.notifications import PostgresNotifications
from app.storage.occurrences import Occurrences
from app.storage.reminders import PostgresOutbox
from app.storage.secrets import KeyRing
from app.storage.webhooks import PostgresWebhooks


@dataclass(frozen=True)
class Notices:
    """What doors and jobs need of reminders."""

    notifications: Notifications
    webhooks: Webhooks
    elsewhere: Elsewhere
    reminding: Reminding


@dataclass(frozen=True)
class Around:
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


def open_notices(around: Around) -> Notices:
    """Compose it; nothing is started."""
    settings, database = around.settings, around.database
    notifications = PostgresNotifications(database)
    webhooks = PostgresWebhooks(
        database, KeyRing(settings.master_key_path), around.deferrer.webhook, most=settings.max_webhooks
    )
    post = Post(webhooks, notifications, around.outbound, settings.webhook_attempts, settings.webhook_backoff_seconds)
    mail = SmtpMail(settings) if settings.smtp_host else None
    tellers = [webhooks.spread, *([around.deferrer.mail] if mail else [])]
    outbox = PostgresOutbox(
        database,
        around.wake,
        zone=settings.default_timezone,
        lease_seconds=settings.reminder_lease_seconds,
        tellers=tellers,
        appointments=around.appointments,
        apply=around.ledger.apply_within,
    )
    days = PostgresDays(database, around.occurrences)
    briefings = Briefings(around.records, days, around.users, settings.default_timezone)
    return Notices(
        notifications,
        webhooks,
        Elsewhere(post, Mailing(notifications, around.users, mail)),
        Reminding(outbox, briefings.of_day, look_seconds=settings.reminder_look_seconds, clock=around.clock),
    )
