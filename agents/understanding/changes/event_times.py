"""Appointments: from a title and a time to an event, or to the question that is missing."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from agents.time import FoundTime
from agents.understanding.changes.several_times import on_each_day, say_weekly
from agents.understanding.scene import Scene
from agents.understanding.values import forms
from agents.understanding.values.slots import Slots

LATE_PATTERN = re.compile(r"\d\s*p\.?m\b|\bpm\b|evening|night", re.IGNORECASE)
MORNING = re.compile(r"\d\s*a\.?m\b|\bam\b|morning|\b0\d|breakfast|brunch", re.IGNORECASE)
EVENING_NOUNS = frozenset(
    "night nights dinner supper drinks cocktails party concert gig pub banquet gala table".split()
)
WHOLE_DAY_NOUNS = frozenset(
    "trip holiday vacation birthday anniversary leave conference festival retreat off pto camp deadline".split()
)
MORNING_WORDS = frozenset("early earlies breakfast".split())
"""What takes place before noon: "an early shift from six till two"."""
HALF_A_DAY = timedelta(hours=12)
NOON, EARLIEST_HOUR, LATEST_HOUR, LATEST_START_HOUR = 12, 5, 11, 8
"""Hours: from EARLIEST to LATEST (LATEST_START where an end is said) a dinner is rather in the evening."""


def times_said(slots: Slots, title: str, scene: Scene) -> list[dict[str, Any]]:
    """When it takes place, once for each day that was named; empty when the time is still missing."""
    days = [] if slots.repeat or slots.apart else on_each_day(slots.times, slots.text, scene.clock)
    last = next((found.end for found in slots.times if found.role == "until" and found.end), None)
    if days and last:
        return [_time_fields(days[0], slots.minutes) | {"recurrence": say_weekly(days, last)}]
    if days:
        return [_time_fields(day, slots.minutes) for day in days]
    once = when_fields(slots, title)
    return [once] if once else []


def in_the_evening(slots: Slots, title: str, now: datetime) -> None:
    """Dinner at seven is at 19:00, today if no day was said and it is still to come."""
    when = slots.when
    if when is None or not when.timed or when.start is None:
        return
    sooner, shift = when.start - HALF_A_DAY, timedelta()
    if when.start.hour >= NOON and MORNING_WORDS & set(title.lower().split()) and not LATE_PATTERN.search(when.text):
        shift = -HALF_A_DAY if sooner > now else shift
    # "A gala from ten till one" is over at lunch.
    latest = LATEST_START_HOUR if when.end else LATEST_HOUR
    late = EVENING_NOUNS & set(title.lower().replace("'s", "").split()) and not MORNING.search(when.text)
    if late and EARLIEST_HOUR <= when.start.hour <= latest:
        shift = -HALF_A_DAY if not when.day_said and sooner > now else HALF_A_DAY
    if shift:
        slots.change_time(when, start=when.start + shift, end=when.end and when.end + shift)


def for_the_whole_stretch(slots: Slots) -> None:
    """A blocked friday afternoon is all of it, a morning from when it begins for the user; unless a length was said."""
    when = slots.when
    if when and when.stretch and not slots.minutes:
        begin = max(when.stretch[0], when.start) if when.start and when.stretch[0].hour < NOON else when.stretch[0]
        slots.change_time(when, start=begin, end=when.stretch[1])


def when_fields(slots: Slots, title: str) -> dict[str, Any] | None:
    """Start, end and recurrence; None when the time is still missing."""
    when = slots.when
    if when is None or when.moment is None:
        return None
    fields: dict[str, Any] = {"recurrence": slots.repeat.rrule} if slots.repeat else {}
    if when.timed:
        return fields | _time_fields(when, slots.minutes)
    if when.kind == "interval" or when.grain == "weekend" or whole_day(title):
        last = forms.last_day(when)
        first = when.start or when.moment
        return fields | {"start": forms.day(first), "end": forms.day(last or first), "all_day": True}
    return None


def _time_fields(when: FoundTime, minutes: int | None) -> dict[str, Any]:
    start = when.start or when.moment
    assert start is not None  # noqa: S101 - the caller saw a moment
    end = when.end if when.end and when.end > start else None
    if end is None and minutes:
        end = (start.astimezone(UTC) + timedelta(minutes=minutes)).astimezone(start.tzinfo)
    return {"start": forms.instant(start)} | ({"end": forms.instant(end)} if end else {})


def whole_day(title: str) -> bool:
    """Whether a thing takes whole days by its nature."""
    return bool(WHOLE_DAY_NOUNS & set(title.lower().replace("-", " ").split()))
