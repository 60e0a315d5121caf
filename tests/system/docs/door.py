"""A door before the real server that adds what a page leaves out: who speaks, and that it is a Monday morning."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, time, timedelta
from itertools import count
from typing import Any

import httpx
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import StreamingResponse

from tests.support.waiting import HANG_SECONDS

METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
OF_THE_CONNECTION = frozenset({"host", "content-length", "transfer-encoding", "connection", "date"})


def last_monday(now: datetime) -> datetime:
    """Nine o'clock on the last Monday before today: what a page says about Friday is true on any day it is tested."""
    monday = now.date() - timedelta(days=now.weekday() or 7)
    return datetime.combine(monday, time(9), UTC)


class Clock:
    """Each message is said a minute after the one before; one that is sent again, when it was sent first."""

    def __init__(self) -> None:
        self._monday = last_monday(datetime.now(UTC))
        self._minutes = count()
        self._known: dict[str, str] = {}

    def said_at(self, key: str | None) -> str:
        """When a message with this Idempotency-Key was said."""
        now = (self._monday + timedelta(minutes=next(self._minutes))).isoformat()
        return self._known.setdefault(key or now, now)


def door(url: str, key: str) -> FastAPI:
    """Passes everything on to the server at ``url`` for the user with the API ``key``."""
    clock = Clock()

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[dict[str, Any]]:
        async with httpx.AsyncClient(base_url=url, timeout=HANG_SECONDS) as client:
            yield {"client": client}

    async def pass_on(request: Request) -> StreamingResponse:
        headers = {"authorization": f"Bearer {key}", **_kept(request.headers)}
        body = await request.body()
        if _is_message(request):
            said = {"captured_at": clock.said_at(headers.get("idempotency-key"))}
            body = json.dumps({**said, **json.loads(body)}).encode()
        client: httpx.AsyncClient = request.state.client
        target = f"{request.url.path}?{request.url.query}"
        answer = await client.send(
            client.build_request(request.method, target, headers=headers, content=body), stream=True
        )
        return StreamingResponse(_body(answer), answer.status_code, _kept(answer.headers))

    app = FastAPI(openapi_url=None, lifespan=lifespan)
    app.add_api_route("/{path:path}", pass_on, methods=METHODS, response_model=None)
    return app


def _is_message(request: Request) -> bool:
    is_json = "json" in request.headers.get("content-type", "")
    return request.method == "POST" and request.url.path == "/v1/turns" and is_json


def _kept(headers: Any) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name not in OF_THE_CONNECTION}


async def _body(answer: httpx.Response) -> AsyncIterator[bytes]:
    try:
        async for part in answer.aiter_raw():
            yield part
    finally:
        await answer.aclose()
