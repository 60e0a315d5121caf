"""A recurrence rule as people say it: "every Tuesday until 30 June 2027", "on the last Friday of every month"."""

from __future__ import annotations

import re
from datetime import date, datetime

from agents.languages import month_name, say, say_later, weekday_name
from agents.phrases import say_count, say_list
from agents.recurrence.rules import parts_of

CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
SETS = {
    ("MO", "TU", "WE", "TH", "FR"): say_later("every weekday"),
    ("SA", "SU"): say_later("every Saturday and Sunday"),
}
UNITS = {"MINUTELY": "minute", "HOURLY": "hour", "DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}
EVERY_UNIT = {
    "minute": (say_later("every minute"), say_later("every other minute"), say_later("every {step} minutes")),
    "hour": (say_later("every hour"), say_later("every other hour"), say_later("every {step} hours")),
    "day": (say_later("every day"), say_later("every other day"), say_later("every {step} days")),
    "week": (say_later("every week"), say_later("every other week"), say_later("every {step} weeks")),
    "month": (say_later("every month"), say_later("every other month"), say_later("every {step} months")),
    "year": (say_later("every year"), say_later("every other year"), say_later("every {step} years")),
    "days": (say_later("every {days}"), say_later("every other {days}"), say_later("every {step} {days}s")),
}
"""How a unit is repeated: each time, every second time, or every so many."""
DESCRIBED_PARTS = frozenset("FREQ INTERVAL BYDAY BYMONTHDAY BYMONTH UNTIL COUNT WKST BYHOUR BYMINUTE BYSECOND".split())
"""The parts of a rule that are put in words; a single hour is told with the start."""
REPEATING = say_later("repeating")
PLACES = {
    1: say_later("first {weekday}"),
    2: say_later("second {weekday}"),
    3: say_later("third {weekday}"),
    4: say_later("fourth {weekday}"),
    5: say_later("fifth {weekday}"),
    -1: say_later("last {weekday}"),
    -2: say_later("second to last {weekday}"),
}
DAY_OF = re.compile(r"(?P<place>[+-]?\d+)?(?P<day>[A-Z]{2})")
TEENS, ENDINGS = range(10, 20), {1: "st", 2: "nd", 3: "rd"}


def describe_rule(rule: str) -> str:
    """A rule in words; ``REPEATING`` for one that would take too many."""
    parts = parts_of(rule)
    often = _often(parts) if set(parts) <= DESCRIBED_PARTS else ""
    return f"{often}{_hours(parts)}{_end(parts)}" if often else say(REPEATING)


def _often(parts: dict[str, str]) -> str:
    unit, step = UNITS.get(parts.get("FREQ", ""), ""), int(parts.get("INTERVAL", 1))
    days = [DAY_OF.fullmatch(day) for day in parts.get("BYDAY", "").split(",") if day]
    if unit == "month" and ("BYDAY" in parts or "BYMONTHDAY" in parts) and "BYMONTH" not in parts:
        which = _of_month(parts, days)
        return say("on the {which} of {every}", which=which, every=_every(unit, step)) if which else ""
    if unit == "year" and step == 1 and parts.get("BYMONTHDAY", "").isdigit() and parts.get("BYMONTH", "").isdigit():
        month = month_name(date(1, int(parts["BYMONTH"]), 1))
        return say("every year on {day} {month}", day=parts["BYMONTHDAY"], month=month)
    if "BYMONTHDAY" in parts or "BYMONTH" in parts or any(day is None or day["place"] for day in days):
        return ""
    codes = tuple(sorted((day["day"] for day in days if day), key=CODES.index))
    if not codes:
        return _every(unit, step) if unit else ""
    return _on_weekdays(codes, unit, step) if unit == "week" or (unit == "day" and step == 1) else ""


def _on_weekdays(codes: tuple[str, ...], unit: str, step: int) -> str:
    days_said = say_list([weekday_name(CODES.index(code)) for code in codes])
    if step == 1 and codes in SETS:
        return say(SETS[codes])
    if step == 1 or len(codes) == 1:
        return _every("days", step, days_said)
    return say("{every} on {days}", every=_every(unit, step), days=days_said)


def _every(unit: str, step: int, days: str = "") -> str:
    each, other, many = EVERY_UNIT[unit]
    return say({1: each, 2: other}.get(step, many), step=step, days=days)


def _of_month(parts: dict[str, str], days: list[re.Match[str] | None]) -> str:
    """Which days of a month, without the article; empty where it is not plain."""
    if days and "BYMONTHDAY" in parts:
        return ""
    if not days:
        numbers = [int(number) for number in parts["BYMONTHDAY"].split(",")]
        return say_list([say("last day") if number == -1 else _ordinal(number) for number in numbers if number >= -1])
    said = [(PLACES.get(int(day["place"])), day["day"]) for day in days if day and day["place"]]
    plain = len(said) == len(days) and all(place and code in CODES for place, code in said)
    named = [(place or "", weekday_name(CODES.index(code))) for place, code in said if code in CODES]
    return say_list([say(place, weekday=weekday) for place, weekday in named]) if plain else ""


def _hours(parts: dict[str, str]) -> str:
    """The hours of a day, where there are several."""
    hours, minute = parts.get("BYHOUR", "").split(","), parts.get("BYMINUTE", "0").split(",")[0]
    if len(hours) <= 1:
        return ""
    return say(" at {clocks}", clocks=say_list([f"{int(hour):02}:{int(minute):02}" for hour in hours]))


def _ordinal(number: int) -> str:
    ending = "th" if number in TEENS else ENDINGS.get(number % 10, "th")
    return say("{number}{ending}", number=number, ending=ending)


def _end(parts: dict[str, str]) -> str:
    if "COUNT" in parts:
        return f", {say_count(int(parts['COUNT']), 'time')}"
    if "UNTIL" not in parts:
        return ""
    last = datetime.strptime(parts["UNTIL"][:8], "%Y%m%d")  # noqa: DTZ007 - a day
    return say(" until {day} {month} {year}", day=last.day, month=month_name(last), year=last.year)
