"""Recurrence rules (RFC 5545) on the wall clock: validation, next occurrence, missed occurrences."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

from dateutil.rrule import rrule, rrulestr

LENGTHS = {
    "MINUTELY": timedelta(minutes=1),
    "HOURLY": timedelta(hours=1),
    "DAILY": timedelta(days=1),
    "WEEKLY": timedelta(weeks=1),
}
LONGEST_PAUSE = timedelta(days=365 * 41)
"""29 February on one weekday comes back after 40 years at the latest, as 2100 is no leap year."""
MOST_MISSED = 1000
WEEKDAY_PLACE = re.compile(r"(?:[+-]|(?<!\d))\d+(?=(?:MO|TU|WE|TH|FR|SA|SU))")


@lru_cache(maxsize=4096)
def is_rule(rule: str) -> bool:
    """Whether the text is one rule in the grammar of RFC 5545."""
    try:
        parse_rule(rule, datetime(2026, 1, 1))  # noqa: DTZ001 - rules go by the wall clock
    except (ValueError, TypeError, KeyError, AttributeError, IndexError):
        return False
    return "FREQ" in parts_of(rule)


def unusable_reason(rule: str, start: datetime, most: int) -> str | None:
    """What is wrong with a rule that begins at ``start`` (wall clock, naive), in words; None when it can stand."""
    parts = parts_of(rule)
    if parts["FREQ"] == "SECONDLY":
        return "something cannot repeat every second; every minute is the shortest"
    if int(parts.get("COUNT", 0)) > most:
        return f"a recurrence is repeated at most {most} times; leave COUNT out for one without an end"
    return None if occurs(rule, start) else "this recurrence never happens"


def parts_of(rule: str) -> dict[str, str]:
    """The parts of a rule by name."""
    return dict(part.partition("=")[::2] for part in rule.upper().removeprefix("RRULE:").split(";") if part)


def occurs(rule: str, start: datetime) -> bool:
    """Whether a rule ever happens, counted from ``start``.

    Frequent rules are tried as yearly ones: the library would look at each of their days up to the year 9999.
    """
    parts = parts_of(rule)
    until = parse_rule(rule, start)._until  # type: ignore[attr-defined]  # noqa: SLF001 - it has no public name
    if until is not None and until < start:
        return False
    tried = rule
    if parts["FREQ"] in LENGTHS:
        kept = {name: value for name, value in parts.items() if name in ("BYMONTH", "BYMONTHDAY", "BYYEARDAY", "BYDAY")}
        kept |= {"BYDAY": WEEKDAY_PLACE.sub("", kept["BYDAY"])} if "BYDAY" in kept else {}
        tried = ";".join(["FREQ=YEARLY", *(f"{name}={value}" for name, value in kept.items())])
    last = start + LONGEST_PAUSE
    within = parse_rule(tried, start).replace(until=min(until, last) if until and tried == rule else last, count=None)
    return next(iter(within), None) is not None


def next_after(rule: str, start: datetime, after: datetime) -> datetime | None:
    """The first occurrence later than ``after``; None when the series is over."""
    return parse_rule(rule, start_near(rule, start, after)).after(after)


def rest_of(rule: str, start: datetime, coming: datetime) -> str:
    """What is left of a rule that began at ``start`` when it goes on at ``coming``: fewer rounds of a counted one."""
    parts = parts_of(rule)
    if "COUNT" not in parts:
        return rule
    passed = sum(1 for moment in parse_rule(rule, start) if moment < coming)
    return ";".join(f"{name}={value}" for name, value in {**parts, "COUNT": int(parts["COUNT"]) - passed}.items())


def missed_between(rule: str, start: datetime, after: datetime, before: datetime) -> int:
    """How many occurrences lie between two moments, both excluded; at most ``MOST_MISSED`` are counted."""
    found = parse_rule(rule, start_near(rule, start, after)).xafter(after)
    return sum(1 for moment in islice(found, MOST_MISSED) if moment < before)


def missed_rounds(todo: dict[str, Any], due: str, now: datetime) -> int:
    """How many occurrences of a task (its JSON form) passed after the one that was due; ``now`` is aware."""
    zone = ZoneInfo(todo["zone"]) if todo.get("zone") else now.tzinfo
    wall_now = now.astimezone(zone).replace(tzinfo=None)
    if len(due) == len("2026-11-18"):
        # A day is only missed when it is over.
        wall_now = datetime.combine(wall_now.date(), time())
    start = wall_clock(due, zone)
    return missed_between(todo["recurrence"], start, start, wall_now) if start < wall_now else 0


def wall_clock(moment: str, zone: tzinfo | None) -> datetime:
    """A day's midnight, or an instant on the wall clock of a zone (its own without one), both naive."""
    if len(moment) == len("2026-11-18"):
        return datetime.combine(date.fromisoformat(moment), time())
    local = datetime.fromisoformat(moment)
    return (local.astimezone(zone) if zone else local).replace(tzinfo=None)


def parse_rule(rule: str, start: datetime) -> rrule:
    """The rule as the library has it; every time in it is read as wall clock."""
    found = rrulestr(rule, dtstart=start, ignoretz=True)
    if not isinstance(found, rrule):
        raise ValueError("one rule is expected")  # noqa: TRY004 - the words are wrong, not their type
    return found


def start_near(rule: str, start: datetime, after: datetime) -> datetime:
    """A later start in the same rhythm, so that a frequent rule that began long ago costs nothing."""
    parts = parts_of(rule)
    length = LENGTHS.get(parts["FREQ"])
    if length is None or "COUNT" in parts or after <= start:
        return start
    step = length * int(parts.get("INTERVAL", 1))
    return start + max((after - start) // step - 1, 0) * step
