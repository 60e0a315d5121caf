"""Opaque cursors: where the next page starts, as text that a client hands back."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from app.errors import InvalidInput
from app.ports import Page

T = TypeVar("T")


def encode(position: Sequence[Any]) -> str:
    """A position as an opaque cursor."""
    return base64.urlsafe_b64encode(json.dumps(list(position), default=str).encode()).decode().rstrip("=")


def decode(cursor: str, length: int) -> list[Any]:
    """The position in a cursor; raises InvalidInput for anything that we did not make."""
    try:
        position = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, binascii.Error) as error:
        raise InvalidInput("The cursor is not one that Summit gave out.", hint="Start without a cursor.") from error
    if not isinstance(position, list) or len(position) != length:
        raise InvalidInput("The cursor belongs to another list.", hint="Start without a cursor.")
    return position


def page(rows: Sequence[T], limit: int, position: Callable[[T], Sequence[Any]]) -> Page:
    """The first ``limit`` of up to ``limit + 1`` rows, and a cursor when there are more."""
    shown = list(rows[:limit])
    return Page(shown, encode(position(shown[-1])) if len(rows) > limit else None)
