"""What a reading took from the calendar of its user, in words: where weeks begin and which days are business days."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from agents.understanding.time.resolve import Clock
from agents.understanding.time.values import Day, Repeat

WEEKS = ("unit", "the_unit", "week_of", "in_week")
SUNDAY = 6


def calendar_words(value: object, clock: Clock) -> tuple[str, ...]:
    """The conventions that decided; where a week begins is told when it makes a difference today."""
    pieces = list(_pieces(value))
    said = []
    if "workday" in pieces or any(isinstance(piece, Repeat) and piece.worked for piece in pieces):
        said.append(_business_days(clock))
    matters = clock.at.weekday() == SUNDAY or clock.conventions.week_start != "monday"
    if matters and any(isinstance(piece, Day) and _of_week(piece) for piece in pieces):
        said.append(f"weeks begin on {clock.conventions.week_start}")
    return tuple(said)


def _pieces(value: object) -> Iterator[object]:
    """A value and all that it is made of."""
    yield value
    parts: tuple[object, ...] = value if isinstance(value, tuple) else ()
    if is_dataclass(value):
        parts = tuple(getattr(value, field.name) for field in fields(value))
    for part in parts:
        yield from _pieces(part)


def _of_week(day: Day) -> bool:
    named = day.how == "weekday" and day.args[1] in ("this", "next")
    return named or (day.how in WEEKS and (day.grain == "week" or day.how == "in_week"))


def _business_days(clock: Clock) -> str:
    days, country = clock.conventions.working_days, clock.conventions.business_holidays
    without = f", without the public holidays of {country}" if country else ""
    return f"business days are {', '.join(days)}{without}"
