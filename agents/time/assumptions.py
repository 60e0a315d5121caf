"""What a reading took for granted: the conventions that decided it, and the other starts that the words allow."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time

from agents.time.calendar_words import calendar_words
from agents.time.feasts import feasts
from agents.time.resolve import Clock, Placed, place, sure, with_hour
from agents.time.values import CODES, Day, Length, Moment, OfDay, Range, Reading, Repeat

WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
NOON = 12
DOUBTED = range(6, 10)
"""Bare hours at which people are up in the morning and in the evening: nobody doubts which half the others mean."""
Doubts = tuple[tuple[str, ...], tuple[datetime, ...]]


def doubts(value: Reading, clock: Clock) -> Doubts:
    """Assumptions in words and alternative starts of a reading."""
    said, others = _of_words(value, clock)
    return (*said, *calendar_words(value, clock)), others


def ambiguous(value: Reading, clock: Clock) -> tuple[str, ...]:
    """The assumptions that a listener should hear, as clauses: of an hour, of a date's order, of a time that passed."""
    if isinstance(value, Repeat):
        return () if _told_half(value.end_time) else _hour_assumption(value.time, clock)
    moment = value if isinstance(value, Moment) else value.start or value.end if isinstance(value, Range) else None
    if moment is None or (
        isinstance(value, Range) and value.end and value.end is not moment and _told_half(value.end.time)
    ):
        return ()
    if moment.day and moment.day.how == "numeric":
        return (
            *_hour_assumption(moment.time, clock),
            *(f"I read {words.replace(' is read', '')}" for words in _of_day_words(moment, clock)),
        )
    if later := _later(moment, clock):
        return (f"I took later today as {later}",)
    passed = _moved_on(moment, clock) if isinstance(value, Moment) and moment.time and not moment.day else []
    return tuple(passed) if passed and not moment.shift else _hour_assumption(moment.time, clock)


def _told_half(end: OfDay | None) -> bool:
    """Whether an end tells the half of the day of its beginning too: "7-9pm"."""
    return end is not None and not _either_half(end)


def _later(moment: Moment, clock: Clock) -> str:
    """Give the hour that "later today" was taken for; none for other times."""
    placed = place(moment, clock) if moment.time and moment.time.part == "later today" else None
    return _say_hour(placed.start.time(), clock) if placed and placed.timed else ""


def _say_hour(hour: time, clock: Clock) -> str:
    """An hour as the speaker has it, on 24 or on 12 hours."""
    if clock.conventions.clock != "12h":
        return f"{hour:%H:%M}"
    return f"{hour.hour % NOON or NOON}:{hour:%M} {'am' if hour.hour < NOON else 'pm'}"


def _of_day_words(moment: Moment, clock: Clock) -> list[str]:
    return _of_day(moment.day, moment, clock)[0] if moment.day else []


def _hour_assumption(clock_time: OfDay | None, clock: Clock) -> tuple[str, ...]:
    """Return how an hour was taken that both halves of the day have, where somebody may mean the other one."""
    if clock_time is None or not _either_half(clock_time) or clock_time.hour not in DOUBTED or clock_time.part:
        return ()
    known = sure(clock_time)
    said = f"{clock_time.hour}:{clock_time.minute:02}" if clock_time.minute else f"{clock_time.hour}"
    taken = _say_hour(time(known.hour, known.minute), clock) if known.hour >= NOON else f"{said} in the morning"
    return (f"I took {said} as {taken}",)


def _of_words(value: Reading, clock: Clock) -> Doubts:
    if isinstance(value, Length):
        return _longer(value), ()
    if isinstance(value, Repeat):
        return _of_repeat(value), ()
    moment = value if isinstance(value, Moment) else value.start or value.end
    return _of_moment(moment, clock, alone=isinstance(value, Moment)) if moment else ((), ())


def _longer(length: Length) -> tuple[str, ...]:
    if length.least is None:
        return ()
    count, grain = length.parts[0]
    return (f"{length.least:g} to {count:g} {grain}s is counted as {count:g}",)


