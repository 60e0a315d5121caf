"""What routes and steps need of the mail of users."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends

from app.http.deps import provide
from app.work.mail.servers.mail_servers import SafeMailServers
from app.work.mail.store.accounts import PostgresMailAccounts
from app.work.mail.store.outgoing import Outbox


@dataclass(frozen=True)
class MailServices:
    """Accounts, what waits to be sent, and the servers that send and hold mail."""

    accounts: PostgresMailAccounts
    out: Outbox
    servers: SafeMailServers


ProvidedMail = Annotated[MailServices, Depends(provide(MailServices))]
