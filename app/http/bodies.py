"""Reading JSON strictly: what gets past here can be stored and shown again."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Coroutine
from typing import Any, NoReturn

from fastapi import Request, Response
from fastapi.routing import APIRoute

from app.errors import InvalidInput, Malformed, UnsupportedMedia

MAX_BODY_DEPTH = 20
LARGEST_NUMBER = 2**53


class StrictRoute(APIRoute):
    """A route whose JSON body is checked before the framework reads it."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Wrap the framework's handler."""
        handle = super().get_route_handler()

        async def check_and_handle(request: Request) -> Response:
            if self.body_field is not None and await self._has_body(request):
                await read_json(request)
            return await handle(request)

        return check_and_handle

    async def _has_body(self, request: Request) -> bool:
        """Whether there is a body to check: only one that may be left out can be missing."""
        optional = self.body_field is not None and not self.body_field.field_info.is_required()
        return not optional or bool(await request.body())


async def read_json(request: Request, only: Collection[str] | None = None) -> dict[str, Any]:
    """The request's JSON object, or those members of it; raises UnsupportedMedia, Malformed or InvalidInput."""
    if media_type(request) != "application/json":
        raise UnsupportedMedia("The body must be application/json.")
    return parse_object(await request.body(), only)


def parse_object(body: bytes, only: Collection[str] | None = None) -> dict[str, Any]:
    """A JSON object that can be stored and shown again; raises Malformed or InvalidInput."""
    document = _parse(body)
    if not isinstance(document, dict):
        raise InvalidInput("The body must be a JSON object.")
    if only is not None:
        document = {name: value for name, value in document.items() if name in only}
    check_storable(document)
    return document


def media_type(request: Request) -> str:
    """The request's content type without parameters, in lower case."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def check_storable(document: Any, depth: int = 0) -> None:
    """Raises InvalidInput for what PostgreSQL or JSON cannot hold: NUL, lone surrogates, huge numbers, deep nesting."""
    if depth > MAX_BODY_DEPTH:
        raise InvalidInput(f"The body is nested deeper than {MAX_BODY_DEPTH} levels.")
    if isinstance(document, str):
        _check_text(document)
    elif isinstance(document, int | float):
        _check_number(document)
    elif isinstance(document, dict):
        for name, value in document.items():
            _check_text(name)
            check_storable(value, depth + 1)
    elif isinstance(document, list):
        for value in document:
            check_storable(value, depth + 1)


def _parse(body: bytes) -> Any:
    if not body.strip():
        raise Malformed("The body is empty.")
    try:
        return json.loads(body, parse_constant=_refuse_constant)
    except RecursionError:
        raise InvalidInput(f"The body is nested deeper than {MAX_BODY_DEPTH} levels.") from None
    except ValueError as error:
        raise Malformed(f"The body is not valid JSON{_place(error)}.") from None


def _place(error: ValueError) -> str:
    return f" (line {error.lineno}, column {error.colno})" if isinstance(error, json.JSONDecodeError) else ""


def _refuse_constant(_name: str) -> NoReturn:
    raise ValueError


def _check_text(value: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise _unstorable() from None
    if "\x00" in value:
        raise _unstorable()


def _unstorable() -> InvalidInput:
    return InvalidInput("Text must not contain NUL characters or lone surrogates.", hint="Send well-formed UTF-8.")


def _check_number(value: float) -> None:
    if not abs(value) <= LARGEST_NUMBER:  # which NaN is not either
        raise InvalidInput(f"Numbers must be finite and not larger than {LARGEST_NUMBER}.")
