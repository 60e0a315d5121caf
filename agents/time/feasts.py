"""Feasts and days of observance by name: how each finds its days in a year.

A line of data/feasts.txt is ``names = rule [xDAYS]``. Names are separated by ";", "day?" may be missing, "a~b" may be
hyphenated, a weekday may be short; a leading "*" marks names that are ordinary words too. Rules: ``12-25`` fixed; ``3MO01``
third Monday of January, ``-1MO05`` the last one of May, ``MO<05-25`` the last one before 25 May; ``easter+1`` and
``orthodox-2`` from Easter Sunday; ``hindu:NAME`` and its like from the calendars of the holidays library; ``own:NAME``
from a function below; ``@NAME+1`` from another feast. Hebrew days begin on the evening before and are given so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from typing import Any

from dateutil.easter import EASTER_ORTHODOX, EASTER_WESTERN, easter

from agents.time.values import CODES

LINE = re.compile(
    r"(?P<rule>\d\d-\d\d|-?\d[A-Z]{2}\d\d|[A-Z]{2}<\d\d-\d\d|[^-+ ]+)(?P<shift>[-+]\d+)?(?: x(?P<days>\d+))?"
)
NTH = re.compile(r"(-?\d)([A-Z]{2})(\d\d)")
BEFORE_RULE = re.compile(r"([A-Z]{2})<(\d\d)-(\d\d)")
CALENDARS = {
    "hindu": "_HinduLunisolar",
    "islamic": "_IslamicLunar",
    "hebrew": "_HebrewLunisolar",
    "chinese": "_ChineseLunisolar",
    "buddhist": "_BuddhistLunisolar",
}
EARLY_PRIMARIES = 2008
Stretch = tuple[date, date]


@dataclass(frozen=True, slots=True)
class Feast:
    """A feast: its rule, how many days it lasts, and whether its name needs supporting neighbours."""

    rule: str
    shift: int = 0
    days: int = 1
    weak: bool = False


@cache
def feasts() -> dict[str, Feast]:
    """Every feast by each of its names as written in the table."""
    found = {}
    for line in _lines():
        names, _, said = line.partition(" = ")
        match = LINE.fullmatch(said)
        if match is None:
            raise ValueError(line)
        for name in names.split("; "):
            days, shift = int(match["days"] or 1), int(match["shift"] or 0)
            found[name.lstrip("*")] = Feast(match["rule"], shift, days, weak=name.startswith("*"))
    return found


def _lines() -> Iterator[str]:
    table = files(__package__).joinpath("data/feasts.txt").read_text(encoding="utf-8")
    return (line for line in table.splitlines() if line and not line.startswith("#"))


@cache
def stretches(name: str, year: int) -> tuple[Stretch, ...]:
    """First day and the day after the last one of a feast, for each time that it begins in a year."""
    feast = feasts()[name]
    starts = sorted(start + timedelta(days=feast.shift) for start in _starts(feast.rule, year))
    return tuple((start, start + timedelta(days=feast.days)) for start in starts)


def _starts(rule: str, year: int) -> list[date]:
    if rule.startswith("@"):
        return [start for start, _ in stretches(rule[1:].replace("_", " "), year)]
    kind, _, name = rule.partition(":")
    if kind == "own":
        day = OWN_FEASTS[name](year)
        return [day] if day else []
    if kind in CALENDARS:
        return _looked_up(kind, name, year)
    if kind in ("easter", "orthodox"):
        return [easter(year, EASTER_ORTHODOX if kind == "orthodox" else EASTER_WESTERN)]
    return _civil_days(rule, year)


def _civil_days(rule: str, year: int) -> list[date]:
    """Days by the civil calendar."""
    if match := NTH.fullmatch(rule):
        return [_nth(int(match[1]), CODES.index(match[2]), year, int(match[3]))]
    if match := BEFORE_RULE.fullmatch(rule):
        limit = date(year, int(match[2]), int(match[3])) - timedelta(days=1)
        return [limit - timedelta(days=(limit.weekday() - CODES.index(match[1])) % 7)]
    return _fixed_days(year, int(rule[:2]), int(rule[3:]))


def _fixed_days(year: int, month: int, day: int) -> list[date]:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return [] if (month, day) == (2, 29) and not leap else [date(year, month, day)]


def _nth(nth: int, weekday: int, year: int, month: int) -> date:
    if nth > 0:
        first = date(year, month, 1)
        return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))
    last = date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
    return last - timedelta(days=(last.weekday() - weekday) % 7 + 7 * (-nth - 1))


@cache
def _calendar(kind: str) -> Any:
    # Late, because most programs that import this never name such a feast; see load_calendars.
    from holidays import calendars

    return getattr(calendars, CALENDARS[kind])()


def load_calendars() -> None:
    """Load every calendar now, so that the first message that names its feast does not wait for it."""
    for kind in CALENDARS:
        _calendar(kind)


def _looked_up(kind: str, name: str, year: int) -> list[date]:
    calendar, eve = _calendar(kind), timedelta(days=1 if kind == "hebrew" else 0)
    many = f"{name}_dates" if hasattr(calendar, f"{name}_dates") else f"{name}_date"
    return [day - eve for day in _flat(getattr(calendar, many)(year)) if day.year == year]


def _flat(found: Any) -> list[date]:
    """The days in what the library returns: a day, (day, is it estimated), or several of either."""
    if found is None or isinstance(found, bool):
        return []
    if isinstance(found, date):
        return [found]
    return [day for item in found for day in _flat(item)]


def _tax_day(year: int) -> date:
    """15 April, moved on by the weekend and by Emancipation Day (16 April, observed on a weekday)."""
    day = date(year, 4, 15)
    return day + timedelta(days={4: 3, 5: 3, 6: 2}.get(day.weekday(), 0))


def _kings_day(year: int) -> date:
    """27 April, the Saturday before when that is a Sunday."""
    day = date(year, 4, 27)
    return day - timedelta(days=day.weekday() == 6)


def _parsi_new_year(year: int) -> date:
    """Every 365 days: the Shahenshahi calendar knows no leap day."""
    return date(2018, 8, 17) + timedelta(days=365 * (year - 2018))


def _super_tuesday(year: int) -> date | None:
    """Most American primaries: the first Tuesday of March in election years, in 2008 of February."""
    return _nth(1, 1, year, 2 if year == EARLY_PRIMARIES else 3) if year % 4 == 0 else None


def _mini_tuesday(year: int) -> date | None:
    """The first Tuesday of February in election years."""
    return _nth(1, 1, year, 2) if year % 4 == 0 else None


def _inauguration_day(year: int) -> date | None:
    """20 January after an American presidential election."""
    return date(year, 1, 20) if year % 4 == 1 else None


OWN_FEASTS: dict[str, Callable[[int], date | None]] = {
    "super_tuesday": _super_tuesday,
    "mini_tuesday": _mini_tuesday,
    "inauguration_day": _inauguration_day,
    "tax_day": _tax_day,
    "kings_day": _kings_day,
    "parsi_new_year": _parsi_new_year,
}
