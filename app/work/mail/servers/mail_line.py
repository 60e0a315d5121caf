"""One connection of a blocking mail client: to a checked address, within limits, and cut when it is late."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from app.work.mail.model import MailRefused, MailServer, MailUnknown, MailUnreachable

T = TypeVar("T")
NO_ANSWER = "{host} did not answer within {seconds:g} seconds."
UNTRUSTED = (
    "The certificate of {host} is not one that this server trusts. Give the name that stands in it; an authority of "
    "your own goes into SUMMIT_MAIL_CA_FILE."
)
SILENT = "{host} does not answer at port {port} as a mail server does. Compare host, port and security."
TOO_MUCH = "{host} says more than is read at once."
HANDED_OVER = "The connection broke after it was handed over."


class TooMuch(OSError):  # noqa: N818 - what the server does
    """A server says more than is read."""


@dataclass(frozen=True)
class MailPlace:
    """A server, the addresses that it had when it was checked, and what proves who it is."""

    server: MailServer
    addresses: Sequence[str]
    context: ssl.SSLContext


class Line:
    """Bytes are counted, so that nobody fills the memory; what was handed over before the cut is known."""

    def __init__(self, place: MailPlace, *, seconds: float, max_bytes: int) -> None:
        self.place = place
        self.seconds = seconds
        self._left = max_bytes
        self._socket: socket.socket | None = None
        self._lock = threading.Lock()
        self._cut = False
        self._handed_over = False

    def connect(self) -> socket.socket:
        """A socket to the first address that lets us, encrypted where it is so from the start."""
        failure: OSError = ConnectionRefusedError()
        for address in self.place.addresses:
            try:
                found = socket.create_connection((address, self.place.server.port), self.seconds)
            except OSError as error:
                failure = error
                continue
            with self._lock:
                self._socket = found
            self._go_on()
            return self._wrap_in_tls(found) if self.place.server.security == "tls" else found
        raise failure

    def count(self, size: int) -> None:
        """Take so many bytes from what may still be read; raises TooMuch."""
        self._left -= size
        if self._left < 0:
            raise TooMuch

    def hand_over(self) -> None:
        """From here on nobody can say that the other side has nothing."""
        self._go_on()
        with self._lock:
            self._handed_over = True

    @property
    def handed_over(self) -> bool:
        """Whether the other side may have it."""
        return self._handed_over

    def cut(self) -> None:
        """End whatever the client waits for."""
        with self._lock:
            self._cut = True
            if self._socket:
                try:
                    self._socket.shutdown(socket.SHUT_RDWR)
                except OSError:
                    self._socket.close()

    def _wrap_in_tls(self, found: socket.socket) -> socket.socket:
        encrypted = self.place.context.wrap_socket(found, server_hostname=self.place.server.host)
        with self._lock:
            self._socket = encrypted
        return encrypted

    def _go_on(self) -> None:
        with self._lock:
            if self._cut:
                raise TimeoutError


async def talk(line: Line, conversation: Callable[[Line], T]) -> T:
    """Run a blocking conversation in a thread; raises MailRefused, MailUnreachable or MailUnknown."""
    server = line.place.server
    try:
        async with asyncio.timeout(line.seconds):
            return await asyncio.to_thread(conversation, line)
    except TimeoutError as late:
        if line.handed_over:
            raise MailUnknown(HANDED_OVER) from late
        raise MailUnreachable(NO_ANSWER.format(host=server.host, seconds=line.seconds)) from None
    except ssl.SSLCertVerificationError:
        raise MailRefused(UNTRUSTED.format(host=server.host)) from None
    except TooMuch:
        raise MailRefused(TOO_MUCH.format(host=server.host)) from None
    except OSError as error:
        if line.handed_over:
            raise MailUnknown(HANDED_OVER) from error
        raise MailUnreachable(SILENT.format(host=server.host, port=server.port)) from None
    finally:
        line.cut()
