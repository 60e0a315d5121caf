"""A record's version as an ETag, and If-Match against lost updates."""

from __future__ import annotations

import re
from typing import Annotated, Any

from fastapi import Header

from app.errors import InvalidInput, PreconditionFailed

LISTED = re.compile(r'\s*(W/)?"([^"]*)"\s*')

IfMatch = Annotated[
    str | None,
    Header(
        alias="If-Match",
        max_length=500,
        description="The ETag that you read: the edit is refused with 412 if the item changed since.",
        examples=['"3"'],
    ),
]


def etag_of(version: int) -> str:
    """The ETag of a version."""
    return f'"{version}"'


def check_match(if_match: str | None, current: dict[str, Any]) -> int | None:
    """The version to insist on, None for any; raises PreconditionFailed when the record is another one."""
    if if_match is None or if_match.strip() == "*":
        return None
    found = [LISTED.fullmatch(part) for part in if_match.split(",")]
    if not all(found):
        raise InvalidInput('If-Match must hold an ETag such as "3", with its quotes.')
    # A weak tag never matches: RFC 9110 asks for the strong comparison here.
    if any(tag and not tag[1] and tag[2] == str(current["version"]) for tag in found):
        return int(current["version"])
    raise changed_meanwhile(current)


def changed_meanwhile(current: dict[str, Any]) -> PreconditionFailed:
    """The refusal that carries the record as it is now."""
    return PreconditionFailed("The item was changed after you read it.", current=current)
