"""Cross-origin answers for the web origins that the settings allow."""

from __future__ import annotations

from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.types import Receive, Scope, Send

from app.errors import Forbidden
from app.http.problems import problem_response

METHODS = ("GET", "HEAD", "POST", "PATCH", "PUT", "DELETE")
READABLE = ("ETag", "Location", "Link", "X-Change-Id", "X-Request-Id", "Idempotent-Replayed", "Preference-Applied")


class Cors(CORSMiddleware):
    """Starlette's CORS, with refusals in the one error shape."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if self._refuses(scope):
            problem = Forbidden("This page may not send such a request.", hint="SUMMIT_ALLOWED_ORIGINS lists who may.")
            await problem_response(problem, scope)(scope, receive, send)
            return
        await super().__call__(scope, receive, send)

    def _refuses(self, scope: Scope) -> bool:
        if scope["type"] != "http" or scope["method"] != "OPTIONS":
            return False
        headers = Headers(scope=scope)
        if "origin" not in headers or "access-control-request-method" not in headers:
            return False
        return self.preflight_response(request_headers=headers).status_code >= HTTPStatus.BAD_REQUEST
