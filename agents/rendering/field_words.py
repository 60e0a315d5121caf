"""The fields of a record as people say them: "due Friday 4 December", "high priority", "no estimate"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from agents.colors import NAMES
from agents.dates_in_words import say_duration, say_hours, say_moments, say_when
from agents.languages import deferred, retold, say
from agents.phrases import quoted, say_list
from agents.policies.rules import rules_in
from agents.recurrence.describe import REPEATING, describe_rule
from agents.rendering.policies import describe_rules

FIELD_WORDS = {
    "time_to_complete": deferred("estimate"),
    "remind_at": deferred("reminder"),
    "solutions": deferred("steps"),
    "done_steps": deferred("steps done"),
    "deadline": deferred("deadline"),
    "priority": deferred("priority"),
    "list": deferred("list"),
    "tags": deferred("tags"),
    "location": deferred("location"),
    "notes": deferred("notes"),
    "content": deferred("content"),
    "items": deferred("items"),
    "interests": deferred("interests"),
    "job": deferred("job"),
    "college": deferred("college"),
    "course": deferred("course"),
    "name": deferred("name"),
    "difficulty": deferred("difficulty"),
    "exdates": deferred("skipped days"),
}
PRIORITIES = {
    "high": deferred("high priority"),
    "medium": deferred("medium priority"),
    "low": deferred("low priority"),
}
GONE = {
    "recurrence": deferred("no longer repeating"),
    "snooze_until": deferred("no longer snoozed"),
}
"""What is said where these are emptied; of other fields that there is none."""
PHRASES = {
    "deadline": deferred("due {value}"),
    "remind_at": deferred("with a reminder {value}"),
    "snooze_until": deferred("snoozed until {value}"),
    "start": deferred("from {value}"),
    "end": deferred("until {value}"),
    "exdates": deferred("not {value}"),
    "time_to_complete": deferred("about {value}"),
    "location": deferred("at {value}"),
    "list": deferred("on the list {value}"),
    "tags": deferred("tagged {value}"),
    "solutions": deferred("with the steps {value}"),
    "done_steps": deferred("with {value} done"),
    "task": deferred("called {value}"),
    "title": deferred("called {value}"),
    "summary": deferred("called {value}"),
}
"""Fields of which the name says how the value is told; of others the value is said alone."""
WORDS: dict[str, dict[Any, str]] = {
    "status": {
        "not started": deferred("not started"),
        "in progress": deferred("in progress"),
        "done": deferred("done"),
        "archived": deferred("archived"),
        "active": deferred("active again"),
    },
    "difficulty": {"easy": deferred("easy"), "medium": deferred("of medium difficulty"), "hard": deferred("hard")},
    "priority": dict(PRIORITIES),
    "kind": {"todo": deferred("a task"), "reminder": deferred("a reminder"), "habit": deferred("a habit")},
    "category": {
        "note": deferred("a note"),
        "idea": deferred("an idea"),
        "question": deferred("a question"),
        "thought": deferred("a thought"),
        "list": deferred("a list"),
    },
    "all_day": {True: deferred("all day"), False: deferred("not all day")},
    "busy": {True: deferred("busy"), False: deferred("free")},
}
"""Values with words of their own."""


def say_field(name: str, value: Any, now: datetime) -> str:
    """Return a field with its value, as people say both together."""
    if value is None or value in ("", [], {}):
        return say(GONE[name]) if name in GONE else say("no {field}", field=name_field(name))
    words = WORDS.get(name, {}).get(value) if isinstance(value, str | bool) else None
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
    return say_list([str(item) for item in value]) if isinstance(value, list) else quoted(str(value))


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
    "color": lambda value, _now: retold(NAMES.get(value, value)),
    "items": _say_lines,
    "policy": lambda value, _now: describe_rules(rules_in(value)),
}
"""How the values of fields are said; of any other in quotation marks."""
