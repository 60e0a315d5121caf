"""Which days of a month a rule means, as people say them: "12th and 23rd", "last weekday before the 15th"."""

from __future__ import annotations

import re
from datetime import date

from agents.languages import month_name, say, say_later, weekday_name
from agents.phrases import say_list

CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
WORKDAYS = frozenset(CODES[:5])
DAY_OF = re.compile(r"(?P<place>[+-]?\d+)?(?P<day>MO|TU|WE|TH|FR|SA|SU)")
PLACES = {
    1: say_later("first {weekday}"),
    2: say_later("second {weekday}"),
    3: say_later("third {weekday}"),
    4: say_later("fourth {weekday}"),
    5: say_later("fifth {weekday}"),
    -1: say_later("last {weekday}"),
    -2: say_later("second to last {weekday}"),
}
WEEK, WEEKEND = 7, 2
TEENS, ENDINGS = range(10, 20), {1: "st", 2: "nd", 3: "rd"}


def say_days_of_month(parts: dict[str, str]) -> str:
    """Return the days that the parts of a rule pick from a month, without the article; empty where it is not plain."""
    days = [DAY_OF.fullmatch(day) for day in parts.get("BYDAY", "").split(",") if day]
    numbers = numbers_of(parts, "BYMONTHDAY")
    if not days:
        return say_list([_say_number(number) for number in numbers]) if "BYSETPOS" not in parts else ""
    if numbers or "BYSETPOS" in parts:
        return _among(days, numbers, parts.get("BYSETPOS", ""))
    said = [(PLACES.get(int(day["place"])), day["day"]) for day in days if day and day["place"]]
    plain = len(said) == len(days) and all(place for place, _ in said)
    return say_list([say(place, weekday=_weekday(code)) for place, code in said if place]) if plain else ""


def say_months(parts: dict[str, str]) -> str:
    """Return the names of the months of a rule."""
    return say_list([_month(number) for number in numbers_of(parts, "BYMONTH")])


def say_other_months(parts: dict[str, str]) -> str:
    """Return the names of the months that a rule leaves out."""
    kept = numbers_of(parts, "BYMONTH")
    return say_list([_month(number) for number in range(1, 13) if number not in kept])


def say_dates(parts: dict[str, str]) -> str:
    """Return the days of a year that a rule names by month and number; empty where it counts from an end."""
    days, months = numbers_of(parts, "BYMONTHDAY"), numbers_of(parts, "BYMONTH")
    plain = days and not {"BYDAY", "BYSETPOS"} & parts.keys() and all(day > 0 for day in days)
    dates = [say("{day} {month}", day=day, month=_month(month)) for month in months for day in days]
    return say_list(dates) if plain else ""


def numbers_of(parts: dict[str, str], name: str) -> list[int]:
    """Return the numbers of one part of a rule, in order."""
    return sorted(int(number) for number in parts.get(name, "").split(",") if number)


def _among(days: list[re.Match[str] | None], numbers: list[int], place: str) -> str:
    """Say which of some weekdays it is, and after or before which days where these follow one another."""
    codes = [day["day"] for day in days if day and not day["place"]]
    single = len(codes) == 1 and not (place and numbers)
    rank = int(place or 1)
    plain = len(codes) == len(days) and (single or (place and frozenset(codes) == WORKDAYS)) and rank in PLACES
    # So many days have what is picked among them in each month, and no second one.
    enough = len(numbers) == WEEK if single else len(numbers) >= abs(rank) + WEEKEND
    if not plain or (numbers and not (enough and _is_row(numbers))):
        return ""
    which = say(PLACES[rank], weekday=_weekday(codes[0]) if single else say("weekday"))
    if numbers and rank < 0:
        return say("{which} before the {day}", which=which, day=_ordinal(numbers[-1] + 1))
    return say("{which} after the {day}", which=which, day=_ordinal(numbers[0] - 1)) if numbers[:1] > [1] else which


def _is_row(numbers: list[int]) -> bool:
    return numbers[0] > 0 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _say_number(number: int) -> str:
    if number == -1:
        return say("last day")
    return _ordinal(number) if number > 0 else say("{nth} to last day", nth=_ordinal(-number))


def _ordinal(number: int) -> str:
    ending = "th" if number in TEENS else ENDINGS.get(number % 10, "th")
    return say("{number}{ending}", number=number, ending=ending)


def _weekday(code: str) -> str:
    return weekday_name(CODES.index(code))


def _month(number: int) -> str:
    return month_name(date(1, number, 1))
