"""Days by name and number: "next friday", "the 3rd of may", "a week from sunday", "last friday of the month"."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.rules.units import of_year
from agents.time.values import CALENDAR_UNITS, ELAPSED, FEW_DAYS, Day, Dotted, Length, Month, Number, Unit, Weekday

RULES = Grammar()
MOST_IN_A_MONTH = 5

NEXT = (("this|current", 0), ("next|following", 1), ("coming|upcoming", 1), ("last|past|previous", -1))
WHICH = {0: "this", 1: "next", -1: "last"}

RULES.rule("the|?", "day after tomorrow")(lambda: Day("offset", (2, "day")))
RULES.rule("the|?", "day before yesterday")(lambda: Day("offset", (-2, "day")))
RULES.rule("the|?", "next", "business|working", "day")(lambda: Day("offset", (1, "workday")))
RULES.rule("the", "next|following", "day")(lambda: Day("offset", (1, "day")))
RULES.rule("on|?", "that day|that same day|the same day|that whole day|that entire day")(lambda: Day("anchor", (0,)))
RULES.rule("the day before", "that|?")(lambda: Day("anchor", (-1,)))
RULES.rule("the day after", "that|?")(lambda: Day("anchor", (1,)))


@RULES.rule(Length, "before|beforehand", "that|it|then|?", sign=-1)
@RULES.rule(Length, "after|afterwards", "that|it|then|?", sign=1)
def _from_anchor(length: Length, sign: int) -> Day | None:
    """Count "a week before" from the day talked about."""
    told = shift_day(length, Day("anchor", (0,)), sign)
    return told and Day("anchor", told.args[1:])


@RULES.rule(Weekday)
def _coming(weekday: Weekday) -> Day | None:
    return None if weekday.plural else Day("weekday", (weekday.index, "coming"), latent=weekday.weak)


@RULES.rule("the|?", "this", Weekday, which="this")
@RULES.rule("the|?", "next", Weekday, which="next")
@RULES.rule("the|?", "last|past|previous", Weekday, which="last")
@RULES.rule("the|?", "coming|upcoming", Weekday, which="coming")
def _relative_weekday(weekday: Weekday, which: str) -> Day | None:
    return Day("weekday", (weekday.index, which)) if not weekday.plural or which in ("this", "next") else None


RULES.rule("this", "coming|upcoming|next", Weekday)(lambda weekday: Day("weekday", (weekday.index, "coming")))


def _month(month: Month, which: str, *, latent: bool = False) -> Day:
    return Day("month", (month.index, which, None), "month", latent)


# Like "in the april", as learners say.
RULES.rule("in|during", "the", Month, which="this")(_month)
RULES.rule(Month, which="this", latent=True)(_month)
for words, count in NEXT:

    @RULES.rule("the|?", words, "calendar|?", Unit, words=words, count=count)
    def _unit(unit: Unit, words: str, count: int) -> Day | None:
        near = unit.grain == "weekend" and words == "coming|upcoming"
        return Day("unit", (count, unit.grain), unit.grain) if unit.grain in CALENDAR_UNITS and not near else None

    RULES.rule(words, Month, which=WHICH[count])(_month)
RULES.rule("the|this|?", "coming|upcoming", "weekend|wknd")(lambda: Day("coming_weekend", (), "weekend"))
RULES.rule("the", "weekend|wknd")(lambda: Day("unit", (0, "weekend"), "weekend"))


@RULES.rule(Number, Month, Number)
def _year_first(year: Number, month: Month, number: Number) -> Day | None:
    return Day("date", (year.whole, month.index, number.whole)) if year.year and number.whole else None


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
    fits = day.how == "monthday" and day.args[0] is not None and _may_be_year(number)
    return Day("date", (number.whole, *day.args)) if fits else None


@RULES.rule(Day, "'", Number)
def _with_short_year(day: Day, number: Number) -> Day | None:
    """Like "20th july '27"."""
    fits = day.how == "monthday" and day.args[0] is not None and number.form == "digits" and number.width == 2
    return Day("date", (number.whole, *day.args)) if fits else None


@RULES.rule(Month, ",|of|in|?", Number)
def _month_year(month: Month, number: Number) -> Day | None:
    fits = _may_be_year(number) and number.width == 4
    return Day("month", (month.index, "this", number.whole), "month") if fits else None


@RULES.rule(Month, "of|'", Number)
def _month_short_year(month: Month, number: Number) -> Day | None:
    fits = number.form == "digits" and number.width == 2 and not number.ordinal
    return Day("month", (month.index, "this", number.whole), "month") if fits else None


@RULES.rule("on|this|until|by|due|from|since|before|after", Dotted)
def _dotted_date(dotted: Dotted) -> Day | None:
    return None if dotted.clock and dotted.second > 12 else _by_dots(dotted)


@RULES.rule(Day, ",|the|?", Dotted)
def _weekday_dotted(day: Day, dotted: Dotted) -> Day | None:
    return _by_dots(dotted) if day.how == "weekday" and not dotted.clock else None


def _by_dots(dotted: Dotted) -> Day | None:
    fits = 1 <= dotted.first <= 31 and 1 <= dotted.second <= 31
    return Day("numeric", (dotted.first, dotted.second, None)) if fits else None


RULES.rule("in", "the|?", "year|?", Number)(lambda number: number.year)


@RULES.rule("the", Number)
def _the_number(number: Number) -> Day | None:
    """Like "the 24th" and, weaker, "the 24" (see search.py); a 32nd is read, and told to be none."""
    digits = number.form == "digits"
    last = FEW_DAYS if number.ordinal and digits else 31
    return _monthday(None, number, latent=True, last=last) if number.ordinal or digits else None


@RULES.rule(Number)
def _ordinal_alone(number: Number) -> Day | None:
    return _monthday(None, number, latent=True) if number.ordinal and number.form == "digits" else None


@RULES.rule("the|?", Number, "day|?", "of|in", Day)
def _day_of_that_month(number: Number, day: Day) -> Day | None:
    fits = day.grain == "month" and number.whole and number.width <= 2
    counted = number.ordinal or day.how in ("unit", "the_unit")
    return Day("nth_unit", (number.whole, "day", day.explicit)) if fits and counted else None


@RULES.rule("the", Number, "day", "of|in|?", Month)
def _nth_day_of_month(number: Number, month: Month) -> Day | None:
    return _monthday(month, number) if number.ordinal else None


def _monthday(month: Month | None, number: Number, *, latent: bool = False, last: int = 31) -> Day | None:
    whole = number.whole
    if whole is None or not 1 <= whole <= last or number.width > 2:
        return None
    return Day("monthday", (month.index if month else None, whole), latent=latent)


def _may_be_year(number: Number) -> bool:
    """Whether a number may be the year of a date: four digits, or two that no day has."""
    short = number.form == "digits" and number.width == 2 and number.value > 31
    return number.whole is not None and not number.ordinal and (number.width == 4 or short)


@RULES.rule(Length, "from|after", Day, sign=1)
@RULES.rule(Length, "before", Day, sign=-1)
def shift_day(length: Length, day: Day, sign: int) -> Day | None:
    """So many days, weeks, months or years after a day; before it with -1."""
    count, grain = length.parts[0]
    fits = len(length.parts) == 1 and grain not in (*ELAPSED, "weekend")
    return Day("shifted", (day.explicit, sign * count, grain)) if fits else None


@RULES.rule(Day, "+|plus", Length, sign=1)
@RULES.rule(Day, "minus", Length, sign=-1)
def _plus(day: Day, length: Length, sign: int) -> Day | None:
    return None if day.latent else shift_day(length, day, sign)


@RULES.rule(Day, "-", Length)
def _dash(day: Day, length: Length) -> Day | None:
    """Like "2026-12-24 -3 days"; behind other days a dash may begin anything."""
    return _plus(day, length, -1) if day.how == "date" else None


RULES.rule("the", "day", "after", Day)(lambda day: Day("shifted", (day, 1, "day")))
RULES.rule("the", "day", "before", Day)(lambda day: Day("shifted", (day, -1, "day")))


@RULES.rule(Day, "in", Length)
def _day_in_weeks(day: Day, length: Length) -> Day | None:
    return shift_day(length, day, 1) if day.how == "weekday" and length.parts[0][1] == "week" else None


RULES.rule(Month, ".")(lambda month: replace(month, short=False) if month.short else None)
RULES.rule(Weekday, ".")(lambda weekday: replace(weekday, short=False, weak=False) if weekday.short else None)


@RULES.rule("on", "the", Number, Weekday)
def _nth_of_the_month(number: Number, weekday: Weekday) -> Day | None:
    """Read "on the 3rd friday": that of this month, or of the next one where it has passed."""
    counts = 1 <= (number.rank or 0) <= MOST_IN_A_MONTH and not weekday.plural
    return Day("nth", (weekday.index, number.rank, Day("the_unit", ("month",), "month"))) if counts else None


@RULES.rule("the|?", Number, Weekday, "of|in", "the|?", Day)
def _nth_weekday(number: Number, weekday: Weekday, day: Day) -> Day | None:
    fits = number.rank and day.grain in ("month", "quarter", "year")
    return Day("nth", (weekday.index, number.rank, day.explicit)) if fits else None


RULES.rule("the|?", Number, Weekday, "of|in", Number)(of_year(_nth_weekday))
