"""The fields of a record as people say them: "due Friday 4 December", "high priority", "no estimate"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from agents.colors import COLOR_NAMES
from agents.dates_in_words import say_duration, say_hours, say_moments, say_when
from agents.languages import retold, say, say_later
from agents.phrases import quote, say_list
from agents.policies.rules import rules_in
from agents.recurrence.describe import REPEATING, describe_rule
from agents.rendering.policies import describe_rules

FIELD_WORDS = {
    "time_to_complete": say_later("estimate"),
    "remind_at": say_later("reminder"),
    "solutions": say_later("steps"),
    "done_steps": say_later("steps done"),
    "deadline": say_later("deadline"),
    "priority": say_later("priority"),
    "list": say_later("list"),
    "tags": say_later("tags"),
    "location": say_later("location"),
    "notes": say_later("notes"),
    "content": say_later("content"),
    "items": say_later("items"),
    "interests": say_later("interests"),
    "job": say_later("job"),
    "college": say_later("college"),
    "course": say_later("course"),
    "name": say_later("name"),
    "difficulty": say_later("difficulty"),
    "exdates": say_later("skipped days"),
}
PRIORITIES = {
    "high": say_later("high priority"),
    "medium": say_later("medium priority"),
    "low": say_later("low priority"),
}
FIELDS_GONE = {
    "recurrence": say_later("no longer repeating"),
    "snooze_until": say_later("no longer snoozed"),
}
"""What is said where these are emptied; of other fields that there is none."""
PHRASES = {
    "deadline": say_later("due {value}"),
    "remind_at": say_later("with a reminder {value}"),
    "snooze_until": say_later("snoozed until {value}"),
    "start": say_later("from {value}"),
    "end": say_later("until {value}"),
    "exdates": say_later("not {value}"),
    "time_to_complete": say_later("about {value}"),
    "location": say_later("at {value}"),
    "list": say_later("on the list {value}"),
    "tags": say_later("tagged {value}"),
    "solutions": say_later("with the steps {value}"),
    "done_steps": say_later("with {value} done"),
    "task": say_later("called {value}"),
    "title": say_later("called {value}"),
    "summary": say_later("called {value}"),
}
"""Fields of which the name says how the value is told; of others the value is said alone."""
VALUE_WORDS: dict[str, dict[Any, str]] = {
    "status": {
        "not started": say_later("not started"),
        "in progress": say_later("in progress"),
        "done": say_later("done"),
        "archived": say_later("archived"),
        "active": say_later("active again"),
    },
    "difficulty": {"easy": say_later("easy"), "medium": say_later("of medium difficulty"), "hard": say_later("hard")},
    "priority": dict(PRIORITIES),
    "kind": {"todo": say_later("a task"), "reminder": say_later("a reminder"), "habit": say_later("a habit")},
    "category": {
        "note": say_later("a note"),
        "idea": say_later("an idea"),
        "question": say_later("a question"),
        "thought": say_later("a thought"),
        "list": say_later("a list"),
    },
    "all_day": {True: say_later("all day"), False: say_later("not all day")},
    "busy": {True: say_later("busy"), False: say_later("free")},
}
"""Values with words of their own."""


def say_field(name: str, value: Any, now: datetime) -> str:
    """Return a field with its value, as people say both together."""
    if value is None or value in ("", [], {}):
        return say(FIELDS_GONE[name]) if name in FIELDS_GONE else say("no {field}", field=name_field(name))
    words = VALUE_WORDS.get(name, {}).get(value) if isinstance(value, str | bool) else None
    if words:
        return say(words)
    told = WRITERS.get(name, _say_any)(value, now)
    return say(PHRASES[name], value=told) if name in PHRASES else told


def name_field(name: str) -> str:
    """Return what people call a field."""
    return say(FIELD_WORDS[name]) if name in FIELD_WORDS else name.replace("_", " ")


def say_rule(value: str) -> str:
    """Return a rule in words; one that would take too many only repeats."""
    return describe_rule(value)


def say_moment(value: str, now: datetime) -> str:
    """Return a day or an instant in JSON form, in words."""
    return say_when(parse_moment(value, now), now)


def parse_moment(value: str, now: datetime) -> date:
    """Return a day, or an instant on the clock of ``now``, from its JSON form."""
    if len(value) == len("2026-11-18"):
        return date.fromisoformat(value)
    zone = now.tzinfo or ZoneInfo("UTC")
    return datetime.fromisoformat(value).astimezone(zone)


def say_event_span(event: dict[str, Any], now: datetime, *, known: date | None = None) -> str:
    """Return from when to when an event lasts; ``start`` and ``end`` are in JSON form.

    On the day that is ``known`` to the reader only the hours are said.
    """
    start, end = parse_moment(event["start"], now), parse_moment(event["end"] or event["start"], now)
    timed = isinstance(start, datetime) and isinstance(end, datetime)
    if isinstance(start, datetime) and isinstance(end, datetime) and start.date() == end.date():
        if start == end:
            return say_moments([start], now, known)[0]
        return say_hours(start, end, now, day_known=start.date() == known)
    if start == end and not timed:
        return say_when(start, now)
    return say("{start} to {end}", start=say_when(start, now), end=say_when(end, now))


def _say_any(value: Any, _now: datetime) -> str:
    if isinstance(value, dict):
        return say_list([f"{key} {item}" for key, item in value.items()])
    return say_list([str(item) for item in value]) if isinstance(value, list) else quote(str(value))


def _say_moments(value: str | Sequence[str], now: datetime) -> str:
    moments = [value] if isinstance(value, str) else value
    return say_list(say_moments([parse_moment(one, now) for one in moments], now))


def _say_recurrence(value: str, _now: datetime) -> str:
    return said if (said := describe_rule(value)) != say(REPEATING) else say("from now on")


def _say_lines(value: Sequence[Any], _now: datetime) -> str:
    return say_list([str(line["text"] if isinstance(line, dict) else line) for line in value])


WRITERS: dict[str, Callable[[Any, datetime], str]] = {
    **dict.fromkeys(("deadline", "remind_at", "snooze_until", "start", "end", "exdates"), _say_moments),
    "recurrence": _say_recurrence,
    "time_to_complete": lambda value, _now: say_duration(value),
    "location": lambda value, _now: str(value),
    "color": lambda value, _now: retold(COLOR_NAMES.get(value, value)),
    "items": _say_lines,
    "policy": lambda value, _now: describe_rules(rules_in(value)),
}
"""How the values of fields are said; of any other in quotation marks."""
