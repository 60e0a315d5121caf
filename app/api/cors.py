"""Cross-origin answers for the web origins that the settings allow."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response

from app.api.problems import problem_response
from app.errors import Forbidden

METHODS = ("GET", "HEAD", "POST", "PATCH", "PUT", "DELETE")
READABLE = ("ETag", "Location", "Link", "X-Change-Id", "X-Request-Id", "Idempotent-Replayed", "Preference-Applied")


class Cors(CORSMiddleware):
    """Starlette's CORS, with refusals in the one error shape."""

    def preflight_response(self, request_headers: Headers) -> Response:
        """Answer a preflight request."""
        answer = super().preflight_response(request_headers)
        if answer.status_code < 400:  # noqa: PLR2004 - the first error status
            return answer
        return problem_response(Forbidden("This origin, method or header is not allowed."), {"path": ""})
