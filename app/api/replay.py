"""Idempotency-Key for every POST but turns: the first answer is kept for a day and given again."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Annotated, Any
from uuid import UUID, uuid4, uuid5

from fastapi import Depends, Request
from starlette.responses import JSONResponse

from app.api.schemas import IdempotencyKey
from app.deps import Provided, Tenant
from app.errors import InvalidInput
from app.ports import Replays

REPLAYED = {"Idempotent-Replayed": "true"}


@dataclass(frozen=True)
class Answer:
    """A response that can be kept. ``secret`` fields are sent once and never stored."""

    status: int
    body: dict[str, Any]
    headers: dict[str, str] = field(default_factory=dict)
    secret: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Repeatable:
    """One POST; ``origin`` is the same whenever it is sent again, so that the ledger applies it once."""

    replays: Replays
    user_id: UUID
    key: str | None
    body_hash: bytes
    origin: UUID

    async def answer(self, act: Callable[[], Awaitable[Answer]]) -> JSONResponse:
        """Do ``act`` unless it was done; raises InvalidInput when the key was used for something else."""
        if self.key is None:
            return _response(await act())
        kept = await self.replays.find(self.user_id, self.key)
        if kept is not None:
            return self._again(*kept)
        made = await act()
        stored = {"body": {**made.body, **dict.fromkeys(made.secret)}, "headers": made.headers}
        await self.replays.keep(self.user_id, self.key, self.body_hash, made.status, stored)
        return _response(made)

    def _again(self, body_hash: bytes, status: int, stored: dict[str, Any]) -> JSONResponse:
        if body_hash != self.body_hash:
            raise InvalidInput(
                "This Idempotency-Key was used for a different request.", hint="Use a new key for each new wish."
            )
        return JSONResponse(stored["body"], status, headers={**stored["headers"], **REPLAYED})


async def repeatable(request: Request, services: Provided, user_id: Tenant, key: IdempotencyKey = None) -> Repeatable:
    """What a tenant's POST needs to be sent twice safely."""
    return await repeatable_for(request, services.replays, user_id, key)


async def repeatable_for(request: Request, replays: Replays, user_id: UUID, key: str | None) -> Repeatable:
    """The same, kept under any user."""
    seen = f"{request.method} {request.url.path}\n".encode() + await request.body()
    body_hash = hashlib.sha256(seen).digest()
    origin = uuid5(user_id, f"{key}:{body_hash.hex()}") if key else uuid4()
    return Repeatable(replays, user_id, key, body_hash, origin)


Once = Annotated[Repeatable, Depends(repeatable)]


def _response(made: Answer) -> JSONResponse:
    return JSONResponse({**made.body, **made.secret}, made.status, headers=made.headers)
