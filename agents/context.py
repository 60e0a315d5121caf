"""Who a run is for, where and when: the graph's per-run context, plain JSON so that Studio can show a form."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NotRequired
from zoneinfo import ZoneInfo

from typing_extensions import TypedDict

from agents.conventions import Conventions, conventions_from
from agents.records import FIRST_YEAR, LAST_YEAR

ENGLISH = "en"
LOCAL_USER = "00000000-0000-4000-8000-000000000001"
"""The user of a server without keys: a uuid like everyone's, so that every rule holds for it too."""


class Context(TypedDict):
    """``user_id`` is a uuid, ``timezone`` an IANA zone, ``at`` the turn's clock in RFC 3339 (default: now).

    ``conventions`` are the fields of ``Conventions`` that the user has set, ``language`` is the BCP 47 tag of what
    they speak.
    """

    user_id: NotRequired[str]
    timezone: NotRequired[str]
    at: NotRequired[str]
    conventions: NotRequired[dict[str, Any]]
    language: NotRequired[str]


def user_of(context: Context | None) -> str:
    """The user a run is for."""
    return (context or {}).get("user_id") or LOCAL_USER


def zone_of(context: Context | None) -> str:
    """The IANA zone in which the words were said."""
    return (context or {}).get("timezone") or "UTC"


def clock_of(context: Context | None) -> datetime:
    """When the words were said, in the run's zone; raises ValueError for a clock that the HTTP doors refuse as well."""
    stated = (context or {}).get("at")
    instant = datetime.fromisoformat(stated) if stated else datetime.now(UTC)
    if not FIRST_YEAR <= instant.year <= LAST_YEAR:
        raise ValueError(f"the context's `at` must lie between {FIRST_YEAR} and {LAST_YEAR}, not {stated}")
    return instant.astimezone(ZoneInfo(zone_of(context)))


def language_of(context: Context | None) -> str:
    """The language that the user speaks, as a BCP 47 tag."""
    return (context or {}).get("language") or ENGLISH


def conventions_of(context: Context | None) -> Conventions:
    """What the user's everyday words about time mean."""
    return conventions_from((context or {}).get("conventions"))
