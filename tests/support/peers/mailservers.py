"""Real mail servers for tests: IMAP by pymap in a process of its own, SMTP by aiosmtpd in a thread."""

from __future__ import annotations

import imaplib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from ssl import SSLContext
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

from tests.support.peers.certificate import certificate_for
from tests.support.waiting import HANG_SECONDS, wait_until

USER, PASSWORD = "ana@example.org", "a password of Ana's"


@dataclass
class PostOffice:
    """Both servers under the name localhost, whose certificate is in ``authority``; ``came`` is what was sent.

    ``refuses`` are addresses that get nothing; with ``breaks_off`` the connection ends where the answer would come.
    """

    imap_port: int
    smtp_port: int
    authority: Path
    trusts: SSLContext
    came: list[EmailMessage] = field(default_factory=list)
    envelopes: list[list[str]] = field(default_factory=list)
    refuses: set[str] = field(default_factory=set)
    breaks_off: bool = False

    def append(self, raw: bytes, flags: str = "") -> None:
        """Put a mail into the inbox as another program would."""
        with self.client() as client:
            assert client.append("INBOX", flags, imaplib.Time2Internaldate(time.time()), raw)[0] == "OK"

    def unread(self) -> int:
        with self.client() as client:
            client.select("INBOX", readonly=True)
            return len(client.search(None, "UNSEEN")[1][0].split())

    @contextmanager
    def client(self) -> Iterator[imaplib.IMAP4]:
        with imaplib.IMAP4("localhost", self.imap_port) as client:
            client.starttls(self.trusts)
            client.login(f'"{USER}"', PASSWORD)
            yield client

    # What aiosmtpd asks its handler.
    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802
        if address in self.refuses:
            return "550 nobody of that name"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        document = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(document, EmailMessage)
        self.came.append(document)
        self.envelopes.append(list(envelope.rcpt_tos))
        if self.breaks_off:
            server.transport.abort()
        return "250 OK"


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def post_office(folder: Path) -> Iterator[PostOffice]:
    """Both servers, gone at the end."""
    context, trusts = certificate_for("localhost", folder)
    pem = folder / "server.pem"
    office = PostOffice(free_port(), free_port(), pem, trusts)
    smtp = Controller(
        office,
        hostname="127.0.0.1",
        port=office.smtp_port,
        tls_context=context,
        require_starttls=True,
        auth_required=True,
        authenticator=_knows,
    )
    smtp.start()
    command = [str(Path(sys.executable).with_name("pymap")), "--host", "127.0.0.1", "--port", str(office.imap_port)]
    command += ["--cert", str(pem), "--key", str(pem), "dict", "--demo-user", USER, "--demo-password", PASSWORD]
    imap = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _await(office.imap_port)
        yield office
    finally:
        imap.kill()
        imap.wait()
        smtp.stop()


def _knows(_server: Any, _session: Any, _envelope: Any, _mechanism: str, given: Any) -> AuthResult:
    known = isinstance(given, LoginPassword) and (given.login, given.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=known, handled=False)


def _await(port: int) -> None:
    def answers() -> bool:
        try:
            socket.create_connection(("127.0.0.1", port), HANG_SECONDS).close()
        except OSError:
            return False
        return True

    wait_until(answers, "for the IMAP server")
