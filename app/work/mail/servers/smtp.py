"""SMTP (RFC 5321) for a user's own account: for all recipients or for none, and certain where that can be."""

from __future__ import annotations

import smtplib
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime
from typing import IO, Any

from app.work.mail.model import MailLogin, MailRefused, MailUnknown, MailUnreachable, OutgoingMail
from app.work.mail.servers.mail_line import HANDED_OVER, SILENT, Line

LOCAL_HOSTNAME = "localhost"
"""What this side calls itself; the machine's own name is nobody's business."""
SMTP_OK = 250
GOODBYE_SECONDS = 1.0
"""It is sent then: a slow goodbye must not make that unknown."""
FOR_GOOD = 500
NO_TLS = "{host} offers no STARTTLS at port {port}. Encrypted from the start is usually port 465 (`security: tls`)."
WRONG_LOGIN = "The SMTP server {host} does not take this user name and password; many want an app password."
NOT_TAKEN = "The server takes no mail for {who} ({code}); nobody got it."
NOT_FROM = "The server takes no mail from {who} ({code})."
NOT_THIS = "The server does not take this mail ({code})."


class _Counted:
    """Replies of a server, which may have any number of lines."""

    def __init__(self, file: IO[bytes], line: Line) -> None:
        self._file = file
        self._line = line

    def readline(self, size: int = -1) -> bytes:
        found = self._file.readline(size)
        self._line.count(len(found))
        return found

    def close(self) -> None:
        self._file.close()


class _Client(smtplib.SMTP):
    """The standard library's client on a line of ours."""

    file: Any

    def __init__(self, line: Line) -> None:
        self._line = line
        server = line.place.server
        super().__init__(server.host, server.port, local_hostname=LOCAL_HOSTNAME, timeout=line.seconds)

    def _get_socket(self, _host: str, _port: int, _timeout: float) -> socket.socket:
        return self._line.connect()

    def getreply(self) -> tuple[int, bytes]:
        """Counted."""
        if self.file is None and self.sock is not None:
            self.file = _Counted(self.sock.makefile("rb"), self._line)
        return super().getreply()


@contextmanager
def signed_in(line: Line, login: MailLogin) -> Iterator[smtplib.SMTP]:
    """A client that is signed in; raises MailRefused, MailUnreachable or OSError."""
    server, client = line.place.server, None
    try:
        client = _Client(line)
        if server.security == "starttls":
            client.ehlo()
            if not client.has_extn("starttls"):
                raise MailRefused(NO_TLS.format(host=server.host, port=server.port))
            client.starttls(context=line.place.context)
        try:
            client.login(login.username, login.password)
        except (smtplib.SMTPAuthenticationError, smtplib.SMTPNotSupportedError, UnicodeEncodeError):
            raise MailRefused(WRONG_LOGIN.format(host=server.host)) from None
        yield client
        with suppress(smtplib.SMTPException):
            client.quit()
    except smtplib.SMTPException as error:
        raise MailUnreachable(SILENT.format(host=server.host, port=server.port)) from error
    finally:
        if client:
            client.close()


def hand_over(client: smtplib.SMTP, line: Line, mail: OutgoingMail) -> None:
    """Send it. Raises MailRefused, MailUnreachable, or MailUnknown when the server may have it and did not say so."""
    _insist(client.mail(mail.sender)[0], NOT_FROM, mail.sender)
    for recipient in mail.recipients:
        _insist(client.rcpt(recipient)[0], NOT_TAKEN, recipient)
    line.hand_over()
    try:
        code, _ = client.data(document_of(mail))
    except smtplib.SMTPDataError as error:
        code = error.smtp_code
    except (OSError, smtplib.SMTPException) as error:
        raise MailUnknown(HANDED_OVER) from error
    _insist(code, NOT_THIS, "")
    if client.sock:
        client.sock.settimeout(GOODBYE_SECONDS)


def document_of(mail: OutgoingMail) -> bytes:
    """The message; its id is that of the mail, so that two copies can be told for one."""
    document = EmailMessage(policy=policy.SMTP)
    document["From"] = mail.sender
    document["To"] = ", ".join(mail.recipients)
    document["Subject"] = " ".join(mail.subject.split())
    document["Date"] = format_datetime(mail.created_at)
    document["Message-ID"] = f"<{mail.id}@{mail.sender.rpartition('@')[2]}>"
    document.set_content(mail.text)
    return document.as_bytes()


def _insist(code: int, refusal: str, who: str) -> None:
    """What a server says may repeat a password: its number alone is passed on."""
    if SMTP_OK <= code < SMTP_OK + 10:
        return
    said = refusal.format(who=who, code=code)
    raise MailRefused(said) if code >= FOR_GOOD else MailUnreachable(said)
