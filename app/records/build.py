"""The part of the composition root that is about reminders: what finds them, tells them and passes them on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from procrastinate import App, RetryStrategy

from app.boundary.model import Outbound
from app.database.database import Database
from app.database.jobs import Job
from app.database.secrets import KeyRing
from app.http.accounts.store.users import Users
from app.records.briefings import Briefings
from app.records.jobs.deliveries import Mailing, defer_delivery, defer_mails, delivery_jobs
from app.records.jobs.webhooks import WebhookPoster
from app.records.mail import SmtpMail
from app.records.model.records import RecordReader
from app.records.reminding import Clock, ReminderLoop
from app.records.store.announcing import Teller
from app.records.store.appointments import Appointments
from app.records.store.busy_time import BusyReader
from app.records.store.day_view import Days
from app.records.store.ledger import PostgresLedger
from app.records.store.notifications import Notifications
from app.records.store.occurrences import OccurrenceKeeper, Occurrences
from app.records.store.reminders import PostgresOutbox
from app.records.store.webhooks import Webhooks
from app.settings import Settings


@dataclass(frozen=True)
class NotificationServices:
    """What doors and jobs need of reminders."""

    notifications: Notifications
    services: Sequence[object]
    jobs: Sequence[Job]
    reminding: ReminderLoop
    tellers: Sequence[Teller]


@dataclass(frozen=True)
class NotificationNeeds:
    """What reminders need of the rest."""

    settings: Settings
    database: Database
    wake: Callable[[UUID], None]
    queue: App
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
    put_delivery = partial(defer_delivery, around.queue)
    webhooks = Webhooks(database, KeyRing(settings.master_key_path), put_delivery, most=settings.max_webhooks)
    post = WebhookPoster(
        webhooks, notifications, around.outbound, settings.webhook_attempts, settings.webhook_backoff_seconds
    )
    mail = SmtpMail(settings) if settings.smtp_host else None
    tellers: list[Teller] = [webhooks.spread, *([partial(defer_mails, around.queue)] if mail else [])]
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
        [webhooks, BusyReader(database)],
        [
            *delivery_jobs(post, Mailing(notifications, around.users, mail)),
            Job(
                "move_occurrences",
                OccurrenceKeeper(database, around.occurrences).move_on,
                RetryStrategy(max_attempts=3, wait=60),
                every="17 * * * *",
            ),
        ],
        ReminderLoop(outbox, briefings.of_day, look_seconds=settings.reminder_look_seconds, clock=around.clock),
        tellers,
    )
