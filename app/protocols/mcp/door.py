"""POST /mcp: the Model Context Protocol over HTTP, without sessions; each request acts for the user of its key.

The tools call Summit's own API inside this process, with the key that came: every check and every rule of it counts.
"""

from __future__ import annotations

import asyncio
import importlib

import httpx
from fastapi import APIRouter, Request, Response
from starlette.types import Receive, Scope, Send

from app.http.deps import Provided, Tenant
from app.http.inside import inside
from app.protocols.mcp.calls import Calls

router = APIRouter(include_in_schema=False)
SERVER = "app.protocols.mcp.server"
MANAGER = "mcp.server.streamable_http_manager"


class _Spoken(Response):
    """A response that the protocol's library writes."""

    def __init__(self, request: Request) -> None:
        super().__init__()
        self._request = request

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        server = await asyncio.to_thread(importlib.import_module, SERVER)
        library = await asyncio.to_thread(importlib.import_module, MANAGER)
        async with httpx.AsyncClient(**inside(self._request)) as client:
            manager = library.StreamableHTTPSessionManager(
                server.build_server(Calls(client)), json_response=True, stateless=True
            )
            async with manager.run():
                await manager.handle_request(scope, receive, send)


@router.post("/mcp")
async def speak(request: Request, _services: Provided, _user_id: Tenant) -> Response:
    """One message of the protocol."""
    return _Spoken(request)
