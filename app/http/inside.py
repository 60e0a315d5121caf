"""Summit's own API as a request inside this process reaches it: as the same caller, through every check."""

from __future__ import annotations

from typing import Any

import httpx
from fastapi import Request
from starlette.types import Receive, Scope, Send

FORWARDED_HEADERS = ("authorization", "cookie", "x-csrf-token")


def inside(request: Request) -> dict[str, Any]:
    """How an ``httpx.AsyncClient`` is to be made for that."""
    state = request.scope["state"]["services"]

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await request.app({**scope, "state": {"services": state}}, receive, send)

    given = {name: value for name in FORWARDED_HEADERS if (value := request.headers.get(name))}
    return {
        "transport": httpx.ASGITransport(app=app),
        "base_url": str(request.base_url),
        "headers": given,
        "timeout": None,
    }
