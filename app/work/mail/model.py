"""Mail of users: their accounts, what is read there, and what waits for a yes before it is sent."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

ADDRESS = re.compile(r"[!#-'*\-+./0-9=?A-Z^-~]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.\-]{0,250}[A-Za-z0-9])?")
"""A plain address (RFC 5321) as mail servers take it without extensions."""
Security = Literal["tls", "starttls", "none"]
MailStatus = Literal["held", "approved", "sending", "sent", "failed", "unknown", "rejected"]
DECIDABLE: tuple[MailStatus, ...] = ("held", "failed", "unknown")
"""What its user may still send or drop."""


@dataclass(frozen=True)
class MailServer:
    """Where a server is, and how its connection is protected."""

    host: str
    port: int
    security: Security


@dataclass(frozen=True)
class MailLogin:
    """How to enter an account; it may only be read, or only send."""

    address: str
    username: str
    password: str = field(repr=False)
    imap: MailServer | None = None
    smtp: MailServer | None = None


@dataclass(frozen=True)
class MailAccount:
    """An account without its password."""

    id: UUID
    name: str
    address: str
    username: str
    imap: Mapping[str, Any] | None
    smtp: Mapping[str, Any] | None
    created_at: datetime


@dataclass(frozen=True)
class MailSearch:
    """Which mail is read: the newest ``most`` of the last ``days`` that fit; empty words fit all."""

    folder: str
    unread: bool
    sender: str
    subject: str
    days: int
    most: int


@dataclass(frozen=True)
class ReadMail:
    """One message as people read it."""

    id: str
    sender: str
    subject: str
    date: str
    text: str


@dataclass(frozen=True)
class NewMail:
    """What a step wants to send; the same id again is the same mail."""

    user_id: UUID
    id: UUID
    account: MailAccount
    recipients: Sequence[str]
    subject: str
    text: str
    workflow: str
    run_id: UUID


@dataclass(frozen=True)
class OutgoingMail:
    """Mail that waits for its user, and what became of it; ``message`` says why it did not go out."""

    user_id: UUID
    id: UUID
    account_id: UUID
    account: str
    sender: str
    recipients: Sequence[str]
    subject: str
    text: str
    workflow: str
    run_id: UUID
    status: MailStatus
    message: str
    generation: int
    decided_in: str | None
    created_at: datetime
    decided_at: datetime | None
    sent_at: datetime | None


class MailRefused(Exception):  # noqa: N818 - a refusal is an outcome
    """The account cannot be used as it is, or the server takes no such mail; the message says why, for people."""


class MailUnreachable(Exception):  # noqa: N818 - the state it is in
    """The server does not answer as it should; nothing was sent, and another try may help."""


class MailUnknown(Exception):  # noqa: N818 - what is known
    """The connection ended after the mail was handed over and before the server said that it has it."""
