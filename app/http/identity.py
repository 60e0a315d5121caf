"""Who calls, settled before any route runs; what follows acts for that tenant alone, streams included."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.calendars.routes.feed import is_open
from app.http.accounts.routes.sessions import session_caller
from app.http.auth import Caller, authenticate, require_administrator, require_scope
from app.http.deps import Services, act_as
from app.http.front_ends import is_front_end, person_of
from app.http.guard import SAFE_METHODS
from app.http.wrong_keys import WrongKeys, unless_wrong
from app.principal import signed_as
from app.settings import Settings

PREFIX = "/v1/"
# Whatever is sent there is answered from what is stored: a key that may only write would read through it.
ANSWERING_SECTIONS = frozenset({"turns", "ws", "settings", "chat"})
KEY_SUBPROTOCOL = "summit.key."
OPERATED_SECTIONS = frozenset({"audit", "credits", "providers", "models", "runs"})
"""Sections where some routes are the administrator's; each of these says so itself."""
AUDITED_SECTIONS = frozenset({"users", "keys", "providers", "models", "runs", "credits"})
"""Sections whose acts the audit log names: one more statement in each transaction."""
MCP = "/mcp"
AGUI = "/agui"
LANGGRAPH = "/lg/"
LANGGRAPH_KEY = "x-api-key"
"""LangGraph's clients send their key there."""
LOOKING_UP = frozenset({"search", "history", "checkpoint"})
"""POSTs of LangGraph's API that read."""
ADMIN_SECTIONS = frozenset({"audit", "keys"})
"""Sections that need the scope admin and no other."""
OPEN_PATHS = frozenset({"/v1/version", "/lg/ok"})
CONFIRM_SECONDS = 1.0
Clock = Callable[[], float]


class Identity:
    """Authenticates everything under /v1 and /lg and sets the tenant around the rest of the request."""

    def __init__(self, app: ASGIApp, settings: Settings, clock: Clock = time.monotonic) -> None:
        self.app = app
        self._clock = clock
        self._wrong_keys = WrongKeys.of(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        scope.setdefault("state", {})["wrong_keys"] = self._wrong_keys
        if scope["type"] == "lifespan" or not _needs_caller(scope):
            await self.app(scope, receive, send)
            return
        caller = await unless_wrong(scope, authorization_of(scope), "key.refused", lambda: identify(scope))
        scope["state"]["caller"] = caller
        if caller.user_id is None:
            with signed_as(caller.name):
                await self.app(scope, receive, send)
            return
        signed = signed_as(caller.name) if _section(scope["path"]) in AUDITED_SECTIONS else nullcontext()
        with act_as(caller.user_id), signed:
            if scope["type"] == "http":
                receive = _confirmed_when_whole(scope, receive, self._clock)
            await self.app(scope, receive, send)


def _confirmed_when_whole(scope: Scope, receive: Receive, clock: Clock) -> Receive:
    """The request's body; one that took its time may end with a key that is none any more."""
    began, whole = clock(), False

    async def receive_confirmed() -> Message:
        nonlocal whole
        message = await receive()
        ends = not (whole or message.get("more_body", False))
        whole = whole or ends
        if ends and message["type"] == "http.request" and clock() - began >= CONFIRM_SECONDS:
            await identify(scope)
        return message

    return receive_confirmed


async def identify(scope: Scope) -> Caller:
    """Who opened a connection. Raises Unauthenticated, or Forbidden for what the key is not for."""
    services: Services = scope["state"]["services"]
    authorization = authorization_of(scope)
    if is_front_end(authorization, services.settings):
        return await person_of(scope, services)
    caller = await session_caller(scope, services) if authorization is None else None
    caller = caller or await authenticate(authorization, services.users, services.settings, services.tokens)
    _authorise(caller, scope.get("method", "GET"), scope["path"])
    return caller


def authorization_of(scope: Scope) -> str | None:
    """What is sent as a key.

    A browser cannot set headers on a websocket: there the key may come as a subprotocol, never in the URL.
    """
    stated = Headers(scope=scope).get("authorization")
    if stated is None:
        for protocol in scope.get("subprotocols", ()):
            if protocol.startswith(KEY_SUBPROTOCOL):
                return f"Bearer {protocol.removeprefix(KEY_SUBPROTOCOL)}"
        if scope["path"].startswith(LANGGRAPH) and (key := Headers(scope=scope).get(LANGGRAPH_KEY)):
            return f"Bearer {key}"
    return stated


def _needs_caller(scope: Scope) -> bool:
    """A feed is opened by the token in its address; to write there, or anywhere else, takes a key."""
    path = scope["path"]
    if is_open(path) and scope["type"] == "http" and scope["method"] in SAFE_METHODS:
        return False
    return (path.startswith((PREFIX, LANGGRAPH)) and path not in OPEN_PATHS) or path in (MCP, AGUI)


def _section(path: str) -> str:
    return path.removeprefix(PREFIX).split("/")[0]


def _authorise(caller: Caller, method: str, path: str) -> None:
    if path == MCP:  # its tools call this API again, where each asks for the scope that it needs
        require_scope(caller, "read")
        return
    if path == AGUI:
        require_scope(caller, "write")
        require_scope(caller, "read")
        return
    if path.startswith(LANGGRAPH):  # whatever is said there is answered
        require_scope(caller, "read")
        if method not in SAFE_METHODS and path.rsplit("/", 1)[-1] not in LOOKING_UP:
            require_scope(caller, "write")
        return
    section = _section(path)
    if section == "users":
        require_administrator(caller)
    elif caller.user_id is None and section in OPERATED_SECTIONS:
        return
    elif section in ADMIN_SECTIONS:
        require_scope(caller, "admin")
    else:
        require_scope(caller, "read" if method in SAFE_METHODS else "write")
        if section in ANSWERING_SECTIONS:
            require_scope(caller, "read")
