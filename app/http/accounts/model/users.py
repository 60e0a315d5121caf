"""Tenants, their settings and keys."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID, uuid5

Scope = Literal["read", "write", "admin"]


@dataclass(frozen=True)
class User:
    """A tenant."""

    id: UUID
    name: str
    created_at: datetime
    settings: dict[str, Any]


@dataclass(frozen=True)
class ApiKey:
    """A key as it may be shown again: never the key itself. ``hint`` is its last four characters."""

    id: UUID
    user_id: UUID
    name: str
    hint: str
    scopes: tuple[Scope, ...]
    created_at: datetime
    expires_at: datetime | None


def main_thread(user_id: UUID) -> UUID:
    """The id of a user's main thread: derived, so that nobody has to look it up."""
    return uuid5(user_id, "main")
