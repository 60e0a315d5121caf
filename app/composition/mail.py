"""The part of the composition root that is about the mail of users."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.deps import MailServices
from app.jobs.queue import Deferrer
from app.outbound.mail_servers import SafeMailServers
from app.settings import Settings
from app.storage.announcing import Teller
from app.storage.database import Database
from app.storage.mail_accounts import PostgresMailAccounts
from app.storage.outgoing_mail import PostgresOutgoingMail
from app.storage.secrets import KeyRing
from app.storage.signals import Signals


@dataclass(frozen=True)
class MailParts:
    """What doors, steps and jobs work with."""

    accounts: PostgresMailAccounts
    out: PostgresOutgoingMail
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
        PostgresOutgoingMail(database, signals, deferrer.send_mail, tellers, most=settings.max_waiting_mail),
        SafeMailServers(settings.allowed_networks, seconds=settings.mail_seconds, authorities=settings.mail_ca_file),
    )
