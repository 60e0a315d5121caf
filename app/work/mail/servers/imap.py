"""IMAP (RFC 3501) as far as reading goes: a folder is opened read-only, and nothing in it is marked as read."""

from __future__ import annotations

import imaplib
import re
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta

from app.work.mail.model import MailLogin, MailRefused, MailSearch, MailUnreachable
from app.work.mail.servers.mail_line import SILENT, Line

HEADERS = "BODY.PEEK[HEADER.FIELDS (FROM SUBJECT DATE)]"
FETCH_WHOLE_BODY = "BODY.PEEK[]<0.{size}>"
UID = re.compile(rb"\bUID (\d+)")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
MOST_LOOKED_AT = 300
"""Of the newest mail, so that a folder of many years costs no more than another."""
NO_TLS = "{host} offers no STARTTLS at port {port}. Encrypted from the start is usually port 993 (`security: tls`)."
WRONG_LOGIN = "The IMAP server {host} does not take this user name and password; many want an app password."
NO_FOLDER = "There is no folder {folder} that can be read; INBOX is where mail comes in."


class _Client(imaplib.IMAP4):
    """The standard library's client on a line of ours."""

    def __init__(self, line: Line) -> None:
        self._line = line
        super().__init__(line.place.server.host, line.place.server.port, line.seconds)

    def _create_socket(self, timeout: float | None = None) -> socket.socket:  # noqa: ARG002 - the line has its own
        return self._line.connect()

    def read(self, size: int) -> bytes:
        """Counted before it is read: a server names the size of what follows."""
        self._line.count(size)
        return super().read(size)

    def readline(self) -> bytes:
        """Counted, too."""
        found = super().readline()
        self._line.count(len(found))
        return found


@contextmanager
def signed_in(line: Line, login: MailLogin) -> Iterator[imaplib.IMAP4]:
    """A client that is signed in; raises MailRefused, MailUnreachable or OSError."""
    server, client = line.place.server, None
    try:
        client = _Client(line)
        if server.security == "starttls":
            if "STARTTLS" not in client.capabilities:
                raise MailRefused(NO_TLS.format(host=server.host, port=server.port))
            client.starttls(line.place.context)
        _sign_in(client, login, server.host)
        yield client
        client.logout()
    except imaplib.IMAP4.error as error:
        raise MailUnreachable(SILENT.format(host=server.host, port=server.port)) from error
    finally:
        if client:
            with suppress(OSError):
                client.shutdown()


def _sign_in(client: imaplib.IMAP4, login: MailLogin, host: str) -> None:
    try:
        if "AUTH=PLAIN" in client.capabilities:
            client.authenticate("PLAIN", lambda _: f"\0{login.username}\0{login.password}".encode())
        else:
            client.login(_quote(login.username), login.password)
    except imaplib.IMAP4.abort:
        raise
    except (imaplib.IMAP4.error, UnicodeEncodeError):
        raise MailRefused(WRONG_LOGIN.format(host=host)) from None


def open_folder(client: imaplib.IMAP4, folder: str) -> None:
    """Open it to be read only; raises MailRefused where there is none."""
    status, _ = client.select(_quote(folder), readonly=True)
    if status != "OK":
        raise MailRefused(NO_FOLDER.format(folder=folder))


def latest(client: imaplib.IMAP4, search: MailSearch) -> dict[str, bytes]:
    """The headers of the newest mail by UID, newest first; raises MailRefused where there is no such folder."""
    open_folder(client, search.folder)
    since = datetime.now(UTC) - timedelta(days=search.days)
    day = f"{since.day:02}-{MONTHS[since.month - 1]}-{since.year}"
    _, found = client.uid("SEARCH", "SINCE", day, *(["UNSEEN"] if search.unread else []))
    uids = [one.decode() for one in (found[0] or b"").split()]
    newest = sorted(uids, key=int, reverse=True)[:MOST_LOOKED_AT]
    headers = _fetch(client, newest, HEADERS)
    return {uid: headers[uid] for uid in newest if uid in headers}


def bodies(client: imaplib.IMAP4, uids: Sequence[str], size: int) -> dict[str, bytes]:
    """The beginning of each mail, at most ``size`` bytes of it, by UID."""
    return _fetch(client, uids, FETCH_WHOLE_BODY.format(size=size))


def _fetch(client: imaplib.IMAP4, uids: Sequence[str], what: str) -> dict[str, bytes]:
    if not uids:
        return {}
    _, answer = client.uid("FETCH", ",".join(uids), f"(UID {what})")
    found: dict[str, bytes] = {}
    for place, part in enumerate(answer):
        if isinstance(part, tuple):
            after = answer[place + 1] if place + 1 < len(answer) else b""
            around = part[0] + (after if isinstance(after, bytes) else b"")
            if uid := UID.search(around):
                found[uid[1].decode()] = part[1]
    return found


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
