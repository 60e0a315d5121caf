"""The days and hours that a phrase covers when it asks rather than sets."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from agents.dates_in_words import MONTHS, WEEKDAYS, say_clock, say_day
from agents.index.words import tokens
from agents.reading.words import split_words
from agents.time import Clock, FoundTime, find_times, to_instant
from agents.time.lexicon import ORDINALS
from agents.time.lexicon import WEEKDAYS as NAMED
from agents.understanding.scene import Scene
from agents.understanding.values.forms import last_day

BEFORE_WEEKDAYS = frozenset("the on by till until".split())
ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)
PART_HOURS = {"morning": (6, 12), "afternoon": (12, 18), "evening": (18, 23), "tonight": (18, 23), "night": (18, 23)}


def days_of(when: FoundTime, scene: Scene) -> tuple[date, date]:
    """First and last day that a phrase covers; "this week" counts from today."""
    first = when.start.date() if when.start else scene.now.date()
    last = (when.end - timedelta(microseconds=1)).date() if when.end and when.end != when.start else first
    if when.kind == "open_after":
        last = first + timedelta(days=365)
    return first, max(last, first)


def whole_days(first: date, last: date, scene: Scene) -> tuple[datetime, datetime]:
    """From the midnight before the first day to the one after the last."""
    before, after = (datetime.combine(day, datetime.min.time()) for day in (first, last + timedelta(days=1)))
    return to_instant(before, scene.clock.zone), to_instant(after, scene.clock.zone)


def span_of(when: FoundTime, minutes: int) -> tuple[datetime, datetime]:
    """The hours that are asked about: a whole part of the day, or so many minutes from a clock time."""
    start = when.start or when.end
    assert start is not None  # noqa: S101 - callers ask about phrases with a moment
    return part_of_day(when) or when.stretch or (start, start + timedelta(minutes=minutes))


def part_of_day(when: FoundTime) -> tuple[datetime, datetime] | None:
    """The hours of a morning, an afternoon or an evening; None for every other phrase."""
    hours = next((hours for name, hours in PART_HOURS.items() if name in when.text.lower()), None)
    if hours is None or when.start is None or any(letter.isdigit() for letter in when.text):
        return None
    return when.start.replace(hour=hours[0], minute=0), when.start.replace(hour=hours[1], minute=0)


def say_days(first: date, last: date, scene: Scene) -> str:
    """A span of days in words."""
    if first == last:
        return say_day(first, scene.now)
    if first < scene.now.date() < last:
        return f"until {say_day(last, scene.now)}"
    return f"from {say_day(first, scene.now)} to {say_day(last, scene.now)}"


def on_days(first: date, last: date, scene: Scene) -> str:
    """A span of days as when something is: "on Friday 20 November", "today", "until Sunday 22 November"."""
    said = say_days(first, last, scene)
    return f"on {said}" if said[:1].isupper() else said


def is_weekday(words: str) -> bool:
    """Return whether words are a weekday by itself: "on the saturday"."""
    said = [word for word in tokens(words) if word not in BEFORE_WEEKDAYS]
    return bool(said) and all(word in NAMED or word.removesuffix("s") in NAMED for word in said)


def label_of(start: date, end: datetime | None = None) -> str:
    """Return a time in words that mean the same tomorrow: they are read when the answer comes."""
    clock = f", {say_clock(start)}" if isinstance(start, datetime) else ""
    until = f" to {say_clock(end)}" if end else ""
    return f"{start:%A} {start.day} {start:%B} {start.year}{clock}{until}"


def contradiction(words: str, clock: Clock) -> str:
    """Which weekday a date is that is said with another one, "7 December is a Monday, not a Sunday"; empty where none.

    The words are known to name no day.
    """
    said = [(a, b) for a, b in split_words(words) if words[a:b].lower() in NAMED]
    before = words[: said[0][0]].split()[-1:] if len(said) == 1 else []
    if len(said) != 1 or (before and ORDINAL.fullmatch(before[0])) or set(map(str.lower, before)) & ORDINALS.keys():
        return ""  # "the fifth friday" is no friday the 5th
    start, end = said[0]
    rests = (words[:start], words[end:], words[:start] + words[end:])
    days = {last_day(found) for rest in rests for found in find_times(rest, clock) if found.day_said}
    index = NAMED[words[start:end].lower()]
    day = days.pop() if len(days) == 1 else None
    if day is None or day.weekday() == index:
        return ""
    return f"{day.day} {MONTHS[day.month - 1]} is a {WEEKDAYS[day.weekday()]}, not a {WEEKDAYS[index]}"
