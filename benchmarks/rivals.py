"""dateparser and parsedatetime over the same phrases, in the same form as our own readings."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

Reader = Callable[[dict[str, Any]], list[dict[str, Any]]]


def others() -> dict[str, Reader]:
    """The libraries that are compared, by name."""
    return {"dateparser": _dateparser(), "parsedatetime": _parsedatetime()}


def _entry(start: datetime, end: datetime | None = None) -> dict[str, Any]:
    return {
        "text": "",
        "start": start.replace(tzinfo=None).isoformat(),
        "end": end.isoformat() if end else None,
        "rrule": None,
        "seconds": None,
        "kind": "interval" if end else "point",
    }


def _dateparser() -> Reader:
    from dateparser.search import search_dates

    def read(case: dict[str, Any]) -> list[dict[str, Any]]:
        base = datetime.fromisoformat(case["reference"]).replace(tzinfo=None)
        settings = {"RELATIVE_BASE": base, "PREFER_DATES_FROM": "future"}
        found = search_dates(case["text"], languages=["en"], settings=settings)
        return [_entry(moment) for _, moment in found or ()]

    return read


def _parsedatetime() -> Reader:
    import parsedatetime

    calendar = parsedatetime.Calendar()

    def read(case: dict[str, Any]) -> list[dict[str, Any]]:
        base = datetime.fromisoformat(case["reference"]).replace(tzinfo=None)
        start, end, said = calendar.evalRanges(case["text"], sourceTime=base.timetuple())
        if said:
            return [_entry(*(datetime(*side[:6]) for side in (start, end)))]  # noqa: DTZ001 - it has no zones
        return [_entry(item[0]) for item in calendar.nlp(case["text"], sourceTime=base.timetuple()) or ()]

    return read
