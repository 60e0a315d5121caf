"""Days by name and number: "next friday", "the 3rd of may", "a week from sunday", "last friday of the month"."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.values import FEW_DAYS, Day, Dotted, Length, Month, Number, Unit, Weekday

RULES = Grammar()
MOST_IN_A_MONTH = 5

NEXT = {
    "this": 0,
    "current": 0,
    "next": 1,
    "coming": 1,
    "following": 1,
    "upcoming": 1,
    "last": -1,
    "past": -1,
    "previous": -1,
}
CALENDAR_UNITS = ("week", "weekend", "month", "quarter", "year")


RULES.rule("the|?", "day", "after", "tomorrow")(lambda: Day("offset", (2, "day")))
RULES.rule("the|?", "day", "before", "yesterday")(lambda: Day("offset", (-2, "day")))
RULES.rule("next", "business|working", "day")(lambda: Day("offset", (1, "workday")))
RULES.rule("the", "next", "business|working", "day")(lambda: Day("offset", (1, "workday")))
RULES.rule("the", "next|following", "day")(lambda: Day("offset", (1, "day")))
RULES.rule("on|?", "that", "same|?", "day")(lambda: Day("anchor", (0,)))
RULES.rule("on|?", "the", "same", "day")(lambda: Day("anchor", (0,)))
RULES.rule("the", "day", "before", "that")(lambda: Day("anchor", (-1,)))
RULES.rule("the", "day", "after", "that")(lambda: Day("anchor", (1,)))
RULES.rule("the", "day", "before")(lambda: Day("anchor", (-1,)))
RULES.rule("the", "day", "after")(lambda: Day("anchor", (1,)))
for way, sign in (("before|beforehand", -1), ("after|afterwards", 1)):

    def _from_anchor(length: Length, sign: int = sign) -> Day | None:
        """Count "a week before" from the day talked about."""
        told = _shift(Day("anchor", (0,)), length, sign)
        return told and Day("anchor", told.args[1:])

    RULES.rule(Length, way, "that|it|then|?")(_from_anchor)


@RULES.rule(Weekday)
def _coming(weekday: Weekday) -> Day | None:
    return None if weekday.plural else Day("weekday", (weekday.index, "coming"), latent=weekday.weak)


for word, which in (("this", "this"), ("next", "next"), ("last|past|previous", "last"), ("coming|upcoming", "coming")):

    def _relative_weekday(weekday: Weekday, which: str = which) -> Day | None:
        return None if weekday.plural else Day("weekday", (weekday.index, which))

    RULES.rule("the|?", word, Weekday)(_relative_weekday)
RULES.rule("this", "coming|upcoming|next", Weekday)(lambda weekday: Day("weekday", (weekday.index, "coming")))


for word, count in NEXT.items():

    def _unit(unit: Unit, count: int = count, word: str = word) -> Day | None:
        near = unit.grain == "weekend" and word in ("coming", "upcoming")
        return Day("unit", (count, unit.grain), unit.grain) if unit.grain in CALENDAR_UNITS and not near else None

    def _month(month: Month, count: int = count) -> Day:
        which = {0: "this", 1: "next", -1: "last"}[count]
        return Day("month", (month.index, which, None), "month")

    RULES.rule("the|?", word, "calendar|?", Unit)(_unit)
    RULES.rule(word, Month)(_month)
RULES.rule("the|this|?", "coming|upcoming", "weekend|wknd")(lambda: Day("coming_weekend", (), "weekend"))
RULES.rule("the", "weekend|wknd")(lambda: Day("unit", (0, "weekend"), "weekend"))


@RULES.rule(Number, Month, Number)
def _year_first(year: Number, month: Month, number: Number) -> Day | None:
    whole = number.whole
    return Day("date", (year.whole, month.index, whole)) if is_year(year) and year.width == 4 and whole else None


@RULES.rule("the|?", Number, "of", Month)
def _day_of_month_named(number: Number, month: Month) -> Day | None:
    """Keep a day that no month has as it was said, to be told."""
    return _monthday(month, number, last=99 if number.form == "digits" and not month.weak else 31)


@RULES.rule("the|?", Number, Month)
def _day_month(number: Number, month: Month) -> Day | None:
    counted = number.form == "words" and not number.ordinal
    return None if month.weak and counted else _day_of_month_named(number, month)


@RULES.rule(Month, "the|?", Number)
def _month_day(month: Month, number: Number) -> Day | None:
    return _monthday(month, number)


@RULES.rule(Day, "of|in|,|?", Number)
def _with_year(day: Day, number: Number) -> Day | None:
    if day.how != "monthday" or day.args[0] is None or not is_year(number):
        return None
    return Day("date", (number.whole, *day.args))


@RULES.rule(Day, "'", Number)
def _with_short_year(day: Day, number: Number) -> Day | None:
    """Like "20th july '27"."""
    fits = day.how == "monthday" and day.args[0] is not None and number.form == "digits" and number.width == 2
    return Day("date", (number.whole, *day.args)) if fits else None


@RULES.rule(Month, ",|of|in|?", Number)
def _month_year(month: Month, number: Number) -> Day | None:
    return Day("month", (month.index, "this", number.whole), "month") if is_year(number) and number.width == 4 else None


@RULES.rule(Month, "of|'", Number)
def _month_short_year(month: Month, number: Number) -> Day | None:
    fits = number.form == "digits" and number.width == 2 and not number.ordinal
    return Day("month", (month.index, "this", number.whole), "month") if fits else None


@RULES.rule("on|this|until|by|due|from|since|before|after", Dotted)
def _dotted_date(dotted: Dotted) -> Day | None:
    return None if dotted.clock and dotted.second > 12 else _by_dots(dotted)


RULES.rule(Day, Dotted)(lambda day, dotted: _by_dots(dotted) if day.how == "weekday" and not dotted.clock else None)


@RULES.rule(Weekday, ",|the|?", Dotted)
def _weekday_dotted(weekday: Weekday, dotted: Dotted) -> Day | None:
    return None if dotted.clock or weekday.plural else _by_dots(dotted)


def _by_dots(dotted: Dotted) -> Day | None:
    fits = 1 <= dotted.first <= 31 and 1 <= dotted.second <= 31
    return Day("numeric", (dotted.first, dotted.second, None)) if fits else None


@RULES.rule("in", "the|?", "year|?", Number)
def _in_year(number: Number) -> Day | None:
    return Day("year", (number.whole,), "year") if is_year(number) and number.width == 4 else None


@RULES.rule("in|during", "the", Month)
def _the_month(month: Month) -> Day:
    """Like "in the april", as learners say."""
    return Day("month", (month.index, "this", None), "month")


RULES.rule(Month)(lambda month: Day("month", (month.index, "this", None), "month", latent=True))


@RULES.rule("the", Number)
def _the_ordinal(number: Number) -> Day | None:
    """Like "the 24th"; a 32nd is read, and told to be none."""
    last = FEW_DAYS if number.form == "digits" else 31
    return _monthday(None, number, latent=True, last=last) if number.ordinal else None


@RULES.rule(Number)
def _ordinal_alone(number: Number) -> Day | None:
    return _monthday(None, number, latent=True) if number.ordinal and number.form == "digits" else None


@RULES.rule("the|?", Number, "day|?", "of|in", Day)
def _day_of_that_month(number: Number, day: Day) -> Day | None:
    fits = (
        day.grain == "month"
        and number.whole
        and (number.ordinal or day.how in ("unit", "the_unit"))
        and number.width <= 2
    )
    return Day("nth_unit", (number.whole, "day", replace(day, latent=False))) if fits else None


@RULES.rule("the", Number, "day", "of|in|?", Month)
def _nth_day_of_month(number: Number, month: Month) -> Day | None:
    return _monthday(month, number) if number.ordinal else None


@RULES.rule("the", Number)
def _the_digits(number: Number) -> Day | None:
    """Like "the 24": weaker than "the 24th", see search.py."""
    return _monthday(None, number, latent=True) if number.form == "digits" and not number.ordinal else None


def _monthday(month: Month | None, number: Number, *, latent: bool = False, last: int = 31) -> Day | None:
    whole = number.whole
    if whole is None or not 1 <= whole <= last or number.width > 2:
        return None
    return Day("monthday", (month.index if month else None, whole), latent=latent)


def is_year(number: Number) -> bool:
    """Whether a number may be the year of a date: four digits, or two that no day has."""
    short = number.form == "digits" and number.width == 2 and number.value > 31
    return number.whole is not None and not number.ordinal and (number.width == 4 or short)


@RULES.rule(Length, "from|after", Day)
def after_day(length: Length, day: Day) -> Day | None:
    """So many days, weeks, months or years after a day."""
    return _shift(day, length, 1)


RULES.rule(Day, "+|plus", Length)(lambda day, length: None if day.latent else after_day(length, day))


@RULES.rule(Day, "minus", Length)
def _minus(day: Day, length: Length) -> Day | None:
    return None if day.latent else _before_day(length, day)


@RULES.rule(Day, "-", Length)
def _dash(day: Day, length: Length) -> Day | None:
    """Like "2026-12-24 -3 days"; behind other days a dash may begin anything."""
    return _minus(day, length) if day.how == "date" else None


@RULES.rule(Length, "before", Day)
def _before_day(length: Length, day: Day) -> Day | None:
    return _shift(day, length, -1)


RULES.rule("the", "day", "after", Day)(lambda day: Day("shifted", (day, 1, "day")))
RULES.rule("the", "day", "before", Day)(lambda day: Day("shifted", (day, -1, "day")))


@RULES.rule(Day, "in", Length)
def _day_in_weeks(day: Day, length: Length) -> Day | None:
    return _shift(day, length, 1) if day.how == "weekday" and length.parts[0][1] == "week" else None


def _shift(day: Day, length: Length, sign: int) -> Day | None:
    if len(length.parts) != 1 or length.parts[0][1] in ("hour", "minute", "second", "weekend"):
        return None
    count, grain = length.parts[0]
    return Day("shifted", (replace(day, latent=False), sign * count, grain))


RULES.rule(Month, ".")(lambda month: replace(month, short=False) if month.short else None)
RULES.rule(Weekday, ".")(lambda weekday: replace(weekday, short=False, weak=False) if weekday.short else None)


@RULES.rule("on", "the", Number, Weekday)
def _nth_of_the_month(number: Number, weekday: Weekday) -> Day | None:
    """Read "on the 3rd friday": that of this month, or of the next one where it has passed."""
    counts = number.ordinal and number.whole and 1 <= number.value <= MOST_IN_A_MONTH and not weekday.plural
    return Day("nth", (weekday.index, number.whole, Day("the_unit", ("month",), "month"))) if counts else None


@RULES.rule("the|?", Number, Weekday, "of|in", "the|?", Day)
def _nth_weekday(number: Number, weekday: Weekday, day: Day) -> Day | None:
    fits = number.ordinal and number.whole and day.grain in ("month", "quarter", "year")
    return Day("nth", (weekday.index, number.whole, replace(day, latent=False))) if fits else None
