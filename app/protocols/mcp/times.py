"""Times without an offset, as models write them: they are the user's own."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from app.protocols.mcp.calls import Calls

TIMES = frozenset({"start", "end", "deadline", "remind_at", "due_before", "captured_at", "since", "until"})
"""The arguments of tools that may be an instant."""
DAY_CHARS = len("2026-11-18")


async def with_offsets(calls: Calls, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return a call's arguments with each time in the user's zone that states none. Raises Refused."""
    local = {name: at for name, value in arguments.items() if name in TIMES and (at := _local_time(value))}
    if not local:
        return arguments
    zone = ZoneInfo((await calls.get("/v1/settings"))["timezone"])
    return {**arguments, **{name: at.replace(tzinfo=zone).isoformat() for name, at in local.items()}}


def _local_time(value: object) -> datetime | None:
    """A clock time without an offset; None for a day, an instant, and what is no time."""
    if not isinstance(value, str) or len(value.strip()) <= DAY_CHARS:
        return None
    try:
        at = datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    return at if at.tzinfo is None else None