def _of_repeat(repeat: Repeat) -> tuple[str, ...]:
    said = list(_clock_words(repeat.time)) if repeat.time else []
    days = " and ".join(WEEKDAYS[CODES.index(code)] for code in repeat.byday if code in CODES)
    if repeat.spread:
        spread = days or ", ".join(f"day {day}" for day in repeat.bymonthday) or "evenly spread"
        said.append(f"how often is said, not when: {spread} is assumed")
    if repeat.listed:
        said.append(f"{days} is read as every week")
    return tuple(said)


def _of_moment(moment: Moment, clock: Clock, *, alone: bool) -> Doubts:
    later = _later(moment, clock)
    said = [f"later today is {later}"] if later else list(_clock_words(moment.time)) if moment.time else []
    others: list[Placed | None] = []
    if alone and moment.time and _either_half(moment.time):
        others.append(place(replace(moment, time=_other_half(moment.time)), clock))
    if moment.day:
        words, more = _of_day(moment.day, moment, clock)
        said += words
        others += more
    elif alone and moment.time and not moment.shift:
        said += _moved_on(moment, clock)
    return tuple(said), tuple(other.start for other in others if other)


def _either_half(clock_time: OfDay) -> bool:
    return not clock_time.exact and clock_time.half is None and 1 <= clock_time.hour <= 12


def _other_half(clock_time: OfDay) -> OfDay:
    return with_hour(clock_time, late=sure(clock_time).hour < 12)


def _clock_words(clock_time: OfDay) -> tuple[str, ...]:
    known = sure(clock_time)
    if clock_time.part and clock_time.part not in ("noon", "midnight", "now", "later today"):
        return (f"{clock_time.part} is {known.hour:02}:{known.minute:02}",)
    if not _either_half(clock_time):
        return ()
    return (f"{clock_time.hour}:{clock_time.minute:02} is {known.hour:02}:{known.minute:02}",)


def _of_day(day: Day, moment: Moment, clock: Clock) -> tuple[list[str], list[Placed | None]]:
    if day.how == "numeric":
        return _of_numeric(day, moment, clock)
    if day.how == "weekday":
        return _of_weekday(day, moment, clock)
    if day.how in ("within", "as_of") and isinstance(day.args[0], Day):
        return _of_day(day.args[0], moment, clock) if day.args[0].how == "feast" else ([], [])
    if day.how == "feast" and feasts()[str(day.args[0])].rule.startswith("hebrew"):
        return [f"{day.args[0]} begins on the evening before"], []
    return [], []


def _of_numeric(day: Day, moment: Moment, clock: Clock) -> tuple[list[str], list[Placed | None]]:
    first, second = day.args[0], day.args[1]
    if first == second or not all(isinstance(number, int) and number <= 12 for number in (first, second)):
        return [], []
    order = "month first" if clock.month_first else "day first"
    swapped = place(moment, replace(clock, month_first=not clock.month_first))
    return [f"{first}/{second} is read {order}"], [swapped]


def _of_weekday(day: Day, moment: Moment, clock: Clock) -> tuple[list[str], list[Placed | None]]:
    index, which = day.args[0], day.args[1]
    name = WEEKDAYS[index] if isinstance(index, int) else ""
    if which == "next":
        coming = place(replace(moment, day=Day("weekday", (index, "coming"))), clock)
        known = place(moment, clock)
        differs = coming and known and coming.start != known.start
        return ([f"next {name} is in the next calendar week"], [coming]) if differs else ([], [])
    if which == "coming" and index == clock.at.weekday():
        return [f"{name} is the coming one, not today"], [place(replace(moment, day=Day("offset", (0, "day"))), clock)]
    return [], []


def _moved_on(moment: Moment, clock: Clock) -> list[str]:
    placed = place(moment, clock)
    tomorrow = placed and placed.start.date() > clock.at.date()
    return [f"{_say_hour(placed.start.time(), clock)} has passed, so tomorrow"] if placed and tomorrow else []
