"""The part of the composition root that is about the mail of users."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from procrastinate import App

from app.database.database import Database
from app.database.jobs import Job
from app.database.secrets import KeyRing
from app.database.signals import Signals
from app.records.store.announcing import Teller
from app.settings import Settings
from app.work.mail.delivering import Delivery
from app.work.mail.jobs import defer_mail, mail_jobs
from app.work.mail.servers.mail_servers import SafeMailServers
from app.work.mail.services import MailServices
from app.work.mail.store.accounts import PostgresMailAccounts
from app.work.mail.store.outgoing import Outbox


def compose_mail(
    settings: Settings, database: Database, signals: Signals, queue: App, tellers: Sequence[Teller]
) -> tuple[MailServices, Sequence[Job]]:
    """Compose it, and its jobs; nothing is started."""
    accounts = PostgresMailAccounts(database, KeyRing(settings.master_key_path), most=settings.max_mail_accounts)
    out = Outbox(database, signals, partial(defer_mail, queue), tellers, most=settings.max_waiting_mail)
    servers = SafeMailServers(
        settings.allowed_networks, seconds=settings.mail_seconds, authorities=settings.mail_ca_file
    )
    jobs = mail_jobs(Delivery(out, accounts, servers), settings.workflow_concurrency)
    return MailServices(accounts, out, servers), jobs
