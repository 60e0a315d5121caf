"""Recurrences: "every other friday at three", "on weekdays", "last friday of each month", "every 8 hours"."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from agents.understanding.time.chart import Grammar
from agents.understanding.time.values import (
    Day,
    Length,
    Month,
    Number,
    Repeat,
    Unit,
    Weekday,
)

RULES = Grammar()

Freq = Literal["HOURLY", "MINUTELY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"]
CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
FREQ: dict[str, tuple[Freq, int]] = {
    "minute": ("MINUTELY", 1),
    "hour": ("HOURLY", 1),
    "day": ("DAILY", 1),
    "week": ("WEEKLY", 1),
    "month": ("MONTHLY", 1),
    "quarter": ("MONTHLY", 3),
    "year": ("YEARLY", 1),
}
WORKDAYS, WEEKEND = CODES[:5], CODES[5:]
EVERY = "every|each"


@RULES.rule(EVERY, Unit)
def _every(unit: Unit) -> Repeat | None:
    return _unit(unit, 1)


@RULES.rule(EVERY, Number, Unit)
def _every_n(number: Number, unit: Unit) -> Repeat | None:
    return _unit(unit, number.whole or 0)


@RULES.rule(EVERY, "other|second", Unit)
def _every_other(unit: Unit) -> Repeat | None:
    return _unit(unit, 2)


@RULES.rule("once", "a|every|per", Unit)
def _once_a(unit: Unit) -> Repeat | None:
    return _unit(unit, 1)


RULES.rule("every", Length)(lambda length: _unit(Unit(length.parts[0][1]), int(length.parts[0][0])))
for words, freq, interval in (
    ("daily|everyday|nightly", "DAILY", 1),
    ("weekly", "WEEKLY", 1),
    ("biweekly|fortnightly", "WEEKLY", 2),
    ("monthly", "MONTHLY", 1),
    ("quarterly", "MONTHLY", 3),
    ("yearly|annually", "YEARLY", 1),
    ("hourly", "HOURLY", 1),
):
    RULES.rule(words)(lambda freq=freq, interval=interval: Repeat(freq, interval))


def _unit(unit: Unit, interval: int) -> Repeat | None:
    if unit.grain == "weekend":
        return Repeat("WEEKLY", interval, byday=WEEKEND) if interval else None
    if unit.grain not in FREQ or not 0 < interval < 1000:
        return None
    freq, times = FREQ[unit.grain]
    return Repeat(freq, interval * times)


RULES.rule("every|each|on", "weekday|weekdays|workday|workdays")(lambda: Repeat("WEEKLY", byday=WORKDAYS))
RULES.rule("weekdays|workdays")(lambda: Repeat("WEEKLY", byday=WORKDAYS))
RULES.rule("every", "business|working", "day")(lambda: Repeat("WEEKLY", byday=WORKDAYS))
RULES.rule("on|?", "weekends")(lambda: Repeat("WEEKLY", byday=WEEKEND))


@RULES.rule(EVERY, Weekday)
def _every_rule(weekday: Weekday) -> Repeat:
    return Repeat("WEEKLY", byday=(CODES[weekday.index],))


@RULES.rule(EVERY, Weekday, "-|to|through|thru|till|until", Weekday)
def _every_span(first: Weekday, last: Weekday) -> Repeat:
    days = [CODES[(first.index + step) % 7] for step in range((last.index - first.index) % 7 + 1)]
    return Repeat("WEEKLY", byday=tuple(sorted(days, key=CODES.index)))


@RULES.rule("on|?", Weekday)
def _plural(weekday: Weekday) -> Repeat | None:
    return Repeat("WEEKLY", byday=(CODES[weekday.index],)) if weekday.plural else None


@RULES.rule(EVERY, "other|second", Weekday)
def _every_other_rule(weekday: Weekday) -> Repeat:
    return Repeat("WEEKLY", 2, byday=(CODES[weekday.index],))


@RULES.rule(Repeat, ",|and|&|/|?", "every|?", Weekday)
def _and_day(repeat: Repeat, weekday: Weekday) -> Repeat | None:
    return _more_days(repeat, weekday)


@RULES.rule(Repeat, ",", "and", Weekday)
def _comma_and_day(repeat: Repeat, weekday: Weekday) -> Repeat | None:
    return _more_days(repeat, weekday)


@RULES.rule(Repeat, "on", "the|?", Weekday)
def _on_day(repeat: Repeat, weekday: Weekday) -> Repeat | None:
    fits = repeat.freq == "WEEKLY" and not repeat.byday
    return replace(repeat, byday=(CODES[weekday.index],)) if fits else None


@RULES.rule(Weekday, "and|&", Weekday)
def _plural_pair(first: Weekday, second: Weekday) -> Repeat | None:
    return _more_days(Repeat("WEEKLY", byday=(CODES[first.index],)), second) if first.plural else None


def _more_days(repeat: Repeat, weekday: Weekday) -> Repeat | None:
    code = CODES[weekday.index]
    plain = repeat.freq == "WEEKLY" and repeat.byday and repeat.time is None and repeat.until is None
    if not plain or code in repeat.byday or len(repeat.byday) > 6:
        return None
    return replace(repeat, byday=tuple(sorted((*repeat.byday, code), key=CODES.index)))


@RULES.rule("on|?", "the|?|every", Number, Weekday, "of", EVERY, "month")
def _nth_of_each(number: Number, weekday: Weekday) -> Repeat | None:
    return _nth(number.whole, weekday) if number.ordinal else None


@RULES.rule("on|?", "the|?|every", "last", Weekday, "of|in", f"{EVERY}|the", "month")
def _last_of_each(weekday: Weekday) -> Repeat | None:
    return _nth(-1, weekday)


@RULES.rule(EVERY, Number, Weekday, "of|in", "the", "month")
def _every_nth(number: Number, weekday: Weekday) -> Repeat | None:
    return _nth(number.whole, weekday) if number.ordinal else None


@RULES.rule(Repeat, "on", "the|?", Number, Weekday)
def _monthly_nth(repeat: Repeat, number: Number, weekday: Weekday) -> Repeat | None:
    fits = repeat.freq in ("MONTHLY", "YEARLY") and number.ordinal and not repeat.byday
    return replace(repeat, byday=(f"{number.whole}{CODES[weekday.index]}",)) if fits else None


@RULES.rule(Repeat, "on", "the|?", "last", Weekday)
def _monthly_last(repeat: Repeat, weekday: Weekday) -> Repeat | None:
    return replace(repeat, byday=(f"-1{CODES[weekday.index]}",)) if repeat.freq == "MONTHLY" else None


@RULES.rule(Repeat, "on", "the|?", Number)
def _monthly_day(repeat: Repeat, number: Number) -> Repeat | None:
    return _monthday(repeat, number) if repeat.freq == "MONTHLY" else None


@RULES.rule("on|every|?", "the|?", Number, "day|?", "of", Repeat)
def _day_of_months(number: Number, repeat: Repeat) -> Repeat | None:
    return _monthday(repeat, number) if number.ordinal and repeat.freq == "MONTHLY" else None


@RULES.rule("on|every|?", "the|?", Number, Weekday, "of|in", Repeat)
def _nth_of_months(number: Number, weekday: Weekday, repeat: Repeat) -> Repeat | None:
    fits = number.ordinal and repeat.freq == "MONTHLY" and not repeat.byday
    return replace(repeat, byday=(f"{number.whole}{CODES[weekday.index]}",)) if fits else None


@RULES.rule("on|every|?", "the|?", "last", Weekday, "of|in", Repeat)
def _last_of_months(weekday: Weekday, repeat: Repeat) -> Repeat | None:
    fits = repeat.freq == "MONTHLY" and not repeat.byday
    return replace(repeat, byday=(f"-1{CODES[weekday.index]}",)) if fits else None


@RULES.rule("on|every|?", "the|?", Number, "of", f"{EVERY}|the", "month")
def _day_of_each(number: Number) -> Repeat | None:
    return _monthday(Repeat("MONTHLY"), number) if number.ordinal else None


@RULES.rule("on|?", "the|?", "last", "day", "of", EVERY, "month")
def _last_day() -> Repeat:
    return Repeat("MONTHLY", bymonthday=(-1,))


def _nth(nth: int | None, weekday: Weekday) -> Repeat | None:
    return Repeat("MONTHLY", byday=(f"{nth}{CODES[weekday.index]}",)) if nth and -1 <= nth <= 5 else None


def _monthday(repeat: Repeat, number: Number) -> Repeat | None:
    whole = number.whole
    return replace(repeat, bymonthday=(whole,)) if whole and 1 <= whole <= 31 and not repeat.byday else None


@RULES.rule(EVERY, Day)
def _every_date(day: Day) -> Repeat | None:
    return _on_date(Repeat("YEARLY"), day)


@RULES.rule(Repeat, "on|?", Day)
def _year_on(repeat: Repeat, day: Day) -> Repeat | None:
    return _on_date(repeat, day) if repeat.freq == "YEARLY" and not repeat.bymonthday else None


@RULES.rule(Repeat, "in|of", Month)
def _in_month(repeat: Repeat, month: Month) -> Repeat | None:
    nth = (bool(repeat.byday) and repeat.byday[0][0].isdigit()) or (repeat.byday and repeat.byday[0][0] == "-")
    fits = repeat.freq in ("YEARLY", "MONTHLY") and nth and not repeat.bymonth
    return replace(repeat, freq="YEARLY", bymonth=(month.index,)) if fits else None


@RULES.rule(EVERY, Number, Weekday, "in|of", Month)
def _nth_in_month(number: Number, weekday: Weekday, month: Month) -> Repeat | None:
    nth = _nth(number.whole, weekday) if number.ordinal else None
    return replace(nth, freq="YEARLY", bymonth=(month.index,)) if nth else None


@RULES.rule(EVERY, Month)
def _every_month(month: Month) -> Repeat:
    return Repeat("YEARLY", bymonth=(month.index,))


def _on_date(repeat: Repeat, day: Day) -> Repeat | None:
    if day.how != "monthday" or day.args[0] is None:
        return None
    return replace(repeat, bymonth=(day.args[0],), bymonthday=(day.args[1],))  # type: ignore[arg-type]
