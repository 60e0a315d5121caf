"""Every error leaves as one shape: an RFC 9457 document with a hint."""

from __future__ import annotations

import asyncio
import errno
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect, WebSocketDisconnected

from app.errors import (
    Forbidden,
    InvalidInput,
    Malformed,
    MethodNotAllowed,
    NotAnswered,
    NotFound,
    OutOfReach,
    Postponed,
    Problem,
    StorageFull,
    TooLarge,
    TooManyRequests,
    TooSlow,
    Unauthenticated,
    Unavailable,
    UnsupportedMedia,
    stack_of,
)

RETRYABLE_PROBLEMS = (Unavailable, TooManyRequests)
"""Problems that pass by themselves, and say when to try again."""
CLIENT_GONE = (WebSocketDisconnect, WebSocketDisconnected, ClientDisconnect)
"""Who left hears no answer, and it is nobody's fault."""
MEDIA_TYPE = "application/problem+json"
MOST_ERRORS = 20
CLOSE_REFUSED = 1008  # the websocket code for a policy; before the handshake it becomes a 403
CLOSE_FAILED = 1011  # the websocket code for an unexpected error
DENIAL = "websocket.http.response"  # with this extension a refused handshake can say why
LONGEST_NAME = 100
WHOLE_BODY = "body"
UNANSWERED = (
    "/v1/responses",
    "/v1/completions",
    "/v1/images/",
    "/v1/moderations",
    "/v1/files",
    "/v1/batches",
    "/v1/assistants",
    "/v1/fine_tuning/",
    "/v1/vector_stores",
    "/v1/realtime",
)
"""Where clients of OpenAI's protocol come and nothing is: they are told what to use."""
OPENAI_PATHS = ("/v1/models", "/v1/chat/", "/v1/audio/", "/v1/embeddings", *UNANSWERED)
"""Where they come at all: they look for the reason in a member `error`, and know 400 for what is not valid."""
FORMS = {
    r"^[\x21-\x7e]+$": "may hold letters, digits and signs of ASCII, and no spaces",
    r"^[a-z0-9]+(-[a-z0-9]+)*$": "may hold small letters and digits, with hyphens between them, such as weekly-review",
    r"^[a-z][a-z0-9_]*$": "may hold small letters, digits and underscores, and begins with a letter",
}
"""What patterns of fields mean, in words."""
NO_SPACE = (errno.ENOSPC, errno.EDQUOT)
HTTP_PROBLEMS: dict[int, type[Problem]] = {
    kind.status: kind
    for kind in (
        Malformed,
        Unauthenticated,
        Forbidden,
        NotFound,
        MethodNotAllowed,
        TooLarge,
        UnsupportedMedia,
        InvalidInput,
    )
}
log = logging.getLogger("summit.errors")


class FieldError(BaseModel):
    """What is wrong with one field."""

    field: str = Field(examples=["text"])
    message: str = Field(examples=["must say something"])


class ProblemDocument(BaseModel):
    """An error, as RFC 9457 describes them; `hint` says what to do next."""

    type: str = Field(description="Stable name of the kind of problem.", examples=["urn:summit:problem:invalid-input"])
    title: str = Field(examples=["The request is not valid"])
    status: int = Field(description="The HTTP status again.", examples=[422])
    detail: str = Field(description="What happened this time.", examples=["text: must say something"])
    hint: str = Field(description="What to do next.", examples=["Compare the request with /docs and send it again."])
    instance: str = Field(description="The path of the request.", examples=["/v1/turns"])
    errors: list[FieldError] = Field([], description="Only for invalid requests: one entry for each wrong field.")


