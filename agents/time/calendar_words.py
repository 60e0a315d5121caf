"""What a reading took from the calendar of its user, in words: where weeks begin and which days are business days."""

from __future__ import annotations

from dataclasses import fields
from typing import get_args

from agents.time.resolve import Clock
from agents.time.values import Day, Repeat, Value

WEEKS = ("unit", "the_unit", "week_of", "in_week")
SUNDAY = 6
FIELDS = {kind: tuple(field.name for field in fields(kind)) for kind in get_args(Value)}


def calendar_words(value: object, clock: Clock) -> tuple[str, ...]:
    """The conventions that decided; where a week begins is told when it makes a difference today."""
    matters = clock.at.weekday() == SUNDAY or clock.conventions.week_start != "monday"
    worked, weeks = _traits(value)
    said = (_business_days(clock),) if worked else ()
    return (*said, f"weeks begin on {clock.conventions.week_start}") if matters and weeks else said


def _traits(value: object) -> tuple[bool, bool]:
    """Whether business days are in a value or in any part of it, and whether a week is."""
    worked = weeks = False
    left = [value]
    while left:
        piece = left.pop()
        worked = worked or piece == "workday" or (isinstance(piece, Repeat) and piece.worked)
        weeks = weeks or (isinstance(piece, Day) and _of_week(piece))
        left += piece if isinstance(piece, tuple) else [getattr(piece, name) for name in FIELDS.get(type(piece), ())]
    return worked, weeks


def _of_week(day: Day) -> bool:
    named = day.how == "weekday" and day.args[1] in ("this", "next")
    return named or (day.how in WEEKS and (day.grain == "week" or day.how == "in_week"))


def _business_days(clock: Clock) -> str:
    days, country = clock.conventions.working_days, clock.conventions.business_holidays
    without = f", without the public holidays of {country}" if country else ""
    return f"business days are {', '.join(days)}{without}"
