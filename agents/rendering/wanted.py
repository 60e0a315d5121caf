"""What a yes would write, in words: everything that a held change sets, and what a deletion takes away."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from agents.contract import Change
from agents.dates_in_words import say_moments
from agents.languages import say, say_number
from agents.list_lines import lines_in
from agents.phrases import quote, say_list
from agents.policies.rules import rules_in
from agents.records import DEFAULT_EVENT_LENGTH, FIELD_TYPES, Kind
from agents.recurrence.describe import REPEATING, describe_rule
from agents.rendering.changes import say_line_changes
from agents.rendering.field_words import parse_moment, say_event_span, say_field, say_moment
from agents.rendering.policies import describe_rules

TITLES: dict[Kind, str] = {"todo": "task", "event": "title", "note": "summary", "instruction": "text", "memo": "title"}
UNSAID_FIELDS = frozenset({"zone", "kind", "category", "color", "all_day", "busy", "task_id", "since", "end", "source"})
"""Fields that follow from others or that people do not say."""


def say_details(change: Change, now: datetime) -> str:
    """Return what a yes to a held change writes beside its title, in brackets; empty where that is all."""
    parts = details_of(change, now)
    return f" ({'; '.join(parts)})" if parts else ""


def details_of(change: Change, now: datetime) -> list[str]:
    """Return what a yes to a held change writes beside its title, a phrase each."""
    if change.op == "delete":
        return list(_place_in_time(change.before or {}, now))
    return list(_parts(change, now)) if change.op in ("create", "update") else []


def _place_in_time(record: dict[str, Any], now: datetime) -> Iterator[str]:
    """Yield when a record takes place or is due, so that it is known from others of its name."""
    if record.get("start") and record.get("end"):
        yield say_event_span(record, now)
    elif due := record.get("remind_at") or record.get("deadline"):
        yield say_moment(due, now)
    if record.get("recurrence"):
        yield _rule(record["recurrence"])
    if lines := lines_in(record):
        yield say_number("{count} line", "{count} lines", len(lines))


def _parts(change: Change, now: datetime) -> Iterator[str]:
    """Yield the words of each field, times first."""
    fields = dict(change.fields)
    if change.op == "create" and isinstance(fields.get("start"), str):
        yield _span_of(fields, now)
        fields = {name: value for name, value in fields.items() if name not in ("start", "end")}
    for name in FIELD_TYPES[change.kind].model_fields:
        if name in fields and not _is_told_elsewhere(change, name, fields[name]):
            yield from _field(change, name, fields[name], now)


def _span_of(fields: dict[str, Any], now: datetime) -> str:
    """Return when a new event takes place, with the end that it gets where none was said."""
    start = parse_moment(fields["start"], now)
    usual = (start + DEFAULT_EVENT_LENGTH).isoformat() if isinstance(start, datetime) else None
    return say_event_span({**fields, "end": fields.get("end") or usual}, now)


def _is_told_elsewhere(change: Change, name: str, value: Any) -> bool:
    if name in UNSAID_FIELDS and not (change.op == "update" and name in ("kind", "category", "end", "color")):
        return True
    if change.op == "create" and value in (None, "", [], {}):
        return True
    if name == "content":  # a note's first words are its title
        return str(value) == change.title
    if name == "notes":  # a reason to ask may tell them
        return str(value) in change.reason
    return change.op == "create" and name == TITLES.get(change.kind)


def _field(change: Change, name: str, value: Any, now: datetime) -> Iterator[str]:
    if name == "items" and change.op == "update" and (changed := say_line_changes(change)):
        yield changed
    elif name == "exdates":
        yield from _say_skipped((change.before or {}).get("exdates") or [], value or [], now)
    elif value not in (None, "", [], {}) and (writer := WRITERS.get(name)):
        yield from writer(value, now)
    else:
        yield say_field(name, value, now)


def _say_skipped(before: list[str], after: list[str], now: datetime) -> Iterator[str]:
    """Yield the days on which a series will not take place, and those on which it will again."""
    if off := [parse_moment(day, now) for day in after if day not in before]:
        yield say("not {days}", days=say_list(say_moments(off, now)))
    if back := [parse_moment(day, now) for day in before if day not in after]:
        yield say("again {days}", days=say_list(say_moments(back, now)))


def _rule(value: str) -> str:
    return said if (said := describe_rule(value)) != say(REPEATING) else value


def _say_rule(value: Any, _now: datetime) -> Iterator[str]:
    yield _rule(value)


def _say_words(value: Any, _now: datetime) -> Iterator[str]:
    yield quote(str(value))


def _say_policy(value: Any, _now: datetime) -> Iterator[str]:
    if rules := rules_in(value):
        yield describe_rules(rules)


WRITERS: dict[str, Callable[[Any, datetime], Iterator[str]]] = {
    "recurrence": _say_rule,
    "content": _say_words,
    "notes": _say_words,
    "policy": _say_policy,
}
"""Fields with words of their own in a question; the others are told as they are elsewhere."""