def problem_response(problem: Problem, scope: Scope, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """The problem as a response to the request of ``scope``."""
    extra = {"WWW-Authenticate": "Bearer"} if isinstance(problem, Unauthenticated) else {}
    closing = {"Connection": "close"} if isinstance(problem, TooLarge | TooSlow) else {}
    later = {"Retry-After": str(problem.retry_seconds)} if isinstance(problem, RETRYABLE_PROBLEMS) else {}
    document = problem.document(scope.get("path", ""))
    if _speaks_openai(scope):
        document |= {"status": _openai_status(problem), **_for_openai(problem)}
    return JSONResponse(
        document,
        document["status"],
        headers={**extra, **closing, **later, **(headers or {})},
        media_type=MEDIA_TYPE,
    )


def _speaks_openai(scope: Scope) -> bool:
    """Whether a request is one of OpenAI's protocol; models are chosen beside where they are listed."""
    path = scope.get("path", "")
    return path.startswith(OPENAI_PATHS) and (scope.get("method") == "GET" or not path.startswith("/v1/models"))


def _openai_status(problem: Problem) -> int:
    return Malformed.status if problem.status == InvalidInput.status else problem.status


def _for_openai(problem: Problem) -> dict[str, Any]:
    """The same problem where OpenAI's clients look for it."""
    kind = "invalid_request_error" if problem.status < Problem.status else "server_error"
    fields = [error["field"] for error in problem.extra.get("errors", [])]
    about = {"param": fields[0] if fields else None, "code": problem.slug.replace("-", "_")}
    return {"error": {"message": f"{problem.detail} {problem.hint}", "type": kind, **about}}


def invalid(errors: Sequence[Any]) -> InvalidInput:
    """Pydantic's errors as a problem: field and message, never the value."""
    found = [{"field": _field(error["loc"]), "message": _message(error)} for error in errors[:MOST_ERRORS]]
    return InvalidInput("; ".join(_sentence(item) for item in found), errors=found)


async def on_problem(request: Request, error: Exception) -> JSONResponse:
    """Answer a problem that a route raised."""
    assert isinstance(error, Problem)  # noqa: S101 - registered for this type
    return problem_response(error, request.scope)


async def on_invalid(request: Request, error: Exception) -> JSONResponse:
    """Answer a request that does not fit its model; a path that cannot be an id names nothing."""
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for this type
    errors = error.errors()
    if any(item["loc"][0] == "path" for item in errors):
        return problem_response(NotFound("No item has that id."), request.scope)
    return problem_response(invalid(errors), request.scope)


async def on_http_error(request: Request, error: Exception) -> JSONResponse:
    """Answer what the framework refused: unknown paths, wrong methods, broken forms."""
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for this type
    refused = error.status_code == MethodNotAllowed.status
    allowed = await asyncio.to_thread(_allow_header, request) if refused else None
    return problem_response(_from_http(error, request), request.scope, allowed or error.headers)


class Problems:
    """Turns whatever is raised further inside into a problem document."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        started = False

        async def watch(message: Message) -> None:
            nonlocal started
            started = started or message["type"] in ("http.response.start", "websocket.accept")
            await send(message)

        try:
            await self.app(scope, receive, watch)
        except CLIENT_GONE as error:
            log.debug("the client of %s left (%s)", scope.get("path", ""), type(error).__name__)
        except Exception as error:  # noqa: BLE001 - the last resort, by intention
            problem = error if isinstance(error, Problem) else unexpected_problem(error, scope)
            # A response that has begun cannot be taken back: ending here makes the server cut the connection.
            if scope["type"] == "websocket" and (started or DENIAL not in scope.get("extensions", {})):
                await send({"type": "websocket.close", "code": CLOSE_FAILED if started else CLOSE_REFUSED})
            elif not started:
                await problem_response(problem, scope)(scope, receive, send)


def unexpected_problem(error: Exception, scope: Scope) -> Problem:
    """A problem for what nobody foresaw; logs where it was, but no messages: they may quote what the user wrote."""
    request_id = scope.get("state", {}).get("request_id", "")
    if refused := _out_of_reach(error):
        log.warning("request_id=%s put off (%s)", request_id, type(refused).__name__)
        return Postponed(refused)
    log.error("request_id=%s unexpected error\n%s", request_id, stack_of(error))
    return Problem("The server met an error that it did not expect.", request_id=request_id)


def _out_of_reach(error: Exception) -> OutOfReach | None:
    """What will be served when the database or the disk can be used again."""
    if isinstance(error, OSError) and error.errno in NO_SPACE:
        return StorageFull()
    return error if isinstance(error, OutOfReach) else None


def _allow_header(request: Request) -> dict[str, str] | None:
    """Every method of the path; the framework names those of one route only."""
    path = getattr(request.scope.get("route"), "path", "")
    methods = request.app.openapi()["paths"].get(path, {})
    return {"Allow": ", ".join(sorted(method.upper() for method in methods))} if methods else None


def _from_http(error: HTTPException, request: Request) -> Problem:
    path = request.scope.get("path", "")
    if error.status_code == NotFound.status and path.startswith(UNANSWERED):
        return NotAnswered()
    if error.status_code == NotFound.status:
        return NotFound("This path leads nowhere.", hint="/docs lists every path.")
    if error.status_code == MethodNotAllowed.status:
        return MethodNotAllowed(f"{request.method} is not possible here.")
    return HTTP_PROBLEMS.get(error.status_code, Malformed)(str(error.detail))


def _field(place: Sequence[str | int]) -> str:
    return ".".join(str(step)[:LONGEST_NAME] for step in place[1:]) or WHOLE_BODY


def _sentence(item: Mapping[str, str]) -> str:
    """What a check of the whole body found speaks for itself."""
    named = item["field"] != WHOLE_BODY or item["message"] == "Field required"
    return f"{item['field']}: {item['message']}" if named else item["message"]


def _message(error: Any) -> str:
    told = _in_words(error.get("type", ""), error.get("ctx") or {})  # one of ours has no type
    return told or str(error["msg"]).removeprefix("Value error, ")


def _in_words(kind: str, about: Mapping[str, Any]) -> str:
    """What pydantic tells to programmers; empty where its own words will do."""
    match kind:
        case "string_pattern_mismatch":
            return FORMS.get(about["pattern"], "")
        case "string_too_short" if about["min_length"] == 1:
            return "must not be empty"
        case "union_tag_not_found":
            return f"{about['discriminator']} is missing"
        case "union_tag_invalid":
            return f"{about['discriminator']} must be one of {about['expected_tags']}"
    return ""
