"""Who may reach this server through a browser: Host on every request, Origin on every write and websocket.

A loopback server without keys trusts whoever can connect; any web page could, through the user's own browser.
"""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from app.errors import Forbidden
from app.loopback import is_loopback
from app.settings import Settings

SAFE_METHODS = frozenset({"GET", "HEAD"})
WILDCARDS = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared with, not bound to
DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
FOREIGN_SITES = frozenset({"cross-site", "same-site"})


class RequestGuard:
    """Refuses foreign Host and Origin headers with 403.

    What is asked of the public name came through its proxy: it gets that address's scheme, in which links, cookies and
    the page's own origin are told from here on.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        self.public = urlsplit(settings.public_url)
        hosts = (settings.host, *settings.allowed_hosts, self.public.hostname or "")
        self.hosts = frozenset(host.lower().strip("[]") for host in hosts)
        self.origins = frozenset(origin.lower().rstrip("/") for origin in settings.allowed_origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] in {"http", "websocket"}:
            headers = Headers(scope=scope)
            self._check_host(headers)
            if self.public.hostname and _host_name(headers["host"]) == self.public.hostname:
                websocket = scope["type"] == "websocket"
                scope["scheme"] = self.public.scheme.replace("http", "ws") if websocket else self.public.scheme
            if scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS:
                self._check_origin(scope, headers)
        await self.app(scope, receive, send)

    def _check_host(self, headers: Headers) -> None:
        named = headers.getlist("host")
        if len(named) == 1 and self._is_ours(_host_name(named[0])):
            return
        raise Forbidden(
            "The Host header does not name this server.",
            hint="Call it by the name it is bound to, or add that name to SUMMIT_ALLOWED_HOSTS.",
        )

    def _is_ours(self, name: str) -> bool:
        if is_loopback(name) or (name and name in self.hosts):
            return True
        # Bound to every address, it goes by each of them; a page cannot rebind an address, only a name.
        return self.settings.host in WILDCARDS and _is_address(name)

    def _check_origin(self, scope: Scope, headers: Headers) -> None:
        origin = headers.get("origin")
        if origin is not None and origin.lower() in self.origins:
            return
        foreign = origin is not None and not from_own_page(scope)
        if foreign or headers.get("sec-fetch-site", "").lower() in FOREIGN_SITES:
            raise Forbidden(
                "This request comes from a web page of another origin.",
                hint="Add the page's origin to SUMMIT_ALLOWED_ORIGINS if you trust it.",
            )


def from_own_page(scope: Scope) -> bool:
    """Whether a page of this very server sends a request: the same scheme, host and port."""
    headers = Headers(scope=scope)
    origin = headers.get("origin")
    return origin is not None and _place(origin) == _place(f"{_http_scheme(scope)}://{headers.get('host')}")


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _http_scheme(scope: Scope) -> str:
    scheme: str = scope["scheme"]
    return {"ws": "http", "wss": "https"}.get(scheme, scheme)


def _place(origin: str) -> tuple[str, str, int] | None:
    """Scheme, host and port; None for what is no web origin, such as ``null``."""
    try:
        parts = urlsplit(origin)
        port = parts.port or DEFAULT_PORTS.get(parts.scheme, 0)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname else None
