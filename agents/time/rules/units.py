"""Units inside a stretch: "second week of june", "last 3 days of the month", "q3 2027", "week 12", "this summer"."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from agents.time.chart import Grammar
from agents.time.values import CALENDAR_UNITS, Day, Grain, Moment, Number, Unit, Weekday

RULES = Grammar()
SIZES: tuple[Grain, ...] = ("day", "weekend", "week", "month", "quarter", "year")
WEEKEND = (5, 6)
WORKDAY = "business day|working day|work day"

RULES.rule("last|final")(lambda: Number(-1, ordinal=True))
RULES.rule("penultimate|last but one")(lambda: Number(-2, ordinal=True))


def of_year(produce: Callable[..., Day | None]) -> Callable[..., Day | None]:
    """The same rule for the number of a year in the place of the stretch that comes last: "the 2nd half of 2027"."""

    def produce_for_year(*said: Any, **known: Any) -> Day | None:
        return produce(*said[:-1], said[-1].year, **known) if said[-1].year else None

    return produce_for_year


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
    fits = number.rank and _smaller(unit.grain, day)
    return Day("nth_unit", (number.rank, unit.grain, day.explicit), unit.grain) if fits else None


@RULES.rule("the|?", Number, Unit, Day)
def _nth_before(number: Number, unit: Unit, day: Day) -> Day | None:
    return _nth_of(number, unit, day) if number.value > 0 else None


@RULES.rule("the|?", Number, f"weekday|workday|{WORKDAY}", "of|in", Day)
def _nth_workday(number: Number, day: Day) -> Day | None:
    fits = number.rank and day.grain in ("month", "quarter", "year")
    return Day("nth_unit", (number.rank, "workday", day.explicit)) if fits else None


RULES.rule("the|?", Number, Unit, "of|in|?", Number)(of_year(_nth_of))


@RULES.rule("the|?", Number, Number, Unit, "of|in", Day)
def _first_few_of(which: Number, count: Number, unit: Unit, day: Day) -> Day | None:
    """The first two weeks of a stretch, the last 3 days of it."""
    fits = which.rank in (1, -1) and count.whole and not count.ordinal and _smaller(unit.grain, day)
    found = Day("some_units", (which.rank, count.whole, unit.grain, day.explicit), unit.grain)
    return found if fits else None


RULES.rule("the|?", Number, Number, Unit, "of|in", Number)(of_year(_first_few_of))


def _smaller(grain: Grain, day: Day) -> bool:
    return grain in SIZES and day.grain in SIZES and SIZES.index(grain) < SIZES.index(day.grain)


@RULES.rule("the|?", Number, Weekday, "after|following|from", Day)
def _nth_after(number: Number, weekday: Weekday, day: Day) -> Day | None:
    fits = number.ordinal and number.value > 0 and day.grain == "day"
    return Day("nth_after", (weekday.index, number.whole, day.explicit)) if fits else None


@RULES.rule("the", Weekday, "after|following", Day)
def _weekday_after(weekday: Weekday, day: Day) -> Day | None:
    return Day("nth_after", (weekday.index, 1, day.explicit)) if day.grain == "day" else None


@RULES.rule(Day, ",|?", "on|?", Weekday)
def _weekday_of_week(day: Day, weekday: Weekday) -> Day | None:
    held = day.grain == "week" or (day.grain == "weekend" and weekday.index in WEEKEND)
    fits = held and day.how in ("nth_unit", "week_of", "iso_week", "unit", "beside")
    return Day("nth", (weekday.index, 1, day.explicit)) if fits else None


RULES.rule(Weekday, "of|in|?", "the|?", Day)(lambda weekday, day: _weekday_of_week(day, weekday))


@RULES.rule("the|?", Number, Unit)
def _ordinal_quarter(number: Number, unit: Unit) -> Day | None:
    return _quarter(number) if unit.grain == "quarter" and number.ordinal else None


@RULES.rule("q", Number)
def _q(number: Number) -> Day | None:
    """Like "q3" may be a part of a name, so a neighbour must support it."""
    return _quarter(number, latent=True) if number.form == "digits" and number.width == 1 else None


def _quarter(number: Number, *, latent: bool = False) -> Day | None:
    return Day("quarter", (number.whole, None), "quarter", latent) if 1 <= number.value <= 4 else None


@RULES.rule(Day, "of|in|,|-|/|'|?", Number)
def _quarter_year(day: Day, number: Number) -> Day | None:
    return _with_year(day, number.year) if number.year else None


@RULES.rule(Day, "'", Number)
def _quarter_short_year(day: Day, number: Number) -> Day | None:
    """Like "q3 '27"."""
    short = number.form == "digits" and number.width == 2 and day.how == "quarter"
    return _with_year(day, Day("year", (2000 + int(number.value),), "year")) if short else None


RULES.rule(Number, "'s|-|?", Day)(lambda number, day: _quarter_year(day, number))


@RULES.rule(Day, "of|in|?", Day)
def _in_year(day: Day, year: Day) -> Day | None:
    return _with_year(day, year.explicit) if year.grain == "year" else None


# Like "next year's first quarter".
RULES.rule(Day, Day)(lambda year, day: _in_year(day, year))


def _with_year(day: Day, year: Day) -> Day | None:
    """A quarter, week or season of the year named."""
    if day.how == "season":
        return Day("within", (day.explicit, year), "quarter") if day.args[1] == "coming" else None
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
    return week and week.explicit


RULES.rule("the", Day)(lambda day: day.explicit if day.how == "iso_week" else None)


@RULES.rule("the|?", "week", "of|beginning|starting|commencing|containing|ending", "on|?", "the|?", Day)
@RULES.rule("w / c|w / b|w / e", "the|?", Day)
def _week_of(day: Day) -> Day | None:
    return Day("week_of", (day.explicit,), "week") if day.grain == "day" else None


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


season = partial(Day, "season", grain="quarter")
for name in ("spring", "summer", "autumn", "winter"):
    for which in ("this", "next", "last", "coming"):
        RULES.rule(which, "autumn|fall" if name == "autumn" else name, args=(name, which))(season)
    RULES.rule("the|?", name, args=(name, "coming"), latent=True)(season)
RULES.rule("the|in|during|by|until|before|after", "fall", args=("autumn", "coming"), latent=True)(season)
RULES.rule("fall", "of|?", Number)(lambda year: _quarter_year(season(("autumn", "coming")), year))


@RULES.rule("the|?", "rest|remainder", "of", "the|?", Day)
@RULES.rule("later", "in|?", Day)
def _rest_of(day: Day) -> Day | None:
    return Day("rest", (day.explicit,), "week") if day.grain in CALENDAR_UNITS else None


RULES.rule("the|?", "rest|remainder", "of", Number)(of_year(_rest_of))


@RULES.rule("the|?", Number, "half", "of|in", "the|?", Day)
def _nth_half(number: Number, day: Day) -> Day | None:
    """Like "1st half of next year"."""
    fits = number.rank in (1, 2) and day.grain in CALENDAR_UNITS
    return Day("half", (day.explicit, int(number.value) - 1), "week") if fits else None


RULES.rule("the|?", Number, "half", "of|in|?", Number)(of_year(_nth_half))
for rank, said in ((1, "former|early"), (2, "latter|last")):
    half = partial(_nth_half, Number(rank, ordinal=True))
    RULES.rule("the|?", said, "half", "of|in", "the|?", Day)(half)
    RULES.rule("the|?", said, "half", "of|in|?", Number)(of_year(half))
    RULES.rule("h", str(rank), "of|in|?", Number)(of_year(half))


@RULES.rule("all|the whole|the entire", Unit)
def _all_unit(unit: Unit) -> Moment | None:
    return Moment(Day("unit", (0, unit.grain), unit.grain)) if unit.grain in ("week", "weekend", "month") else None
