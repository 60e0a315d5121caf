"""Mail by the operator's SMTP server, in a thread: the standard library's client blocks."""

from __future__ import annotations

import asyncio
import smtplib
import ssl
from email.message import EmailMessage
from email.utils import formatdate

from app.ports import MailFailed
from app.settings import Settings


class SmtpMail:
    """See app.ports.Mail."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def send(self, to: str, subject: str, text: str, message_id: str) -> None:
        """Hand one message over; raises MailFailed, whose ``final`` says that trying again will not help."""
        message = EmailMessage()
        message["From"] = self._settings.smtp_from
        message["To"] = to
        message["Subject"] = " ".join(subject.split())
        message["Date"] = formatdate()
        message["Message-ID"] = f"<{message_id}@summit>"
        message.set_content(text)
        try:
            await asyncio.to_thread(self._hand_over, message)
        except (smtplib.SMTPRecipientsRefused, smtplib.SMTPSenderRefused, smtplib.SMTPAuthenticationError) as error:
            raise MailFailed(type(error).__name__, final=True) from error
        except (OSError, smtplib.SMTPException) as error:
            raise MailFailed(type(error).__name__) from error

    def _hand_over(self, message: EmailMessage) -> None:
        settings = self._settings
        context, seconds = ssl.create_default_context(), settings.outbound_seconds
        if settings.smtp_security == "tls":
            client: smtplib.SMTP = smtplib.SMTP_SSL(
                settings.smtp_host, settings.smtp_port, timeout=seconds, context=context
            )
        else:
            client = smtplib.SMTP(settings.smtp_host, settings.smtp_port, timeout=seconds)
        with client:
            if settings.smtp_security == "starttls":
                client.starttls(context=context)
            if settings.smtp_username and settings.smtp_password:
                client.login(settings.smtp_username, settings.smtp_password.get_secret_value())
            client.send_message(message)
