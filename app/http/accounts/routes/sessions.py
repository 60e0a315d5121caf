"""The page's way in: a key becomes a session that this browser keeps and no script can read."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import UTC, datetime, timedelta
from typing import Literal
from uuid import UUID

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import Scope as Connection

from app.errors import Forbidden, Unauthenticated
from app.http.accounts.model.users import Scope
from app.http.auth import Caller, authenticate, digest_of, session_holder, tenant_of
from app.http.bodies import StrictRoute
from app.http.deps import Provided, Services
from app.http.guard import SAFE_METHODS, from_own_page
from app.http.schemas import Document
from app.http.wrong_keys import unless_wrong
from app.principal import signed_as

COOKIE = "summit_session"
CSRF_HEADER = "x-csrf-token"
router = APIRouter(prefix="/session", include_in_schema=False, route_class=StrictRoute)


class SignIn(Document):
    """The key to sign in with."""

    api_key: str = Field(min_length=1, max_length=200)


class SessionView(BaseModel):
    """Who uses the page. `csrf` goes with every write of a session as `X-CSRF-Token`; null without one."""

    user_id: UUID
    name: str
    kind: Literal["local", "session"]
    scopes: list[Scope]
    csrf: str | None


@router.get("")
async def get_session(request: Request, services: Provided) -> SessionView:
    """Who the page acts for."""
    return await _view(services, await caller_of_page(request.scope), token_of(request.scope))


@router.post("", status_code=201)
async def sign_in(body: SignIn, request: Request, services: Provided) -> Response:
    """Turn a key into a session; the answer sets its cookie."""
    sent = f"Bearer {body.api_key}"
    caller = await unless_wrong(
        request.scope, sent, "sign-in.refused", lambda: authenticate(sent, services.users, services.settings)
    )
    user_id, token = tenant_of(caller), secrets.token_urlsafe(32)
    lasts = timedelta(days=services.settings.session_days)
    key = await services.users.find_key(digest_of(body.api_key))
    if key is None:
        raise Unauthenticated("There is no such API key; it may have been revoked.")
    with signed_as(caller.name):
        await services.users.open_session(user_id, key.id, digest_of(token), datetime.now(UTC) + lasts)
    answer = Response(_json(await _view(services, caller, token)), 201, media_type="application/json")
    _set(answer, request, token, int(lasts.total_seconds()))
    return answer


@router.delete("", status_code=204)
async def sign_out(request: Request, services: Provided) -> Response:
    """End the session of this browser."""
    caller, token = await caller_of_page(request.scope), token_of(request.scope)
    if caller.user_id and token:
        with signed_as(caller.name):
            await services.users.close_session(caller.user_id, digest_of(token))
    answer = Response(status_code=204)
    _set(answer, request, "", 0)
    return answer


async def caller_of_page(scope: Connection) -> Caller:
    """Who a browser's session acts for, or who a request without any key does. Raises Unauthenticated, Forbidden."""
    services: Services = scope["state"]["services"]
    caller = await session_caller(scope, services)
    return caller or await authenticate(None, services.users, services.settings)


async def session_caller(scope: Connection, services: Services) -> Caller | None:
    """Who the session of a browser acts for; None without one. Raises Forbidden for a write of another page."""
    token = token_of(scope)
    caller = await session_holder(token, services.users) if token else None
    if caller is not None and token:
        _refuse_other_pages(scope, token)
    return caller


def token_of(scope: Connection) -> str | None:
    """The session's token that a browser sends."""
    return cookie_parser(Headers(scope=scope).get("cookie", "")).get(COOKIE) or None


def csrf_of(token: str) -> str:
    """What only a page that read it from this server can send; nothing of the token can be learnt from it."""
    return hashlib.sha256(f"csrf {token}".encode()).hexdigest()


def _refuse_other_pages(scope: Connection, token: str) -> None:
    """A browser sends the cookie whichever page asks: SameSite does not tell one port from another."""
    if scope["type"] == "websocket":
        if not from_own_page(scope):
            raise Forbidden("A session opens a websocket from its own page only.", hint="Send an API key instead.")
    elif scope["method"] not in SAFE_METHODS:
        sent = Headers(scope=scope).get(CSRF_HEADER, "")
        if not hmac.compare_digest(sent.encode(), csrf_of(token).encode()):
            raise Forbidden("This write has no token of the page.", hint="Send `csrf` of GET /session as X-CSRF-Token.")


async def _view(services: Services, caller: Caller, token: str | None) -> SessionView:
    user_id = tenant_of(caller)
    user = await services.users.get(user_id)
    known = token if token and await session_holder(token, services.users) else None
    return SessionView(
        user_id=user_id,
        name=user.name if user else "",
        kind="session" if known else "local",
        scopes=sorted(caller.scopes),
        csrf=csrf_of(known) if known else None,
    )


def _json(view: SessionView) -> bytes:
    return view.model_dump_json().encode()


def _set(answer: Response, request: Request, token: str, seconds: int) -> None:
    secure = request.url.scheme == "https"
    answer.set_cookie(COOKIE, token, max_age=seconds, path="/", httponly=True, samesite="strict", secure=secure)
