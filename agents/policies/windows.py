"""Whether an item falls into a stretch of the day in which nothing is scheduled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

from agents.policies.matching import is_any_of
from agents.policies.rules import TimeLimit
from agents.records import Kind
from agents.recurrence.rules import occurs, parse_rule

MOST_DAYS = 8
MOST_OCCURRENCES = 60
FREQUENCIES = ("FREQ=DAILY", "FREQ=WEEKLY", "FREQ=MONTHLY", "FREQ=YEARLY")
HORIZON = timedelta(days=400)
WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
Span = tuple[datetime, datetime]
State = Mapping[str, Any]


def breaks(rule: TimeLimit, kind: Kind, before: State | None, after: State, timezone: str) -> bool:
    """Whether an item would move into a time that the rule keeps free."""
    if kind not in rule.kinds or not is_any_of(after, rule.about):
        return False
    zone = ZoneInfo(timezone)
    known = set(_spans(before, zone)) if before else set()
    return any(_hits(rule, span) for span in _spans(after, zone) if span not in known)


def on_days(days: tuple[str, ...], item: State, timezone: str) -> bool:
    """Whether an item happens, or is due, on one of these days of the week."""
    return any(WEEK[start.weekday()] in days for start, _ in _spans(item, ZoneInfo(timezone)))


def _spans(item: State, zone: ZoneInfo) -> Iterator[Span]:
    """From when to when, on the user's wall; a moment is as long as nothing, a day lasts until the next."""
    if item.get("start"):
        return _series_spans(item, _span(item["start"], item.get("end"), zone))
    return iter([_span(item[name], None, zone) for name in ("deadline", "remind_at") if item.get(name)])


def _span(start: str, end: str | None, zone: ZoneInfo) -> Span:
    first = _wall(start, zone)
    if not _is_day(start):
        return first, _wall(end, zone) if end else first
    return first, (_wall(end, zone) if end and _is_day(end) else first) + timedelta(days=1)


def _series_spans(item: State, first: Span) -> Iterator[Span]:
    yield first
    rule = str(item.get("recurrence") or "")
    if not rule.startswith(FREQUENCIES) or not occurs(rule, first[0]):
        return
    until = first[0] + HORIZON
    for start in islice(parse_rule(rule, first[0]).xafter(first[0]), MOST_OCCURRENCES):
        if start > until:
            return
        yield start, start + (first[1] - first[0])


def _hits(rule: TimeLimit, span: Span) -> bool:
    start, end = span
    whole_days = start.time() == end.time() == time() and end > start
    last = end - timedelta(microseconds=1) if end > start else start
    days = [
        start.date() + timedelta(days=step) for step in range(min((last.date() - start.date()).days + 1, MOST_DAYS))
    ]
    return any(_within(rule, day, start, end, whole_days=whole_days) for day in days)


def _within(rule: TimeLimit, day: date, start: datetime, end: datetime, *, whole_days: bool) -> bool:
    if rule.days and WEEK[day.weekday()] not in rule.days:
        return False
    opens, closes = _at(day, rule.start), _at(day, rule.end)
    if whole_days:
        return closes - opens >= timedelta(days=1)
    return opens <= start < closes if start == end else start < closes and end > opens


def _at(day: date, clock: str) -> datetime:
    midnight = datetime.combine(day, time())
    return midnight + timedelta(hours=int(clock[:2]), minutes=int(clock[3:]))


def _is_day(value: str) -> bool:
    return len(value) == len("2026-11-18")


def _wall(value: str, zone: ZoneInfo) -> datetime:
    if _is_day(value):
        return datetime.combine(date.fromisoformat(value), time())
    return datetime.fromisoformat(value).astimezone(zone).replace(tzinfo=None)
