"""Mail by the operator's SMTP server, in a thread: the standard library's client blocks."""

from __future__ import annotations

import asyncio
import smtplib
import ssl
from email.message import EmailMessage
from email.utils import formatdate
from ipaddress import ip_address

from app.records.model.notices import MailFailed
from app.settings import Settings

FOR_GOOD = 500  # replies from here on will not change (RFC 5321, 4.2.1)


class Unprotected(smtplib.SMTPException):
    """A password would travel readable by everybody on the way."""


class SmtpMail:
    """See app.records.model.notices.Mail. Certificates are checked; ``starttls`` is never done without."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def send(self, to: str, subject: str, text: str, message_id: str) -> None:
        """Hand one message over; raises MailFailed, whose ``final`` says that trying again will not help.

        Its words name the kind of failure alone: what a server answers may repeat a password.
        """
        message = EmailMessage()
        message["From"] = self._settings.smtp_from
        message["To"] = to
        message["Subject"] = " ".join(subject.split())
        message["Date"] = formatdate()
        message["Message-ID"] = f"<{message_id}@summit>"
        message.set_content(text)
        try:
            await asyncio.to_thread(self._hand_over, message)
        except (OSError, smtplib.SMTPException) as error:
            raise MailFailed(type(error).__name__, final=_is_final(error)) from None

    def _hand_over(self, message: EmailMessage) -> None:
        settings = self._settings
        with self._connect() as client:
            if settings.smtp_username and settings.smtp_password:
                if not _is_protected(client):
                    raise Unprotected
                client.login(settings.smtp_username, settings.smtp_password.get_secret_value())
            client.send_message(message)

    def _connect(self) -> smtplib.SMTP:
        settings = self._settings
        host, port, seconds = settings.smtp_host, settings.smtp_port, settings.outbound_seconds
        context = ssl.create_default_context()
        if settings.smtp_ca_file:
            context.load_verify_locations(settings.smtp_ca_file)
        if settings.smtp_security == "tls":
            return smtplib.SMTP_SSL(host, port, timeout=seconds, context=context)
        client = smtplib.SMTP(host, port, timeout=seconds)
        if settings.smtp_security == "starttls":
            try:
                client.starttls(context=context)
            except BaseException:
                client.close()
                raise
        return client


def _is_protected(client: smtplib.SMTP) -> bool:
    """Encrypted, or to this machine."""
    connection = client.sock
    if isinstance(connection, ssl.SSLSocket):
        return True
    return connection is not None and ip_address(connection.getpeername()[0]).is_loopback


def _is_final(error: Exception) -> bool:
    """Whether the message itself is refused for good; whatever the operator may mend is tried again for hours."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= FOR_GOOD for code, _ in error.recipients.values())
    refused = isinstance(error, smtplib.SMTPSenderRefused | smtplib.SMTPDataError)
    return refused and getattr(error, "smtp_code", 0) >= FOR_GOOD
