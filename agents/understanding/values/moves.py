"""Where a move puts a thing: a day alone keeps the clock time, a clock time alone keeps the day."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from agents.index.items import Item
from agents.index.words import tokens
from agents.records import Event, Note, ToDo
from agents.time import FoundTime, on_day, to_instant
from agents.time.lexicon import WEEKDAYS
from agents.understanding.scene import Scene
from agents.understanding.values import forms

MERIDIEM = re.compile(
    r"\d\s*[ap]\.?m?\b|\b[ap]m\b|morning|evening|afternoon|night|noon|o'clock in|\b0\d|\b1[2-9]|\b2\d", re.IGNORECASE
)
HOUR = r"(?:\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midday|midnight)(?:ish)?\b)"
MINUTES_ALONE = re.compile(
    r"\b(?:at\s+)?(?:a\s+)?(?:quarter|five|ten|twenty[ -]five|twenty|half)\s+"
    rf"(?:to\s*$|past\b(?!\s*(?:about|around|roughly)?\s*{HOUR}))",
    re.IGNORECASE,
)
"""Minutes without their hour."""
NOON = 12
ONE_DAY = timedelta(days=1)
WEEK = 7
DIRECTIONS = {"after": 1, "following": 1, "next": 1, "before": -1, "previous": -1}
UNITS = {"day": 1, "week": WEEK, "one": WEEK}
EDGES_OF_PARTS = frozenset(("early", "late", "earlier", "later"))
FUNCTION_WORDS = frozenset("on to for the that it of at same time place instead please then actually".split())
COUNTING = FUNCTION_WORDS | {*DIRECTIONS, *UNITS}


def move_fields(item: Item, to: FoundTime | timedelta, scene: Scene) -> dict[str, Any]:
    """The fields that a move changes; a day alone keeps the clock time, a clock time alone keeps the day."""
    record = item.record
    if isinstance(record, Event):
        return shifted_event(record, to, scene)
    if not isinstance(record, ToDo | Note):
        return {}
    if isinstance(record, ToDo) and record.remind_at is not None:
        start = move_moment(record.remind_at, to, scene)
        return {"remind_at": forms.instant(start)} if isinstance(start, datetime) else {}
    return _deadline(record, to, scene)


def _deadline(todo: ToDo | Note, to: FoundTime | timedelta, scene: Scene) -> dict[str, Any]:
    if isinstance(to, timedelta):
        base: date | datetime = todo.deadline or scene.now.date()
        shifted = base + to
        return {"deadline": forms.moment(shifted)}
    local = todo.deadline.astimezone(scene.clock.zone) if isinstance(todo.deadline, datetime) else todo.deadline
    if to.timed and not to.day_said and local:
        to = on_day(to, local.date() if isinstance(local, datetime) else local, scene.clock)
    due = forms.due(to)
    if due and not to.timed and isinstance(local, datetime):
        due = forms.instant(to_instant(datetime.combine(date.fromisoformat(due), local.time()), scene.clock.zone))
    return {"deadline": due} if due else {}


def counted_from(item: Item, words: str) -> timedelta | None:
    """How far words put a thing that count from its own day: "the friday after", "the week before"."""
    said, day = tokens(words), _day(item)
    named = [WEEKDAYS[word.removesuffix("'s")] for word in said if word.removesuffix("'s") in WEEKDAYS]
    way = next((word for word in said if word in DIRECTIONS), "")
    unit = next((word for word in said if word in UNITS), "")
    if day is None or any(word not in COUNTING and word.removesuffix("'s") not in WEEKDAYS for word in said):
        return None
    if named and unit == "week" and not way:
        return timedelta(days=named[0] - day.weekday())
    if not way or (way in ("next", "previous") and unit != "one") or not (named or unit):
        return None
    if said[0] in ("before", "after"):
        return None  # "before sunday" counts from today
    if named:
        ahead = (named[0] - day.weekday()) % WEEK or WEEK
        return timedelta(days=(ahead - WEEK or -WEEK) if DIRECTIONS[way] < 0 else ahead)
    return timedelta(days=UNITS[unit]) * DIRECTIONS[way]


def dated_from(item: Item | None, words: str) -> str:
    """Words that count from a thing's own day as the date that they mean; others as they are."""
    counted, day = (counted_from(item, words), _day(item)) if item else (None, None)
    return f"{day + counted:%Y-%m-%d}" if counted is not None and day else words


def _day(item: Item) -> date | None:
    """The day a thing is on, or rings."""
    rings = getattr(item.record, "remind_at", None)
    return rings.date() if isinstance(rings, datetime) else item.day


def shifted_event(event: Event, to: FoundTime | timedelta, scene: Scene) -> dict[str, Any]:
    """Start and end of an event after a move, as long as it was."""
    start = move_moment(event.start, _weekday_kept(event.start, to), scene)
    if start is None:
        return {}
    if not isinstance(start, datetime) or not isinstance(event.start, datetime):
        return {"start": forms.day(start)}
    fields = {"start": forms.instant(start)}
    if isinstance(to, FoundTime) and to.kind == "interval" and to.timed and to.end and to.start:
        return fields | {"end": forms.instant(start + (to.end - to.start))}
    if isinstance(event.end, datetime):
        length = event.end - event.start
        fields["end"] = forms.instant((start.astimezone(UTC) + length).astimezone(scene.clock.zone))
    return fields


