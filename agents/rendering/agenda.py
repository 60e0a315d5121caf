"""A calendar in words: a series once with its rhythm, whole days as days, and the number of items left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from agents.dates_in_words import say_clock, say_span
from agents.phrases import say_count
from agents.records import Event
from agents.recurrence.describe import REPEATING, describe_rule
from agents.recurrence.rules import parts_of
from agents.rendering.item_names import codes_where_alike, detailed_title

MAX_LIST_LINES = 15
MIN_SERIES_GROUP = 3
"""Times of one event from which on they are told together."""
LAST_DAYS = 3
DAYS_AHEAD = timedelta(days=6)
ENDS = frozenset({"UNTIL", "COUNT"})


@dataclass(frozen=True, slots=True)
class Slot:
    """One occurrence of an event, in the speaker's zone; ``end`` is exclusive, ``calendar`` an imported one's name."""

    event: Event
    start: datetime
    end: datetime
    whole_day: bool
    calendar: str = ""

    @property
    def last_day(self) -> date:
        """The last day on which it takes place."""
        return (self.end - timedelta(microseconds=1)).date()


def named_apart(slots: Sequence[Slot]) -> list[Slot]:
    """The occurrences as a reply names them together: those of different events with title and time with short ids."""
    own = [slot for slot in slots if not slot.calendar]
    codes = codes_where_alike((slot.event.id, slot.event.title, f"{slot.start} {slot.end}") for slot in own)
    names = [detailed_title(slot.event.title, codes.get(slot.event.id, "")) for slot in slots]
    events = [slot.event.model_copy(update={"title": name}) for slot, name in zip(slots, names, strict=True)]
    return [replace(slot, event=event) for slot, event in zip(slots, events, strict=True)]


def say_stretch(slot: Slot, now: datetime) -> str:
    """From when to when an occurrence lasts; whole days have no clock time."""
    if slot.whole_day:
        return f"{say_span(slot.start.date(), slot.last_day, now)}, all day"
    return say_span(slot.start, slot.end, now)


def say_slot(slot: Slot, now: datetime, *, same_day: bool = False) -> str:
    """An occurrence with time and place; on the ``same_day`` as the question without its date."""
    clocks = same_day and not slot.whole_day and slot.start.date() == slot.end.date()
    when = _clocks(slot) if clocks else say_stretch(slot, now)
    return f"{slot.event.title} ({when}{_place(slot)})"


def _clocks(slot: Slot) -> str:
    """From when to when; of what ends when it starts the one time."""
    start, end = say_clock(slot.start), say_clock(slot.end)
    return start if slot.start == slot.end else f"{start} to {end}"


def say_slots(slots: Sequence[Slot], now: datetime, *, same_day: bool = False) -> list[str]:
    """The occurrences by their first times, each series once, and the number of those left out."""
    slots = named_apart(slots)
    groups = [[slot] for slot in slots] if same_day else _together(slots)
    shown, rest = groups[:MAX_LIST_LINES], sum(len(group) for group in groups[MAX_LIST_LINES:])
    told = _say_groups(shown, now, same_day=same_day)
    return [*told, f"and {rest} more"] if rest else told


def _say_groups(groups: Sequence[Sequence[Slot]], now: datetime, *, same_day: bool) -> list[str]:
    """Return each group in words; what is on the day that was just said is told without it."""
    told: list[str] = []
    known: date | None = None
    for first, *others in groups:
        again = same_day or known == first.start.date()
        told.append(_series([first, *others], now) if others else say_slot(first, now, same_day=again))
        known = None if others or first.whole_day else first.last_day
    return told


def coming_days(first: date, last: date, today: date) -> tuple[date, date] | None:
    """The days to look ahead when the week is nearly over: a week from ``today``; None earlier in the week."""
    soon = first <= today <= last and last - today < timedelta(days=LAST_DAYS)
    return (last + timedelta(days=1), today + DAYS_AHEAD) if soon else None


def _together(slots: Sequence[Slot]) -> list[list[Slot]]:
    found: dict[tuple[str, str], list[Slot]] = {}
    for slot in slots:
        found.setdefault((slot.event.id, slot.calendar), []).append(slot)
    split = ([group] if len(group) >= MIN_SERIES_GROUP else [[one] for one in group] for group in found.values())
    return sorted((group for groups in split for group in groups), key=lambda group: group[0].start)


def _series(group: Sequence[Slot], now: datetime) -> str:
    times = say_count(len(group), "time")
    rhythm = _rhythm(group[0].event, group)
    when = f"{rhythm}, {times}" if rhythm else f"{REPEATING}, {times}, first {say_stretch(group[0], now)}"
    return f"{group[0].event.title} ({when}{_place(group[0])})"


def _rhythm(event: Event, group: Sequence[Slot]) -> str:
    """The rhythm by the speaker's clock; empty where the rule has no plain words, or names days of another zone."""
    parts = {name: value for name, value in parts_of(event.recurrence or "").items() if name not in ENDS}
    said = describe_rule(";".join(f"{name}={value}" for name, value in parts.items())) if parts else REPEATING
    zone = ZoneInfo(event.zone) if event.zone else group[0].start.tzinfo
    elsewhere = not group[0].whole_day and any(one.start.astimezone(zone).date() != one.start.date() for one in group)
    if said == REPEATING or elsewhere:
        return ""
    clocks = {say_clock(slot.start) for slot in group}
    return f"{said} at {clocks.pop()}" if len(clocks) == 1 and not group[0].whole_day else said


def _place(slot: Slot) -> str:
    where = f", {slot.event.location}" if slot.event.location else ""
    return f"{where}, from {slot.calendar}" if slot.calendar else where
