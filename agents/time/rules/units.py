"""Units inside a stretch: "second week of june", "last 3 days of the month", "q3 2027", "week 12", "this summer"."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.rules.ranges import coming_units
from agents.time.values import Day, Grain, Moment, Number, Range, Unit, Weekday

RULES = Grammar()
SIZES: tuple[Grain, ...] = ("day", "weekend", "week", "month", "quarter", "year")
CALENDAR_UNITS = SIZES[1:]
WEEKEND = (5, 6)
LAST_RANK = Number(-1, ordinal=True)

RULES.rule("last|final")(lambda: LAST_RANK)
RULES.rule("penultimate")(lambda: Number(-2, ordinal=True))
RULES.rule("last", "but", "one")(lambda: Number(-2, ordinal=True))


@RULES.rule(Number, "-|?", "to|from", "-|?", "the|?", "last")
@RULES.rule(Number, "-|?", "last")
def _from_end(number: Number) -> Number | None:
    return Number(-number.value, ordinal=True) if number.ordinal and number.value > 1 else None


@RULES.rule("the", Unit)
def _the_unit(unit: Unit) -> Day | None:
    """The current one, when a neighbour needs it: "of the month"."""
    return Day("the_unit", (unit.grain,), unit.grain, latent=True) if unit.grain in CALENDAR_UNITS else None


@RULES.rule("the|?", Number, Unit, "of|in", Day)
def _nth_of(number: Number, unit: Unit, day: Day) -> Day | None:
    fits = number.ordinal and number.whole and _smaller(unit.grain, day)
    return Day("nth_unit", (number.whole, unit.grain, _sure(day)), unit.grain) if fits else None


@RULES.rule("the|?", Number, Unit, Day)
def _nth_before(number: Number, unit: Unit, day: Day) -> Day | None:
    return _nth_of(number, unit, day) if number.value > 0 else None


@RULES.rule("the|?", Number, "weekday|workday", "of|in", Day)
@RULES.rule("the|?", Number, "business|working|work", "day", "of|in", Day)
def _nth_workday(number: Number, day: Day) -> Day | None:
    fits = number.ordinal and number.whole and day.grain in ("month", "quarter", "year")
    return Day("nth_unit", (number.whole, "workday", _sure(day))) if fits else None


@RULES.rule("the|?", Number, Unit, "of|in|?", Number)
def _nth_of_year(number: Number, unit: Unit, year: Number) -> Day | None:
    return _nth_of(number, unit, whole_year(year)) if is_year(year) else None


@RULES.rule("the|?", Number, Number, Unit, "of|in", Day)
def _first_few_of(which: Number, count: Number, unit: Unit, day: Day) -> Day | None:
    """The first two weeks of a stretch, the last 3 days of it."""
    fits = which.ordinal and which.value in (1, -1) and count.whole and not count.ordinal and _smaller(unit.grain, day)
    if not fits:
        return None
    return Day("some_units", (which.whole, count.whole, unit.grain, _sure(day)), unit.grain)


@RULES.rule("the|?", Number, Number, Unit, "of|in", Number)
def _first_few_of_year(which: Number, count: Number, unit: Unit, year: Number) -> Day | None:
    return _first_few_of(which, count, unit, whole_year(year)) if is_year(year) else None


def _smaller(grain: Grain, day: Day) -> bool:
    return grain in SIZES and day.grain in SIZES and SIZES.index(grain) < SIZES.index(day.grain)


def _sure(day: Day) -> Day:
    return replace(day, latent=False)


def is_year(number: Number) -> bool:
    """Whether a number is written as a year is."""
    return number.width == 4 and not number.ordinal and 1900 <= number.value <= 2199


def whole_year(number: Number) -> Day:
    """The year of that number."""
    return Day("year", (number.whole,), "year")


@RULES.rule("the|?", Number, Weekday, "after|following|from", Day)
def _nth_after(number: Number, weekday: Weekday, day: Day) -> Day | None:
    fits = number.ordinal and number.value > 0 and day.grain == "day"
    return Day("nth_after", (weekday.index, number.whole, _sure(day))) if fits else None


@RULES.rule("the", Weekday, "after|following", Day)
def _weekday_after(weekday: Weekday, day: Day) -> Day | None:
    return Day("nth_after", (weekday.index, 1, _sure(day))) if day.grain == "day" else None


@RULES.rule(Day, ",|?", "on|?", Weekday)
def _weekday_of_week(day: Day, weekday: Weekday) -> Day | None:
    held = day.grain == "week" or (day.grain == "weekend" and weekday.index in WEEKEND)
    fits = held and day.how in ("nth_unit", "week_of", "iso_week", "unit", "beside")
    return Day("nth", (weekday.index, 1, _sure(day))) if fits else None


RULES.rule(Weekday, "of|in|?", "the|?", Day)(lambda weekday, day: _weekday_of_week(day, weekday))


@RULES.rule("the|?", Number, Unit)
def _ordinal_quarter(number: Number, unit: Unit) -> Day | None:
    return _quarter(number) if unit.grain == "quarter" and number.ordinal else None


@RULES.rule("q", Number)
def _q(number: Number) -> Day | None:
    """Like "q3" may be a part of a name, so a neighbour must support it."""
    quarter = _quarter(number) if number.form == "digits" and number.width == 1 else None
    return quarter and replace(quarter, latent=True)


def _quarter(number: Number) -> Day | None:
    return Day("quarter", (number.whole, None), "quarter") if 1 <= number.value <= 4 else None


@RULES.rule(Day, "of|in|,|-|/|'|?", Number)
def _quarter_year(day: Day, number: Number) -> Day | None:
    return _with_year(day, whole_year(number)) if is_year(number) else None


@RULES.rule(Day, "'", Number)
def _quarter_short_year(day: Day, number: Number) -> Day | None:
    """Like "q3 '27"."""
    short = number.form == "digits" and number.width == 2 and day.how == "quarter"
    return _with_year(day, Day("year", (2000 + int(number.value),), "year")) if short else None


@RULES.rule(Number, "'s|-|?", Day)
def _year_quarter(number: Number, day: Day) -> Day | None:
    return _with_year(day, whole_year(number)) if is_year(number) else None


RULES.rule(Day, "of|in|?", Day)(lambda day, year: _with_year(day, _sure(year)) if year.grain == "year" else None)


@RULES.rule(Day, Day)
def _years_quarter(year: Day, day: Day) -> Day | None:
    """Like "next year's first quarter"."""
    return _with_year(day, _sure(year)) if year.grain == "year" else None


def _with_year(day: Day, year: Day) -> Day | None:
    """A quarter, week or season of the year named."""
    if day.how == "season":
        return Day("within", (_sure(day), year), "quarter") if day.args[1] == "coming" else None
    if day.how not in ("quarter", "iso_week") or day.args[1] is not None:
        return None
    return Day(day.how, (day.args[0], year), day.grain)


@RULES.rule("week|wk", "#|number|no|?", Number)
def _week_number(number: Number) -> Day | None:
    fits = number.form == "digits" and number.whole and number.width <= 2 and not number.ordinal
    return Day("iso_week", (number.whole, None), "week", latent=True) if fits else None


@RULES.rule("cw", Number)
@RULES.rule("calendar|iso", "week|wk", Number)
def _calendar_week(number: Number) -> Day | None:
    week = _week_number(number)
    return week and _sure(week)


RULES.rule("the", Day)(lambda day: _sure(day) if day.how == "iso_week" else None)


@RULES.rule("the|?", "week", "of|beginning|starting|commencing|containing", "on|?", "the|?", Day)
def _week_of(day: Day) -> Day | None:
    return Day("week_of", (_sure(day),), "week") if day.grain == "day" else None


RULES.rule("the|?", "week", "ending", "on|?", "the|?", Day)(_week_of)
RULES.rule("w", "/", "c|b|e", "the|?", Day)(_week_of)


@RULES.rule("the|?", "weekend", "of", "the|?", Day)
def _weekend_of(day: Day) -> Day | None:
    week = _week_of(day)
    return week and Day("nth_unit", (1, "weekend", week), "weekend")


@RULES.rule(Day, Unit)
def _feast_week(day: Day, unit: Unit) -> Day | None:
    """Like "christmas week", "easter weekend"."""
    if day.how != "feast":
        return None
    return _week_of(day) if unit.grain == "week" else _weekend_of(day) if unit.grain == "weekend" else None


for which in ("this", "next", "last", "coming"):
    for season in ("spring", "summer", "autumn|fall", "winter"):
        found = Day("season", (season.split("|")[0], which), "quarter")
        RULES.rule(which, season)(lambda found=found: found)
        if which == "coming":
            RULES.rule(season.replace("|fall", ""))(lambda found=found: replace(found, latent=True))
            RULES.rule("the", season)(lambda found=found: replace(found, latent=True))
            RULES.rule("in|during|by|until|before|after", "fall")(lambda found=found: replace(found, latent=True))


RULES.rule("fall", "of|?", Number)(lambda year: _quarter_year(Day("season", ("autumn", "coming"), "quarter"), year))


@RULES.rule("the|?", "rest|remainder", "of", "the|?", Day)
def _rest_of(day: Day) -> Day | None:
    return Day("rest", (_sure(day),), "week") if day.grain in CALENDAR_UNITS else None


@RULES.rule("the|?", "rest|remainder", "of", Number)
def _rest_of_year(year: Number) -> Day | None:
    return _rest_of(whole_year(year)) if is_year(year) else None


@RULES.rule("the|?", Number, "half", "of|in", "the|?", Day)
def _nth_half(number: Number, day: Day) -> Day | None:
    """Like "1st half of next year"."""
    fits = number.ordinal and number.value in (1, 2) and day.grain in CALENDAR_UNITS
    return Day("half", (_sure(day), int(number.value) - 1), "week") if fits else None


@RULES.rule("the|?", Number, "half", "of|in|?", Number)
def _nth_half_of_year(number: Number, year: Number) -> Day | None:
    return _nth_half(number, whole_year(year)) if is_year(year) else None


for said, side in (("latter|last", 1), ("former|early", 0)):

    def _half_of(day: Day, side: int = side) -> Day | None:
        return Day("half", (_sure(day), side), "week") if day.grain in CALENDAR_UNITS else None

    def _half_of_year(year: Number, side: int = side) -> Day | None:
        return _half_of(whole_year(year), side) if is_year(year) else None

    RULES.rule("the|?", said, "half", "of|in", "the|?", Day)(_half_of)
    RULES.rule("the|?", said, "half", "of|in|?", Number)(_half_of_year)


for said, side in (("1", 0), ("2", 1)):
    RULES.rule("h", said, "of|in|?", Number)(
        lambda year, side=side: Day("half", (whole_year(year), side), "week") if is_year(year) else None
    )


RULES.rule("later", "in|?", Day)(_rest_of)


@RULES.rule("all", Unit)
@RULES.rule("the", "whole|entire", Unit)
def _all_unit(unit: Unit) -> Moment | None:
    return Moment(Day("unit", (0, unit.grain), unit.grain)) if unit.grain in ("week", "weekend", "month") else None


@RULES.rule("the|?", Number, "next|coming|upcoming|following", Unit)
def _n_next(number: Number, unit: Unit) -> Range | None:
    return coming_units(number, unit.grain, 1)


RULES.rule("the|?", Number, "last|past|previous", Unit)(lambda number, unit: coming_units(number, unit.grain, -1))
