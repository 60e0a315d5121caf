"""Tenants, their settings and keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol
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


class Users(Protocol):
    """Tenants, their settings and keys."""

    async def create(self, name: str, user_id: UUID | None = None) -> User:
        """A new tenant; with ``user_id`` the one that exists is returned unchanged."""

    async def get(self, user_id: UUID) -> User | None:
        """One tenant."""

    async def list(self) -> list[User]:
        """Every tenant (administration only)."""

    async def update_settings(self, user_id: UUID, values: dict[str, Any]) -> User:
        """Merge settings; None removes one."""

    async def create_key(
        self,
        user_id: UUID,
        name: str,
        digest: bytes,
        hint: str,
        scopes: Sequence[Scope],
        expires_at: datetime | None,
        key_id: UUID | None = None,
    ) -> ApiKey:
        """Keep a key's SHA-256, never the key; ``key_id`` again replaces it within a day, then raises Conflict."""

    async def find_key(self, digest: bytes) -> ApiKey | None:
        """The key with this digest, of any tenant; expired ones are returned too."""

    async def keys(self, user_id: UUID) -> Sequence[ApiKey]:
        """The tenant's keys."""

    async def delete_key(self, user_id: UUID, key_id: UUID) -> bool:
        """Revoke a key at once."""

    async def open_session(self, user_id: UUID, key_id: UUID, digest: bytes, expires_at: datetime) -> None:
        """Keep a session of a key by its token's digest; the user's sessions that have ended are dropped."""

    async def find_session(self, digest: bytes) -> ApiKey | None:
        """The key behind a session that has not ended; it expires with whichever of both ends first."""

    async def close_session(self, user_id: UUID, digest: bytes) -> None:
        """End a session at once."""

    async def any_key(self) -> bool:
        """Whether any tenant has a key: then loopback needs one too."""


def main_thread(user_id: UUID) -> UUID:
    """The id of a user's main thread: derived, so that nobody has to look it up."""
    return uuid5(user_id, "main")
