"""Days by name and number: "next friday", "the 3rd of may", "a week from sunday", "last friday of the month"."""

from __future__ import annotations

from dataclasses import replace

from agents.understanding.time.chart import Grammar
from agents.understanding.time.values import Day, Length, Month, Number, Unit, Weekday

RULES = Grammar()

NEXT = {"this": 0, "next": 1, "last": -1, "coming": 1, "past": -1, "previous": -1, "following": 1, "current": 0}
CALENDAR_UNITS = ("week", "weekend", "month", "quarter", "year")


RULES.rule("the|?", "day", "after", "tomorrow")(lambda: Day("offset", (2, "day")))
RULES.rule("the|?", "day", "before", "yesterday")(lambda: Day("offset", (-2, "day")))
RULES.rule("next", "business|working", "day")(lambda: Day("offset", (1, "workday")))
RULES.rule("the", "next", "business|working", "day")(lambda: Day("offset", (1, "workday")))
RULES.rule("the", "next|following", "day")(lambda: Day("offset", (1, "day")))
RULES.rule("on|?", "that", "same|?", "day")(lambda: Day("anchor", (0,)))
RULES.rule("on|?", "the", "same", "day")(lambda: Day("anchor", (0,)))
RULES.rule("the", "day|evening|night", "before")(lambda: Day("anchor", (-1,)))
RULES.rule("the", "day", "after")(lambda: Day("anchor", (1,)))


@RULES.rule(Weekday)
def _coming(weekday: Weekday) -> Day | None:
    return None if weekday.plural else Day("weekday", (weekday.index, "coming"), latent=weekday.weak)


for word, which in (("this", "this"), ("next", "next"), ("last|past|previous", "last"), ("coming", "coming")):

    def _named(weekday: Weekday, which: str = which) -> Day | None:
        return None if weekday.plural else Day("weekday", (weekday.index, which))

    RULES.rule("the|?", word, Weekday)(_named)
RULES.rule("this", "coming", Weekday)(lambda weekday: Day("weekday", (weekday.index, "coming")))


@RULES.rule(Number, Weekday, "from", "now|today")
def _weekdays_from_now(number: Number, weekday: Weekday) -> Day | None:
    base = Day("weekday", (weekday.index, "coming"))
    return Day("shifted", (base, number.value - 1, "week")) if number.whole and not number.ordinal else None


@RULES.rule("the|?", Number, Weekday, "in|of", "the", "month")
def _nth_of_this_month(number: Number, weekday: Weekday) -> Day | None:
    base = Day("unit", (0, "month"), "month")
    return Day("nth", (weekday.index, number.whole, base)) if number.ordinal and number.whole else None


@RULES.rule(Weekday, "week|wk")
def _week_later(weekday: Weekday) -> Day:
    return Day("shifted", (Day("weekday", (weekday.index, "coming")), 1, "week"))


for word, weeks in NEXT.items():

    def _in_week(weekday: Weekday, weeks: int = weeks) -> Day:
        return Day("in_week", (weekday.index, weeks))

    RULES.rule(Weekday, "of|in|?", "the|?", word, "week|wk")(_in_week)
    RULES.rule(word, "week|wk", "on|?", Weekday)(_in_week)


@RULES.rule(Weekday, ",|.|?", "the|?", Day)
def _weekday_and_date(weekday: Weekday, day: Day) -> Day | None:
    fits = day.how in ("monthday", "date", "numeric", "offset") and not weekday.plural
    return Day("both", (weekday.index, replace(day, latent=False))) if fits else None


@RULES.rule(Day, ",|?", Weekday)
def _date_and_weekday(day: Day, weekday: Weekday) -> Day | None:
    fits = day.how in ("monthday", "date", "numeric", "offset") and not day.latent and not weekday.plural
    return day if fits else None


for word, count in NEXT.items():

    def _unit(unit: Unit, count: int = count) -> Day | None:
        return Day("unit", (count, unit.grain), unit.grain) if unit.grain in CALENDAR_UNITS else None

    def _month(month: Month, count: int = count) -> Day:
        which = {0: "this", 1: "next", -1: "last"}[count]
        return Day("month", (month.index, which, None), "month")

    RULES.rule("the|?", word, Unit)(_unit)
    RULES.rule(word, Month)(_month)
RULES.rule("the", "weekend|wknd")(lambda: Day("unit", (0, "weekend"), "weekend"))


@RULES.rule(Number, Month, Number)
def _year_first(year: Number, month: Month, number: Number) -> Day | None:
    whole = number.whole
    return Day("date", (year.whole, month.index, whole)) if _year(year) and year.width == 4 and whole else None


@RULES.rule("the|?", Number, "of|?", Month)
def _day_month(number: Number, month: Month) -> Day | None:
    return _monthday(month, number)


@RULES.rule(Month, ".|?", "the|?", Number)
def _month_day(month: Month, number: Number) -> Day | None:
    return _monthday(month, number)


@RULES.rule(Day, ",|.|?", Number)
def _with_year(day: Day, number: Number) -> Day | None:
    if day.how != "monthday" or day.args[0] is None or not _year(number):
        return None
    return Day("date", (number.whole, *day.args))


@RULES.rule(Month, ",|of|?", Number)
def _month_year(month: Month, number: Number) -> Day | None:
    return Day("month", (month.index, "this", number.whole), "month") if _year(number) and number.width == 4 else None


@RULES.rule("in", "the|?", "year|?", Number)
def _in_year(number: Number) -> Day | None:
    return Day("year", (number.whole,), "year") if _year(number) and number.width == 4 else None


@RULES.rule(Month)
def _month_alone(month: Month) -> Day:
    return Day("month", (month.index, "this", None), "month", latent=True)


