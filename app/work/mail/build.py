"""The part of the composition root that is about the mail of users."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.database.database import Database
from app.database.secrets import KeyRing
from app.database.signals import Signals
from app.http.deps import MailServices
from app.records.store.announcing import Teller
from app.settings import Settings
from app.work.mail.servers.mail_servers import SafeMailServers
from app.work.mail.store.accounts import PostgresMailAccounts
from app.work.mail.store.outgoing import Outbox
from app.worker.queue import Deferrer


@dataclass(frozen=True)
class MailParts:
    """What doors, steps and jobs work with."""

    accounts: PostgresMailAccounts
    out: Outbox
    servers: SafeMailServers

    @property
    def services(self) -> MailServices:
        """What the doors need of it."""
        return MailServices(self.accounts, self.out, self.servers)


def compose_mail(
    settings: Settings, database: Database, signals: Signals, deferrer: Deferrer, tellers: Sequence[Teller]
) -> MailParts:
    """Compose it; nothing is started."""
    keys = KeyRing(settings.master_key_path)
    return MailParts(
        PostgresMailAccounts(database, keys, most=settings.max_mail_accounts),
        Outbox(database, signals, deferrer.send_mail, tellers, most=settings.max_waiting_mail),
        SafeMailServers(settings.allowed_networks, seconds=settings.mail_seconds, authorities=settings.mail_ca_file),
    )
