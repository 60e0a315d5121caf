"""One log line, one metric, one span and the same headers for every request; never contents, query strings or keys."""

from __future__ import annotations

import logging
import time
from uuid import uuid4

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http.metrics import Metrics
from app.tracing import TraceSpan, span

log = logging.getLogger("summit.access")
FIRST_FAILURE_STATUS = 500
"""Statuses from here on are failures of ours."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}


class Access:
    """Outermost: gives the request its id, then counts and logs it by route template."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started, request_id, status = time.perf_counter(), uuid4().hex, 500
        scope.setdefault("state", {}).update(request_id=request_id, metrics=self.metrics)

        async def stamp(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _add_headers(message, request_id)
            await send(message)

        with span("request", {}, side="server") as request:
            try:
                await self.app(scope, receive, stamp)
            finally:
                method, route = self._record(scope, status, time.perf_counter() - started, request_id)
                _tell(request, method, route, status)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A conversation is no request: it is logged when it is over, and not counted."""
        started, request_id = time.perf_counter(), uuid4().hex
        scope.setdefault("state", {}).update(request_id=request_id, metrics=self.metrics)
        try:
            await self.app(scope, receive, send)
        finally:
            route = getattr(scope.get("route"), "path", "unknown")
            seconds = time.perf_counter() - started
            log.info("websocket route=%s s=%.1f request_id=%s", route, seconds, request_id)

    def _record(self, scope: Scope, status: int, seconds: float, request_id: str) -> tuple[str, str]:
        route = getattr(scope.get("route"), "path", "unknown")
        method = self.metrics.observe(scope["method"], route, status, seconds)
        log.info(
            "method=%s route=%s status=%d ms=%.1f request_id=%s", method, route, status, seconds * 1000, request_id
        )
        return method, route


def _tell(request: TraceSpan, method: str, route: str, status: int) -> None:
    """A path may hold what somebody wrote; its route does not."""
    request.call(f"{method} {route}")
    request.tell({"http.request.method": method, "http.route": route, "http.response.status_code": status})
    if status >= FIRST_FAILURE_STATUS:
        request.fail(str(status))


def _add_headers(message: Message, request_id: str) -> None:
    headers = MutableHeaders(scope=message)
    headers["X-Request-Id"] = request_id
    headers.setdefault("Cache-Control", "no-store")
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
