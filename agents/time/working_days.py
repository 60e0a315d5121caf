"""Which days are worked on: the user's weekdays, less the public holidays of the country that the user names."""

from __future__ import annotations

import warnings
from datetime import date, timedelta
from functools import cache

MAX_WORKDAYS = 3000


@cache
def public_holidays(country: str, year: int) -> frozenset[date]:
    """The public holidays of a year; none where the country's are not known."""
    from holidays import country_holidays

    try:
        with warnings.catch_warnings():
            # The library warns of years whose lunar feasts it does not know; the others still count.
            warnings.simplefilter("ignore")
            return frozenset(country_holidays(country, years=year))
    except NotImplementedError:
        return frozenset()


def is_worked(day: date, weekdays: tuple[int, ...], country: str | None) -> bool:
    """Whether a day is a working day; Monday is 0."""
    return day.weekday() in weekdays and not (country and day in public_holidays(country, day.year))


def working_days_later(day: date, count: int, weekdays: tuple[int, ...], country: str | None) -> date:
    """The day so many working days later, or earlier when the count is negative; at most 3,000 are counted."""
    step = timedelta(days=1 if count >= 0 else -1)
    for _ in range(min(abs(count), MAX_WORKDAYS)):
        day += step
        while not is_worked(day, weekdays, country):
            day += step
    return day
