"""Opaque cursors: where the next page starts, as text that a client hands back."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from app.database.model import Page
from app.errors import InvalidInput

T = TypeVar("T")


def encode(position: Sequence[Any]) -> str:
    """A position as an opaque cursor."""
    return base64.urlsafe_b64encode(json.dumps(list(position), default=str).encode()).decode().rstrip("=")


def decode(cursor: str, length: int) -> list[str]:
    """The position in a cursor; raises InvalidInput for anything that we did not make."""
    try:
        position = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, RecursionError) as error:
        raise foreign() from error
    if not isinstance(position, list) or len(position) != length or not all(map(_is_text, position)):
        raise foreign()
    return position


def decode_latest(cursor: str | None) -> tuple[datetime | None, UUID | None]:
    """The position in a list that shows the latest first; (None, None) at its start. Raises InvalidInput."""
    if cursor is None:
        return None, None
    at, last = decode(cursor, 2)
    try:
        return datetime.fromisoformat(at), UUID(last)
    except ValueError as error:
        raise foreign() from error


def foreign() -> InvalidInput:
    """The refusal of a cursor that we did not make."""
    return InvalidInput("The cursor is not one that this list gave out.", hint="Start without a cursor.")


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value.isprintable()


def page(rows: Sequence[T], limit: int, position: Callable[[T], Sequence[Any]]) -> Page:
    """The first ``limit`` of up to ``limit + 1`` rows, and a cursor when there are more."""
    shown = list(rows[:limit])
    return Page(shown, encode(position(shown[-1])) if len(rows) > limit else None)
