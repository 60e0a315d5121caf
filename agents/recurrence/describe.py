"""A recurrence rule as people say it: "every Tuesday until 30 June 2027", "on the last Friday of every month"."""

from __future__ import annotations

import re
from datetime import datetime

from agents.phrases import MONTHS, WEEKDAYS, say_count, say_list
from agents.recurrence.rules import parts_of

CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
SETS = {("MO", "TU", "WE", "TH", "FR"): "weekday", ("SA", "SU"): "Saturday and Sunday"}
UNITS = {"MINUTELY": "minute", "HOURLY": "hour", "DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}
SAID = frozenset("FREQ INTERVAL BYDAY BYMONTHDAY BYMONTH UNTIL COUNT WKST BYHOUR BYMINUTE BYSECOND".split())
"""The parts of a rule that are put in words; a single hour is told with the start."""
REPEATING = "repeating"
PLACES = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last", -2: "second to last"}
DAY_OF = re.compile(r"(?P<place>[+-]?\d+)?(?P<day>[A-Z]{2})")
TEENS, ENDINGS = range(10, 20), {1: "st", 2: "nd", 3: "rd"}


def describe_rule(rule: str) -> str:
    """A rule in words; ``REPEATING`` for one that would take too many."""
    parts = parts_of(rule)
    often = _often(parts) if set(parts) <= SAID else ""
    return f"{often}{_hours(parts)}{_end(parts)}" if often else REPEATING


def _often(parts: dict[str, str]) -> str:
    unit, step = UNITS.get(parts.get("FREQ", ""), ""), int(parts.get("INTERVAL", 1))
    days = [DAY_OF.fullmatch(day) for day in parts.get("BYDAY", "").split(",") if day]
    if unit == "month" and ("BYDAY" in parts or "BYMONTHDAY" in parts) and "BYMONTH" not in parts:
        which = _of_month(parts, days)
        return f"on the {which} of {_every(unit, step)}" if which else ""
    if unit == "year" and step == 1 and parts.get("BYMONTHDAY", "").isdigit() and parts.get("BYMONTH", "").isdigit():
        return f"every year on {parts['BYMONTHDAY']} {MONTHS[int(parts['BYMONTH']) - 1]}"
    if "BYMONTHDAY" in parts or "BYMONTH" in parts or any(day is None or day["place"] for day in days):
        return ""
    codes = tuple(sorted((day["day"] for day in days if day), key=CODES.index))
    if not codes:
        return _every(unit, step) if unit else ""
    names = SETS.get(codes) or say_list([WEEKDAYS[CODES.index(code)] for code in codes])
    if unit not in ("day", "week") or (unit == "day" and step > 1):
        return ""
    return _every(names, step) if step == 1 or len(codes) == 1 else f"{_every(unit, step)} on {names}"


def _every(unit: str, step: int) -> str:
    return {1: f"every {unit}", 2: f"every other {unit}"}.get(step, f"every {step} {unit}s")


def _of_month(parts: dict[str, str], days: list[re.Match[str] | None]) -> str:
    """Which days of a month, without the article; empty where it is not plain."""
    if days and "BYMONTHDAY" in parts:
        return ""
    if not days:
        numbers = [int(number) for number in parts["BYMONTHDAY"].split(",")]
        return say_list(["last day" if number == -1 else _ordinal(number) for number in numbers if number >= -1])
    said = [(PLACES.get(int(day["place"])), day["day"]) for day in days if day and day["place"]]
    plain = len(said) == len(days) and all(place and code in CODES for place, code in said)
    return say_list([f"{place} {WEEKDAYS[CODES.index(code)]}" for place, code in said]) if plain else ""


def _hours(parts: dict[str, str]) -> str:
    """The hours of a day, where there are several."""
    hours, minute = parts.get("BYHOUR", "").split(","), parts.get("BYMINUTE", "0").split(",")[0]
    return f" at {say_list([f'{int(hour):02}:{int(minute):02}' for hour in hours])}" if len(hours) > 1 else ""


def _ordinal(number: int) -> str:
    return f"{number}{'th' if number in TEENS else ENDINGS.get(number % 10, 'th')}"


def _end(parts: dict[str, str]) -> str:
    if "COUNT" in parts:
        return f", {say_count(int(parts['COUNT']), 'time')}"
    if "UNTIL" not in parts:
        return ""
    last = datetime.strptime(parts["UNTIL"][:8], "%Y%m%d")  # noqa: DTZ007 - a day
    return f" until {last.day} {MONTHS[last.month - 1]} {last.year}"
