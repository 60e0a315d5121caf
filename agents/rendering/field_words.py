"""The fields of a record as people say them: "due Friday 4 December", "high priority", "no estimate"."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from agents.colors import COLOR_NAMES
from agents.dates_in_words import say_duration, say_hours, say_moments, say_when
from agents.fields import FIELDS, Form, SayableField
from agents.languages import retold, say
from agents.phrases import quote, say_list
from agents.policies.rules import rules_in
from agents.recurrence.describe import REPEATING, describe_rule
from agents.rendering.policies import describe_rules

ADVERBS = frozenset("online offline here there home upstairs downstairs outside inside outdoors indoors abroad".split())
PREPOSITIONS = frozenset("at in on near by with under behind opposite outside between round over".split())


def say_field(name: str, value: Any, now: datetime) -> str:
    """Return a field with its value, as people say both together."""
    known = FIELDS.get(name, SayableField())
    if value is None or value in ("", [], {}):
        return say(known.gone) if known.gone else say("no {field}", field=name_field(name))
    if isinstance(value, str | bool) and (words := known.values.get(value)):
        return say(words)
    told = WRITERS[known.form](value, now)
    return say(known.phrase, value=told) if known.phrase else told


def name_field(name: str) -> str:
    """Return what people call a field."""
    known = FIELDS.get(name, SayableField())
    return say(known.name) if known.name else name.replace("_", " ")


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


def needs_at(place: str) -> bool:
    """Return whether "at" stands before a place: "online" and "in the hall" tell by themselves where it is."""
    first, _, rest = place.lower().partition(" ")
    return place.lower() not in ADVERBS and not (rest and first in PREPOSITIONS)


def _say_place(value: str, _now: datetime) -> str:
    return say("at {value}", value=value) if needs_at(value) else value


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


WRITERS: Mapping[Form, Callable[[Any, datetime], str]] = {
    "text": _say_any,
    "moment": _say_moments,
    "moments": _say_moments,
    "rule": _say_recurrence,
    "minutes": lambda value, _now: say_duration(value),
    "plain": lambda value, _now: str(value),
    "color": lambda value, _now: retold(COLOR_NAMES.get(value, value)),
    "lines": _say_lines,
    "place": _say_place,
    "policy": lambda value, _now: describe_rules(rules_in(value)),
}