def _weekday_kept(old: date | datetime, to: FoundTime | timedelta) -> FoundTime | timedelta:
    """A week alone keeps the day of the week: thursday's dentist moved "to next week" is on its thursday."""
    if isinstance(to, timedelta) or to.grain != "week" or to.timed or to.start is None:
        return to
    return replace(to, start=to.start + (old.weekday() - to.start.weekday()) % WEEK * ONE_DAY)


def with_its_hour(words: str, item: Item, scene: Scene) -> str:
    """Minutes past or to, with the hour that a thing is at: "make that quarter past"."""
    start = hour_of(item, scene)
    return with_hour_of(words, start) if start else words


def hour_of(item: Item, scene: Scene) -> datetime | None:
    """When a thing begins, rings or is due at an hour; None where it has none."""
    moments = (getattr(item.record, name, None) for name in ("start", "remind_at", "deadline"))
    return next((one.astimezone(scene.clock.zone) for one in moments if isinstance(one, datetime)), None)


def with_hour_of(words: str, at: datetime | None) -> str:
    """Return words with the hour of a moment behind minutes that stand alone, "ten past"; without these for none."""
    alone = MINUTES_ALONE.search(words)
    if alone is None:
        return words
    said = alone[0].strip()
    hour = at.hour + said.lower().endswith("to") * (at.minute > 0) if at else 0
    lead = "" if said.lower().startswith("at ") else "at "
    known = f"{lead}{said} {(hour - 1) % NOON + 1} {'pm' if hour % (2 * NOON) >= NOON else 'am'}" if at else ""
    return f"{words[: alone.start()]}{known}{words[alone.end() :]}"


HALF_A_DAY = timedelta(hours=12)
CLOSE_MINUTES = 60
"""So many minutes from a morning hour a bare one is of the morning as well: rowing at 7 "is now at 6.30"."""
LATE_HOUR, FAR_MINUTES = 10, 240
"""From that bare hour on, so many minutes later than an afternoon one, it is of a morning: yoga at 18:00 is "at 10"."""


def near(old: datetime, to: datetime, said: str) -> datetime:
    """A bare hour on the half of the day that lies nearer to the old time: a six o'clock dinner moved "to 7"."""
    if MERIDIEM.search(said):
        return to
    if old.hour < NOON <= to.hour:
        early = to - HALF_A_DAY
        return early if abs((early.hour - old.hour) * 60 + early.minute - old.minute) <= CLOSE_MINUTES else to
    if to.hour >= NOON or old.hour < NOON:
        return to
    wall = [abs((hour * 60 + to.minute) - (old.hour * 60 + old.minute)) for hour in (to.hour, to.hour + NOON)]
    late = to.hour >= LATE_HOUR and wall[1] >= FAR_MINUTES
    return to + HALF_A_DAY if wall[1] < wall[0] and not late else to


def move_moment(old: date | datetime, to: FoundTime | timedelta, scene: Scene) -> date | datetime | None:
    """A day or an instant where a move puts it, so many days away at the same hour; None when that is nowhere."""
    if isinstance(to, timedelta):
        return _shift_moment(old, to, scene)
    moment = to.moment
    if _is_in_that_part(old, to, scene) and not to.day_said:
        return old
    if moment is None or not to.timed or _is_in_that_part(old, to, scene):
        day = forms.last_day(to) if to.kind == "open_before" and not to.timed else moment
        return _on_that_day(old, day, scene) if day else None
    local = old.astimezone(scene.clock.zone) if isinstance(old, datetime) else old
    day = local.date() if isinstance(local, datetime) else local
    put = moment if to.day_said else on_day(to, day, scene.clock).moment
    return near(local, put, to.text) if put and isinstance(local, datetime) and to.kind == "point" else put


def _is_in_that_part(old: date | datetime, to: FoundTime, scene: Scene) -> bool:
    """Return whether a time is a part of the day in which a thing takes place already, which says no other hour."""
    if to.stretch is None or not isinstance(old, datetime) or EDGES_OF_PARTS & {*tokens(to.text)}:
        return False
    first, last = (edge.time() for edge in to.stretch)
    return first <= old.astimezone(scene.clock.zone).time() < last


def _shift_moment(old: date | datetime, by: timedelta, scene: Scene) -> date | datetime:
    """The moment so much later: whole days keep the hour, shorter times are elapsed ones."""
    if not isinstance(old, datetime):
        return old + by
    local = old.astimezone(scene.clock.zone)
    if by % ONE_DAY == timedelta(0):
        return to_instant((local + by).replace(tzinfo=None), scene.clock.zone)
    return (old.astimezone(UTC) + by).astimezone(scene.clock.zone)


def _on_that_day(old: date | datetime, to: date, scene: Scene) -> date | datetime:
    day = to.date() if isinstance(to, datetime) else to
    if not isinstance(old, datetime):
        return day
    wall = old.astimezone(scene.clock.zone).time()
    return to_instant(datetime.combine(day, wall), scene.clock.zone)
