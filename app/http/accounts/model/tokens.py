"""Tokens that an identity provider signs (OpenID Connect), as another way than keys to say who calls."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True)
class Bearer:
    """Whom a token names: ``user_id`` is the same for every token of the same person."""

    user_id: UUID
    subject: str
    name: str
    expires_at: datetime


class TokenRefused(Exception):  # noqa: N818 - a refusal is an outcome
    """The token proves nothing here; the message says why, without repeating any of it."""


class IssuerAway(Exception):  # noqa: N818 - it names what is away
    """The issuer's keys cannot be had now."""
