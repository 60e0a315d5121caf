"""Phrases about time made from parts, each with the instant that it means, computed without the grammar.

Everything follows from the stated conventions: weeks start on Monday, "friday" is the coming one, bare hours from 1 to
6 are after noon and from 7 to 11 before, a day-precision deadline lasts until the end of its day.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import date, datetime, time, timedelta

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

Dated = tuple[str, date]
Timed = tuple[str, tuple[int, int]]
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
MONTHS = "january february march april may june july august september october november december".split()
ONES = "one two three four five six seven eight nine ten eleven twelve".split()
ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
MINUTES = {"ten": 10, "fifteen": 15, "twenty": 20, "thirty": 30, "forty five": 45}


def ordinal(day: int) -> str:
    """A day of the month as it is written: 1st, 22nd."""
    ending = "th" if 10 < day < 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{ending}"


def spoken(day: int) -> str:
    """A day of the month as it is said: twenty second."""
    if day <= 20:
        return ORDINALS[day - 1]
    if day == 30:
        return "thirtieth"
    return f"{'twenty' if day < 30 else 'thirty'} {ORDINALS[day % 10 - 1]}"


def coming(today: date, index: int) -> date:
    """The next such weekday after today."""
    return today + timedelta(days=(index - today.weekday() - 1) % 7 + 1)


def in_week(today: date, index: int, weeks: int) -> date:
    """A weekday of the week that lies so many weeks ahead."""
    return today - timedelta(days=today.weekday()) + timedelta(days=7 * weeks + index)


def coming_date(today: date, month: int | None, day: int) -> date:
    """The first such date from today on."""
    found = today
    while found.day != day or (month and found.month != month):
        found += timedelta(days=1)
    return found


def month_on(today: date, count: int) -> tuple[date, date]:
    """First and last day of the month that lies so many months ahead."""
    year, month = divmod(today.year * 12 + today.month - 1 + count, 12)
    return date(year, month + 1, 1), date(year, month + 1, monthrange(year, month + 1)[1])


def nth_weekday(first: date, last: date, index: int, nth: int) -> date:
    """The nth such weekday between two days, from the end when negative."""
    days = [first + timedelta(days=step) for step in range((last - first).days + 1)]
    return [day for day in days if day.weekday() == index][nth - 1 if nth > 0 else nth]


@st.composite
def weekdays(draw: st.DrawFn, today: date) -> Dated:
    """Days told by their weekday."""
    index = draw(st.integers(0, 6))
    name = draw(st.sampled_from([WEEKDAYS[index], WEEKDAYS[index].capitalize()]))
    next_one, this = coming(today, index), in_week(today, index, 0)
    forms = [
        (name, next_one),
        (f"on {name}", next_one),
        (f"this coming {name}", next_one),
        (f"this {name}", this if this >= today else next_one),
        (f"next {name}", in_week(today, index, 1)),
        (f"{name} next week", in_week(today, index, 1)),
        (f"{name} of next week", in_week(today, index, 1)),
        (f"{name} week", next_one + timedelta(days=7)),
        (f"a week from {name}", next_one + timedelta(days=7)),
        (f"two weeks from {name}", next_one + timedelta(days=14)),
        (f"the day after {name}", next_one + timedelta(days=1)),
        (f"3 days after {name}", next_one + timedelta(days=3)),
    ]
    return draw(st.sampled_from(forms))


@st.composite
def counted_days(draw: st.DrawFn, today: date) -> Dated:
    """Days told by how far away they are."""
    count = draw(st.integers(2, 12))
    said = draw(st.sampled_from([str(count), ONES[count - 1]]))
    forms = [
        ("today", today),
        ("tomorrow", today + timedelta(days=1)),
        ("the day after tomorrow", today + timedelta(days=2)),
        (f"in {said} days", today + timedelta(days=count)),
        (f"{said} days from now", today + timedelta(days=count)),
        (f"in {said} weeks", today + timedelta(days=7 * count)),
        (f"{said} weeks from today", today + timedelta(days=7 * count)),
        ("in a fortnight", today + timedelta(days=14)),
        ("a week from tomorrow", today + timedelta(days=8)),
        ("a week today", today + timedelta(days=7)),
    ]
    return draw(st.sampled_from(forms))


@st.composite
def dates(draw: st.DrawFn, today: date) -> Dated:
    """Days told by their place in the calendar."""
    month, day = draw(st.integers(1, 12)), draw(st.integers(1, 28))
    year = draw(st.integers(today.year, today.year + 5))
    name = draw(st.sampled_from([MONTHS[month - 1], MONTHS[month - 1].capitalize(), MONTHS[month - 1][:3]]))
    known, any_month = coming_date(today, month, day), coming_date(today, None, day)
    forms = [
        (f"{name} {day}", known),
        (f"{day} {name}", known),
        (f"{name} {ordinal(day)}", known),
        (f"the {ordinal(day)} of {name}", known),
        (f"{name} the {spoken(day)}", known),
        (f"the {spoken(day)} of {name}", known),
        (f"on the {ordinal(day)}", any_month),
        (f"on the {spoken(day)}", any_month),
        (f"{name} {day}, {year}", date(year, month, day)),
        (f"{day} {name} {year}", date(year, month, day)),
        (f"{year}-{month:02}-{day:02}", date(year, month, day)),
        (f"{day}.{month}.{year}", date(year, month, day)),
    ]
    return draw(st.sampled_from(forms))


@st.composite
def places_in_months(draw: st.DrawFn, today: date) -> Dated:
    """Days told by their place in a month that is named by its distance."""
    index, nth = draw(st.integers(0, 6)), draw(st.integers(1, 4))
    first, last = month_on(today, 1)
    forms = [
        ("the end of next month", last),
        ("the last day of next month", last),
        ("the beginning of next month", first),
        ("the middle of next month", first + timedelta(days=14)),
        (f"the {ORDINALS[nth - 1]} {WEEKDAYS[index]} of next month", nth_weekday(first, last, index, nth)),
        (f"the last {WEEKDAYS[index]} of next month", nth_weekday(first, last, index, -1)),
        (f"the {ordinal(nth)} of next month", first + timedelta(days=nth - 1)),
        ("the end of this month", month_on(today, 0)[1]),
    ]
    return draw(st.sampled_from(forms))


def days(today: date) -> SearchStrategy[Dated]:
    """Any way of naming one day."""
    return st.one_of(weekdays(today), counted_days(today), dates(today), places_in_months(today))


def bare(hour: int) -> int:
    """The hour that is meant when nobody says which half of the day."""
    return hour + 12 if hour < 7 else hour


@st.composite
def clocks(draw: st.DrawFn) -> Timed:
    """Clock times, said so that no "at" is needed."""
    hour, minute = draw(st.integers(1, 12)), draw(st.integers(0, 59))
    half = draw(st.sampled_from(["am", "pm"]))
    late = hour % 12 + (12 if half == "pm" else 0)
    before = (hour - 2) % 12 + 1
    word, words = ONES[hour - 1], draw(st.sampled_from(sorted(MINUTES)))
    military = draw(st.integers(13, 23))
    forms = [
        (f"{hour}{half}", (late, 0)),
        (f"{hour} {half[0]}.m.", (late, 0)),
        (f"{hour}:{minute:02} {half}", (late, minute)),
        (f"{military}:{minute:02}", (military, minute)),
        (f"{hour}.{minute:02}{half}", (late, minute)),
        (f"{word} {half}", (late, 0)),
        (f"{word} {words} {half}", (late, MINUTES[words])),
        (f"{word} o'clock", (bare(hour), 0)),
        (f"half past {word}", (bare(hour), 30)),
        (f"half past {hour}", (bare(hour), 30)),
        (f"quarter past {word}", (bare(hour), 15)),
        (f"a quarter to {word}", (bare(before), 45)),
        (f"twenty past {hour}", (bare(hour), 20)),
        ("noon", (12, 0)),
    ]
    return draw(st.sampled_from(forms))


@st.composite
def bare_clocks(draw: st.DrawFn) -> Timed:
    """Clock times that need an "at"."""
    hour, words = draw(st.integers(1, 12)), draw(st.sampled_from(sorted(MINUTES)))
    forms = [
        (f"at {hour}", (bare(hour), 0)),
        (f"at {ONES[hour - 1]}", (bare(hour), 0)),
        (f"around {hour}", (bare(hour), 0)),
        (f"at {ONES[hour - 1]} {words}", (bare(hour), MINUTES[words])),
        (f"at {hour} on the dot", (bare(hour), 0)),
    ]
    return draw(st.sampled_from(forms))


def at(day: date, clock: tuple[int, int]) -> datetime:
    """A wall time."""
    return datetime.combine(day, time(*clock))
