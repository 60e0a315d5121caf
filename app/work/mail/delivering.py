"""Sending what its user has said yes to: once, and where that cannot be known, the user is told and asked."""

from __future__ import annotations

import logging
from uuid import UUID

from app.database.model import KeyUnreadable
from app.errors import OutOfReach
from app.work.mail.model import (
    MailLogin,
    MailRefused,
    MailStatus,
    MailUnknown,
    MailUnreachable,
    OutgoingMail,
)
from app.work.mail.servers.mail_servers import SafeMailServers
from app.work.mail.store.accounts import PostgresMailAccounts
from app.work.mail.store.outgoing import Outbox

log = logging.getLogger(__name__)

DISCONNECTED = "The account is not connected any more."
NO_PASSWORD = "The password of the account cannot be read any more; enter it again."  # noqa: S105 - a sentence
SENDING_BROKE = "Something broke on my side while it was being sent."


class Delivery:
    """Sends mail; whatever a crash interrupts is found as being sent, and never sent again by itself."""

    def __init__(self, work: Outbox, accounts: PostgresMailAccounts, servers: SafeMailServers) -> None:
        self._work = work
        self._accounts = accounts
        self._servers = servers

    async def send(self, user_id: UUID, mail_id: UUID) -> None:
        """Send one, unless it was being sent already."""
        mail = await self._work.claim(user_id, mail_id)
        if mail:
            await self._work.end(mail, *await self._try_send(mail))

    async def _try_send(self, mail: OutgoingMail) -> tuple[MailStatus, str]:
        try:
            await self._servers.send(await self._login(mail), mail)
        except (MailRefused, MailUnreachable) as failed:
            return "failed", str(failed)
        except MailUnknown as unknown:
            return "unknown", str(unknown)
        except OutOfReach:
            raise
        except Exception:
            log.exception("mail %s broke", mail.id)
            return "unknown", SENDING_BROKE
        return "sent", ""

    async def _login(self, mail: OutgoingMail) -> MailLogin:
        try:
            login = await self._accounts.login(mail.user_id, mail.account_id)
        except KeyUnreadable as error:
            raise MailRefused(NO_PASSWORD) from error
        if login is None:
            raise MailRefused(DISCONNECTED)
        return login
