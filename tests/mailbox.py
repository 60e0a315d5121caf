"""A mail server for tests: it takes everything and shows what it was given."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage

DONE = b"250 ok\r\n"


@dataclass(frozen=True)
class Letter:
    """One message and whom it was for."""

    recipients: list[str]
    document: EmailMessage


@dataclass
class Mailbox:
    """What came; ``port`` is where."""

    port: int = 0
    messages: list[Letter] = field(default_factory=list)


@contextmanager
def mailbox() -> Iterator[Mailbox]:
    """A mail server on a free port, gone at the end."""
    box = Mailbox()

    class Conversation(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"220 here\r\n")
            recipients: list[str] = []
            while line := self.rfile.readline():
                verb = line[:4].upper()
                if verb == b"RCPT":
                    recipients.append(line.decode().partition("<")[2].partition(">")[0])
                if verb == b"DATA":
                    self.wfile.write(b"354 go on\r\n")
                    document = message_from_bytes(self._data(), policy=policy.default)
                    assert isinstance(document, EmailMessage)
                    box.messages.append(Letter(recipients, document))
                self.wfile.write(b"221 bye\r\n" if verb == b"QUIT" else DONE)

        def _data(self) -> bytes:
            lines = []
            while (line := self.rfile.readline()) != b".\r\n":
                lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
            return b"".join(lines)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Conversation) as server:
        server.daemon_threads = True
        box.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield box
        server.shutdown()
