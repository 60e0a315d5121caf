"""Mail servers that users name: checked and pinned as web addresses are, read and written in threads."""

from __future__ import annotations

import asyncio
import json
import ssl
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.boundary.confinement.worker import Worker, WorkerDied
from app.boundary.model import TargetFailed, TargetRefused
from app.boundary.outbound.addresses import Network, may_be_called
from app.boundary.outbound.target import Resolve, addresses_of, resolve
from app.work.mail.model import MailLogin, MailRefused, MailSearch, MailServer, MailUnreachable, OutgoingMail, ReadMail
from app.work.mail.servers import imap, smtp
from app.work.mail.servers.mail_line import Line, MailPlace, talk

MAX_BYTES = 8 * 1024 * 1024
MOST_OF_A_MAIL = 64 * 1024
"""Bytes of each mail that are read: its words come first, what is attached comes last."""
MOST_CHARS = 4000
CHILD_SECONDS = 10
CHILD_BYTES = 512 * 1024 * 1024
READABLE = "Without encryption the password could be read on its way to {host}. Choose `tls` or `starttls`."
NO_IMAP = "The account cannot be read; connect it with an IMAP server."
NO_SMTP = "The account cannot send; connect it with an SMTP server."
UNREADABLE = "Reading this mail took more than it may; it was stopped."


class SafeMailServers:
    """Mail servers that users name, under the rules that every address has.

    ``seconds`` is for one conversation; ``authorities`` are further ones.
    """

    def __init__(
        self,
        allowed: Sequence[Network] = (),
        *,
        seconds: float,
        authorities: Path | None = None,
        resolving: Resolve = resolve,
    ) -> None:
        self._allowed = allowed
        self._seconds = seconds
        self._authorities = authorities
        self._resolving = resolving
        self._context: ssl.SSLContext | None = None

    async def check(self, login: MailLogin) -> None:
        """Sign in at each server of the account; raises MailRefused or MailUnreachable."""
        if login.imap:
            await talk(await self._line(login.imap), lambda line: _try_imap(line, login))
        if login.smtp:
            await talk(await self._line(login.smtp), lambda line: _try_smtp(line, login))

    async def read(self, login: MailLogin, search: MailSearch) -> Sequence[ReadMail]:
        """Mail, newest first; nothing there changes, not even what counts as read."""
        if login.imap is None:
            raise MailRefused(NO_IMAP)
        child = Worker("app.work.mail.servers.mail_child", str(CHILD_SECONDS), str(CHILD_BYTES))
        try:
            headers = await talk(await self._line(login.imap), lambda line: _headers(line, login, search))
            said = dict(zip(headers, await _read(child, list(headers.values())), strict=True))
            wanted = [uid for uid, one in said.items() if _fits(one, search)][: search.most]
            if not wanted:
                return []
            found = await talk(await self._line(login.imap), lambda line: _bodies(line, login, search, wanted))
            uids = [uid for uid in wanted if uid in found]
            texts = await _read(child, [found[uid] for uid in uids])
        finally:
            await child.close()
        return [ReadMail(id=uid, **one) for uid, one in zip(uids, texts, strict=True)]

    async def send(self, login: MailLogin, mail: OutgoingMail) -> None:
        """Hand it over for all its recipients or for none; raises the same, or MailUnknown."""
        if login.smtp is None:
            raise MailRefused(NO_SMTP)
        await talk(await self._line(login.smtp), lambda line: _send(line, login, mail))

    async def _line(self, server: MailServer) -> Line:
        try:
            addresses = await addresses_of(server.host, server.port, self._allowed, self._resolving)
        except TargetRefused as refused:
            raise MailRefused(str(refused)) from refused
        except TargetFailed as failed:
            raise MailUnreachable(str(failed)) from failed
        if server.security == "none" and any(may_be_called(one) for one in addresses):
            raise MailRefused(READABLE.format(host=server.host))
        place = MailPlace(server, addresses, await self._tls_context())
        return Line(place, seconds=self._seconds, max_bytes=MAX_BYTES)

    async def _tls_context(self) -> ssl.SSLContext:
        if self._context is None:
            self._context = await asyncio.to_thread(_context, self._authorities)
        return self._context


def _context(authorities: Path | None) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if authorities:
        context.load_verify_locations(authorities)
    return context


def _try_imap(line: Line, login: MailLogin) -> None:
    with imap.signed_in(line, login):
        pass


def _try_smtp(line: Line, login: MailLogin) -> None:
    with smtp.signed_in(line, login):
        pass


def _headers(line: Line, login: MailLogin, search: MailSearch) -> dict[str, bytes]:
    with imap.signed_in(line, login) as client:
        return imap.latest(client, search)


def _bodies(line: Line, login: MailLogin, search: MailSearch, uids: Sequence[str]) -> dict[str, bytes]:
    with imap.signed_in(line, login) as client:
        imap.open_folder(client, search.folder)
        return imap.bodies(client, uids, MOST_OF_A_MAIL)


def _send(line: Line, login: MailLogin, mail: OutgoingMail) -> None:
    with smtp.signed_in(line, login) as client:
        smtp.hand_over(client, line, mail)


async def _read(child: Worker, mails: Sequence[bytes]) -> list[dict[str, Any]]:
    asked = {"mails": [b64encode(one).decode() for one in mails], "most_chars": MOST_CHARS}
    try:
        return list(json.loads(await child.exchange(json.dumps(asked).encode(), seconds=2 * CHILD_SECONDS)))
    except (WorkerDied, TimeoutError) as error:
        raise MailRefused(UNREADABLE) from error


def _fits(said: dict[str, Any], search: MailSearch) -> bool:
    return search.sender.lower() in said["sender"].lower() and search.subject.lower() in said["subject"].lower()
