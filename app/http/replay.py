"""Idempotency-Key for every POST but turns: the first answer is kept for a day and given again."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Annotated, Any
from uuid import UUID, uuid4, uuid5

from fastapi import Depends, Request
from python_multipart.multipart import parse_options_header
from starlette.responses import JSONResponse

from app.errors import Conflict, InvalidInput
from app.http.deps import Called, Provided, Services, Tenant
from app.http.problems import problem_response
from app.http.schemas import IdempotencyKey
from app.http.store.replays import Replays
from app.principal import EVERYBODY

REPLAYED = {"Idempotent-Replayed": "true"}
POLL_SECONDS = 0.05
RETRY_AFTER = "5"


@dataclass(frozen=True)
class KeptResponse:
    """A response that can be kept. ``secret`` fields are sent once and never stored."""

    status: int
    body: dict[str, Any]
    headers: dict[str, str] = field(default_factory=dict)
    secret: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Repeatable:
    """One POST; ``origin`` is the same whenever it is sent again, so that the ledger applies it once."""

    request: Request
    replays: Replays
    user_id: UUID
    key: str | None
    body_hash: bytes
    origin: UUID
    wait_seconds: float

    async def answer(self, act: Callable[[], Awaitable[KeptResponse]]) -> JSONResponse:
        """Do ``act`` unless it was done; raises InvalidInput when the key was used for something else."""
        if self.key is None:
            return _response(await act())
        owner, deadline = uuid4(), time.monotonic() + self.wait_seconds
        while not await self.replays.reserve(self.user_id, self.key, self.body_hash, owner):
            if again := await self._again(self.key):
                return again
            if time.monotonic() >= deadline:
                return self._still_working()
            await asyncio.sleep(POLL_SECONDS)
        return await self._act(self.key, owner, act)

    async def _act(self, key: str, owner: UUID, act: Callable[[], Awaitable[KeptResponse]]) -> JSONResponse:
        try:
            made = await act()
        except Exception:
            # Nothing is remembered of a failure: the same key works for the corrected request.
            await self.replays.release(self.user_id, key, owner)
            raise
        stored = {"body": {**made.body, **dict.fromkeys(made.secret)}, "headers": made.headers}
        if await self.replays.keep(self.user_id, key, owner, made.status, stored):
            return _response(made)
        # Someone thought this owner dead and did it again: a secret of ours is void by now.
        return await self._again(key) or self._still_working()

    async def _again(self, key: str) -> JSONResponse | None:
        body_hash, status, stored = await self.replays.find(self.user_id, key) or (self.body_hash, None, None)
        if body_hash != self.body_hash:
            raise InvalidInput(
                "This Idempotency-Key was used for a different request.", hint="Use a new key for each new wish."
            )
        if status is None or stored is None:
            return None
        return JSONResponse(stored["body"], status, headers={**stored["headers"], **REPLAYED})

    def _still_working(self) -> JSONResponse:
        problem = Conflict("The same request is still being worked on.", hint="Send it again, with the same key.")
        return problem_response(problem, self.request.scope, {"Retry-After": RETRY_AFTER})


async def repeatable(request: Request, services: Provided, user_id: Tenant, key: IdempotencyKey = None) -> Repeatable:
    """What a tenant's POST needs to be sent twice safely."""
    return await repeatable_for(request, services, user_id, key)


async def repeatable_by_anyone(
    request: Request, services: Provided, caller: Called, key: IdempotencyKey = None
) -> Repeatable:
    """The same where the administrator may ask, too: what that one sends is remembered with everybody's rows."""
    return await repeatable_for(request, services, caller.user_id or EVERYBODY, key)


async def repeatable_for(request: Request, services: Services, user_id: UUID, key: str | None) -> Repeatable:
    """The same, kept under any user."""
    seen = f"{request.method} {request.url.path}\n".encode() + _without_boundary(request, await request.body())
    body_hash = hashlib.sha256(seen).digest()
    origin = uuid5(user_id, f"{key}:{body_hash.hex()}") if key else uuid4()
    wait_seconds = services.settings.replay_wait_seconds
    return Repeatable(request, services.get(Replays), user_id, key, body_hash, origin, wait_seconds)


def _without_boundary(request: Request, body: bytes) -> bytes:
    """A body as it was meant: clients part the same form anew at random each time they send it."""
    kind, options = parse_options_header(request.headers.get("content-type"))
    boundary = options.get(b"boundary", b"")
    return body.replace(b"--" + boundary, b"") if kind == b"multipart/form-data" and boundary else body


Once = Annotated[Repeatable, Depends(repeatable)]
OnceByAnyone = Annotated[Repeatable, Depends(repeatable_by_anyone)]


def _response(made: KeptResponse) -> JSONResponse:
    return JSONResponse({**made.body, **made.secret}, made.status, headers=made.headers)