@RULES.rule("the", Number)
def _day_of_month(number: Number) -> Day | None:
    return _monthday(None, number, latent=True) if number.ordinal else None


@RULES.rule(Number)
def _ordinal_alone(number: Number) -> Day | None:
    return _monthday(None, number, latent=True) if number.ordinal and number.form == "digits" else None


@RULES.rule("the|?", Number, "of", Day)
def _day_of_that_month(number: Number, day: Day) -> Day | None:
    fits = day.grain == "month" and number.ordinal and number.whole
    return Day("shifted", (day, number.whole - 1, "day")) if fits else None  # type: ignore[operator]


def _monthday(month: Month | None, number: Number, *, latent: bool = False) -> Day | None:
    whole = number.whole
    if whole is None or not 1 <= whole <= 31 or number.width > 2:
        return None
    return Day("monthday", (month.index if month else None, whole), latent=latent)


def _year(number: Number) -> bool:
    return number.form == "digits" and number.whole is not None and (number.width == 4 or number.value > 31)


fixed = (
    (("christmas|xmas", "day|?"), (12, 25)),
    (("christmas|xmas", "eve"), (12, 24)),
    (("boxing", "day"), (12, 26)),
    (("new", "year's|years", "eve"), (12, 31)),
    (("nye",), (12, 31)),
    (("new", "year's|years", "day|?"), (1, 1)),
    (("valentine's|valentines|valentine", "day"), (2, 14)),
    (("halloween",), (10, 31)),
    (("independence", "day"), (7, 4)),
    (("st|saint", ".|?", "patrick's|patricks", "day"), (3, 17)),
)
for words, date in fixed:
    RULES.rule(*words)(lambda date=date: Day("monthday", date))
for words, shift in ((("easter", "sunday|?"), 0), (("good", "friday"), -2), (("easter", "monday"), 1)):
    RULES.rule(*words)(lambda shift=shift: Day("easter", (shift,)))
RULES.rule("thanksgiving", "day|?")(lambda: Day("thanksgiving", (0,)))
RULES.rule("black", "friday")(lambda: Day("thanksgiving", (1,)))


@RULES.rule(Length, "from|after", Day)
def _after_day(length: Length, day: Day) -> Day | None:
    return _shift(day, length, 1)


@RULES.rule(Length, "before", Day)
def _before_day(length: Length, day: Day) -> Day | None:
    return _shift(day, length, -1)


@RULES.rule("the", "day", "after", Day)
def _the_day_after(day: Day) -> Day:
    return Day("shifted", (day, 1, "day"))


@RULES.rule("the", "day", "before", Day)
def _the_day_before(day: Day) -> Day:
    return Day("shifted", (day, -1, "day"))


@RULES.rule(Day, "in", Length)
def _day_in_weeks(day: Day, length: Length) -> Day | None:
    return _shift(day, length, 1) if day.how == "weekday" and length.parts[0][1] == "week" else None


def _shift(day: Day, length: Length, sign: int) -> Day | None:
    if len(length.parts) != 1 or length.parts[0][1] in ("hour", "minute", "second", "weekend"):
        return None
    count, grain = length.parts[0]
    return Day("shifted", (replace(day, latent=False), sign * count, grain))


for stretch, edge in (("end|close", "end"), ("beginning|start", "start"), ("middle|mid", "middle")):

    def _of_stretch(day: Day, edge: str = edge) -> Day | None:
        return _edge(day, edge)

    def _of_unit(unit: Unit, edge: str = edge) -> Day | None:
        return _edge(Day("unit", (0, unit.grain), unit.grain), edge) if unit.grain in CALENDAR_UNITS else None

    RULES.rule("the|?", stretch, "of", Day)(_of_stretch)
    RULES.rule("the|?", stretch, "of", "the|?", Unit)(_of_unit)
    RULES.rule("mid", "-|?", Day)(lambda day: _edge(day, "middle"))
RULES.rule("eom")(lambda: _edge(Day("unit", (0, "month"), "month"), "end"))
RULES.rule("eow")(lambda: Day("weekday", (4, "this")))
RULES.rule("eoy")(lambda: _edge(Day("unit", (0, "year"), "year"), "end"))


@RULES.rule("the|?", Number, Weekday, "of|in", "the|?", Day)
def _nth_weekday(number: Number, weekday: Weekday, day: Day) -> Day | None:
    fits = number.ordinal and number.whole and day.grain == "month"
    return Day("nth", (weekday.index, number.whole, replace(day, latent=False))) if fits else None


@RULES.rule("the|?", "last", Weekday, "of|in", Day)
def _last_weekday(weekday: Weekday, day: Day) -> Day | None:
    return Day("nth", (weekday.index, -1, replace(day, latent=False))) if day.grain == "month" else None


@RULES.rule("the|?", "last", Weekday, "of|in", "the", "month")
def _last_of_this(weekday: Weekday) -> Day:
    return Day("nth", (weekday.index, -1, Day("unit", (0, "month"), "month")))


@RULES.rule("the|?", "last", "day", "of", "the|?", Unit)
def _last_day(unit: Unit) -> Day | None:
    return _edge(Day("unit", (0, unit.grain), unit.grain), "end") if unit.grain in CALENDAR_UNITS else None


@RULES.rule("the|?", "last", "day", "of", Day)
def _last_day_of(day: Day) -> Day | None:
    return _edge(day, "end")


def _edge(day: Day, edge: str) -> Day | None:
    if day.grain in ("day", "weekend"):
        return day if edge == "end" and day.grain == "day" else None
    base = replace(day, latent=False)
    if edge == "end" and day.grain == "week":
        return Day("shifted", (base, 4, "day"))
    return Day("middle", (base,)) if edge == "middle" else Day("edge", (base, edge))
