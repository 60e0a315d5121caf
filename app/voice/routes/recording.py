"""A recording as a response: whole or in ranges, with refusals in the one error shape."""

from __future__ import annotations

from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.responses import FileResponse
from starlette.types import Message, Receive, Scope, Send

from app.errors import RangeNotSatisfiable
from app.http.problems import problem_response


class Recording(FileResponse):
    """A file whose wrong ranges are answered with a problem document."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file, or why not."""
        refused: Message | None = None

        async def watch(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start" and message["status"] >= HTTPStatus.BAD_REQUEST:
                refused = message
            if refused is None:
                await send(message)

        await super().__call__(scope, receive, watch)
        if refused is not None:
            problem = RangeNotSatisfiable("The Range header does not fit this recording.")
            size = Headers(raw=refused["headers"]).get("content-range")
            await problem_response(problem, scope, {"Content-Range": size} if size else {})(scope, receive, send)
