"""Resolved time phrases as plain data, the form that scripts read."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from agents.time.values import ELAPSED_RULES, FoundTime

ONE_DAY = timedelta(hours=25)


def describe(found: FoundTime) -> dict[str, Any]:
    """One phrase: instants in RFC 3339 with offset, ``end`` exclusive; a day that lasts longer than one is an interval.

    ``alternatives`` and ``assumptions`` are there when there are any.
    """
    long = found.kind == "point" and found.start and found.end and found.end - found.start > ONE_DAY
    kind = "interval" if long else found.kind
    plain: dict[str, Any] = {
        "text": found.text,
        "start": found.start.isoformat() if found.start else None,
        "end": found.end.isoformat() if found.end and kind not in ("point", "set") else None,
        "grain": found.grain,
        "rrule": _rule(found),
        "seconds": found.seconds,
        "kind": kind,
    }
    if found.assumptions:
        plain["assumptions"] = list(found.assumptions)
    if found.alternatives:
        plain["alternatives"] = [moment.isoformat() for moment in found.alternatives]
    return plain


def _rule(found: FoundTime) -> str | None:
    """The RRULE with its clock time, for readers that do not look at the first occurrence."""
    rule = found.rrule
    timed = found.timed and found.start and rule and "BYHOUR" not in rule
    if not rule or not timed or any(freq in rule for freq in ELAPSED_RULES):
        return rule
    return f"{rule};BYHOUR={found.start.hour};BYMINUTE={found.start.minute}" if found.start else rule
