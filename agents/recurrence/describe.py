"""A recurrence rule as people say it: "every Tuesday until 30 June 2027", "on the last Friday of every month"."""

from __future__ import annotations

from datetime import datetime

from agents.languages import month_name, say, say_later, weekday_name
from agents.phrases import say_count, say_list
from agents.recurrence.days_of_month import (
    CODES,
    numbers_of,
    say_dates,
    say_days_of_month,
    say_months,
    say_other_months,
)
from agents.recurrence.rules import parts_of

SETS = {
    ("MO", "TU", "WE", "TH", "FR"): say_later("every weekday"),
    ("SA", "SU"): say_later("every Saturday and Sunday"),
}
UNITS = {
    "SECONDLY": "second",
    "MINUTELY": "minute",
    "HOURLY": "hour",
    "DAILY": "day",
    "WEEKLY": "week",
    "MONTHLY": "month",
    "YEARLY": "year",
}
EVERY_UNIT = {
    "second": (say_later("every second"), say_later("every other second"), say_later("every {step} seconds")),
    "minute": (say_later("every minute"), say_later("every other minute"), say_later("every {step} minutes")),
    "hour": (say_later("every hour"), say_later("every other hour"), say_later("every {step} hours")),
    "day": (say_later("every day"), say_later("every other day"), say_later("every {step} days")),
    "week": (say_later("every week"), say_later("every other week"), say_later("every {step} weeks")),
    "month": (say_later("every month"), say_later("every other month"), say_later("every {step} months")),
    "year": (say_later("every year"), say_later("every other year"), say_later("every {step} years")),
    "days": (say_later("every {days}"), say_later("every other {days}"), say_later("every {step} {days}s")),
}
"""How a unit is repeated: each time, every second time, or every so many."""
DESCRIBED_PARTS = frozenset(
    (
        "FREQ INTERVAL BYDAY BYMONTHDAY BYYEARDAY BYWEEKNO BYMONTH BYSETPOS UNTIL COUNT WKST BYHOUR BYMINUTE BYSECOND"
    ).split()
)
"""The parts of a rule that are put in words; a single hour is told with the start."""
REPEATING = say_later("repeating")
DAYS_OF_A_YEAR = frozenset({"BYDAY", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO"})
FEW_MONTHS, ALL = 6, 12
"""Of more months it is shorter to say which are left out."""


def describe_rule(rule: str) -> str:
    """A rule in words; ``REPEATING`` for one that would take too many."""
    parts = parts_of(rule)
    often = _often(parts) if set(parts) <= DESCRIBED_PARTS else ""
    return f"{often}{_hours(parts)}{_end(parts)}" if often else say(REPEATING)


def _often(parts: dict[str, str]) -> str:
    unit, step = UNITS.get(parts.get("FREQ", ""), ""), int(parts.get("INTERVAL", 1))
    if unit == "year":
        return _of_year(parts, _every(unit, step))
    if not unit or {"BYYEARDAY", "BYWEEKNO"} & parts.keys():
        return ""
    if unit == "month" and {"BYDAY", "BYMONTHDAY"} & parts.keys():
        which = say_days_of_month(parts)
        often = say("on the {which} of {every}", which=which, every=_every(unit, step)) if which else ""
    else:
        often = _on_days(parts, unit, step)
    return _in_months(parts, often) if often else ""


def _on_days(parts: dict[str, str], unit: str, step: int) -> str:
    codes = parts["BYDAY"].split(",") if "BYDAY" in parts else []
    if {"BYMONTHDAY", "BYSETPOS"} & parts.keys() or not set(codes) <= set(CODES):
        return ""
    if not codes:
        return _every(unit, step)
    weekly = unit == "week" or (unit == "day" and step == 1)
    return _on_weekdays(tuple(sorted(codes, key=CODES.index)), unit, step) if weekly else ""


def _of_year(parts: dict[str, str], every: str) -> str:
    by = parts.keys() & (DAYS_OF_A_YEAR | {"BYMONTH", "BYSETPOS"})
    if by <= {"BYMONTH"}:
        return _in_months(parts, every)
    if by == {"BYYEARDAY"}:
        return say("{every} on day {days}", every=every, days=say_list(parts["BYYEARDAY"].split(",")))
    if by == {"BYWEEKNO", "BYDAY"} and (days := _on_days(parts, "week", 1)):
        return say("{days} in week {weeks} of {every}", days=days, weeks=parts["BYWEEKNO"], every=every)
    if not {"BYMONTH"} < by or by & {"BYYEARDAY", "BYWEEKNO"}:
        return ""
    if dates := say_dates(parts):
        return say("{every} on {days}", every=every, days=dates)
    which, months = say_days_of_month(parts), say_months(parts)
    return say("{every} on the {which} of {months}", every=every, which=which, months=months) if which else ""


def _in_months(parts: dict[str, str], often: str) -> str:
    count = len(numbers_of(parts, "BYMONTH"))
    if count > FEW_MONTHS:
        return say("{often} except in {months}", often=often, months=say_other_months(parts)) if count < ALL else often
    return say("{often} in {months}", often=often, months=say_months(parts)) if count else often


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


def _hours(parts: dict[str, str]) -> str:
    """The hours of a day, where there are several."""
    hours, minute = parts.get("BYHOUR", "").split(","), parts.get("BYMINUTE", "0").split(",")[0]
    if len(hours) <= 1:
        return ""
    return say(" at {clocks}", clocks=say_list([f"{int(hour):02}:{int(minute):02}" for hour in hours]))


def _end(parts: dict[str, str]) -> str:
    if "COUNT" in parts:
        return f", {say_count(int(parts['COUNT']), 'time')}"
    if "UNTIL" not in parts:
        return ""
    last = datetime.strptime(parts["UNTIL"][:8], "%Y%m%d")  # noqa: DTZ007 - a day
    return say(" until {day} {month} {year}", day=last.day, month=month_name(last), year=last.year)
