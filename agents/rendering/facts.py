"""What is known about the user, as sentences are made of it: "you work at Figma (since 23 November)"."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from agents.contract import Change
from agents.languages import month_name, say, say_later
from agents.phrases import say_list
from agents.rendering.field_words import name_field

CLAUSES = {
    "name": say_later("your name is {value}"),
    "location": say_later("you live in {value}"),
    "job": say_later("your job is {value}"),
    "college": say_later("you study at {value}"),
    "course": say_later("you study {value}"),
    "interests": say_later("you like {value}"),
}
PLACED = {
    "location": say_later("you live {value}"),
    "job": say_later("you work {value}"),
    "college": say_later("you study {value}"),
}
"""The same of values that begin with a preposition: "at Figma"."""
DOING = say_later("you {value}")
"""Work that is told as what is done: "run a bakery"."""
ARTICLES = frozenset(("a", "an", "the", "my", "our"))
TRADES = (say_later("you work as a {value}"), say_later("you work as an {value}"))
PREPOSITIONS = frozenset("at in for on near with by under from outside between".split())
ALLERGIC = "allergic to"


def say_fact(name: str, value: Any) -> str:
    """Return one fact about the user as a clause."""
    words = say_list([str(item) for item in value]) if isinstance(value, list) else str(value)
    if name == ALLERGIC or (name == words and words.startswith(ALLERGIC)):
        return say("you are allergic to {value}", value=words.removeprefix(ALLERGIC).strip())
    if name == words:
        return words
    return say(_clause(name, words), value=words, name=name)


def _clause(name: str, words: str) -> str:
    """Return the template that fits a value: "at Figma", "nurse", "software engineering"."""
    first, *others = words.split() or [""]
    if name in PLACED and first in PREPOSITIONS and others:
        return PLACED[name]
    if name == "job" and first.islower() and ARTICLES.intersection(others[:1]):
        return DOING
    named_by_doing = any(word.endswith("ing") for word in (first, *others[-1:]))
    if name == "job" and first.islower() and not named_by_doing and first not in ("a", "an", "the"):
        return TRADES[first[0] in "aeiou"]
    return CLAUSES.get(name, say_later("your {name} is {value}"))


def say_since(day: date, now: datetime) -> str:
    """Return from when on a fact holds; the first of a month is how the month is stored."""
    known = {"day": day.day, "month": month_name(day), "year": day.year}
    if day.day == 1:
        return say("since {month}", **known) if day.year == now.year else say("since {month} {year}", **known)
    return say("since {day} {month}", **known) if day.year == now.year else say("since {day} {month} {year}", **known)


def new_facts(change: Change, now: datetime) -> list[str]:
    """Return what a change of the profile tells anew, a clause each, with from when on it holds."""
    before, fields = change.before or {}, change.fields
    old, new = _facts_by_name(before), _facts_by_name(fields)
    since, known = fields.get("since") or {}, before.get("since") or {}
    dated = {name for name, day in since.items() if known.get(name) != day}
    told = [name for name, value in new.items() if value and (old.get(name) != value or name in dated)]
    return [f"{say_fact(name, new[name])}{_since(since, name, dated, now)}" for name in told]


def lost_facts(change: Change) -> list[str]:
    """Return the names of what a change of the profile empties."""
    old = (change.before or {}).get("facts") or {}
    emptied = [
        say("your {field}", field=name_field(name))
        for name, value in change.fields.items()
        if name in CLAUSES and not value
    ]
    return [*emptied, *(name for name in old if "facts" in change.fields and name not in change.fields["facts"])]


def _facts_by_name(record: Mapping[str, Any]) -> dict[str, Any]:
    own = {name: record[name] for name in CLAUSES if name in record}
    return {**own, **(record.get("facts") or {})}


def _since(since: Mapping[str, str], name: str, dated: set[str], now: datetime) -> str:
    return f" ({say_since(date.fromisoformat(since[name]), now)})" if name in dated else ""
