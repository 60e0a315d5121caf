"""A mail server for tests, with or without TLS and logins: it shows what it was given, and how."""

from __future__ import annotations

import socketserver
import threading
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from ssl import SSLContext, SSLSocket

DONE = b"250 ok\r\n"


@dataclass(frozen=True)
class Letter:
    """One message, whom it was for, and whether it came encrypted."""

    recipients: list[str]
    document: EmailMessage
    encrypted: bool


@dataclass(frozen=True)
class Login:
    """An attempt to log in."""

    name: str
    password: str
    encrypted: bool


@dataclass
class Mailbox:
    """What came; ``port`` is where. With a ``password`` only who knows it is let in."""

    port: int = 0
    starttls: SSLContext | None = None
    implicit: SSLContext | None = None
    password: str = ""
    refusal: bytes = b""
    messages: list[Letter] = field(default_factory=list)
    logins: list[Login] = field(default_factory=list)


class Conversation(socketserver.StreamRequestHandler):
    """One client, by the letter as far as one client goes."""

    server: MailServer

    def setup(self) -> None:
        if self.server.box.implicit:
            self._encrypt(self.server.box.implicit)
        super().setup()

    def handle(self) -> None:
        self.wfile.write(b"220 here\r\n")
        recipients: list[str] = []
        while line := self.rfile.readline():
            verb, said = line[:4].upper(), line.decode().strip()
            if verb == b"RCPT":
                recipients.append(said.partition("<")[2].partition(">")[0])
            if verb == b"STAR" and self.server.box.starttls:
                self.wfile.write(b"220 go on\r\n")
                self._encrypt(self.server.box.starttls)
                super().setup()
                continue
            self.wfile.write(self._answer(verb, said, recipients))

    def finish(self) -> None:
        super().finish()
        self.request.close()  # which is another one than the server knows, once it is encrypted

    def _answer(self, verb: bytes, said: str, recipients: list[str]) -> bytes:
        if verb == b"EHLO":
            return self._offers()
        if verb == b"AUTH":
            return self._login(said)
        if verb == b"RCPT" and self.server.box.refusal:
            return self.server.box.refusal
        if verb == b"DATA":
            self.wfile.write(b"354 go on\r\n")
            document = message_from_bytes(self._data(), policy=policy.default)
            assert isinstance(document, EmailMessage)
            self.server.box.messages.append(Letter(recipients, document, self._encrypted()))
        return b"221 bye\r\n" if verb == b"QUIT" else DONE

    def _offers(self) -> bytes:
        box, offers = self.server.box, ["here"]
        offers += ["STARTTLS"] if box.starttls and not self._encrypted() else []
        offers += ["AUTH PLAIN"] if box.password else []
        lines = [f"250{' ' if offer == offers[-1] else '-'}{offer}\r\n" for offer in offers]
        return "".join(lines).encode()

    def _login(self, said: str) -> bytes:
        _, name, password = b64decode(said.split()[2]).decode().split("\0")
        self.server.box.logins.append(Login(name, password, self._encrypted()))
        known = password == self.server.box.password
        return b"235 welcome\r\n" if known else f"535 {password} is wrong\r\n".encode()

    def _encrypt(self, tls: SSLContext) -> None:
        self.request = tls.wrap_socket(self.request, server_side=True)

    def _encrypted(self) -> bool:
        return isinstance(self.request, SSLSocket)

    def _data(self) -> bytes:
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
        return b"".join(lines)


class MailServer(socketserver.ThreadingTCPServer):
    """Keeps what comes in ``box``."""

    daemon_threads = True

    def __init__(self, box: Mailbox, host: str) -> None:
        self.box = box
        super().__init__((host, 0), Conversation)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up, say because of the certificate, is what some tests are about."""


@contextmanager
def mailbox(
    *,
    starttls: SSLContext | None = None,
    implicit: SSLContext | None = None,
    password: str = "",
    refusal: bytes = b"",
    host: str = "127.0.0.1",
) -> Iterator[Mailbox]:
    """A mail server on a free port, gone at the end."""
    box = Mailbox(starttls=starttls, implicit=implicit, password=password, refusal=refusal)
    with MailServer(box, host) as server:
        box.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield box
        server.shutdown()
