"""What requests need of the database."""

from __future__ import annotations

from typing import Any, Protocol
from uuid import UUID


class Replays(Protocol):
    """Answers kept for the idempotency keys of POSTs other than turns, for 24 hours."""

    async def reserve(self, user_id: UUID, key: str, body_hash: bytes, owner: UUID) -> bool:
        """Whether the key is the owner's now: unused, outdated, or left by an owner of the same request that died."""

    async def find(self, user_id: UUID, key: str) -> tuple[bytes, int | None, dict[str, Any] | None] | None:
        """(body hash, status, body) of the request that used the key; status and body are None until it is done."""

    async def keep(self, user_id: UUID, key: str, owner: UUID, status: int, body: dict[str, Any]) -> bool:
        """Remember an answer, unless another owner took the key over: then it returns False."""

    async def release(self, user_id: UUID, key: str, owner: UUID) -> None:
        """Give a reserved key back unused."""
