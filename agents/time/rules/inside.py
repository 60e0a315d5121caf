"""Days and stretches told by the stretch they lie in: "next month on the 5th", "next year in may", "the week before last"."""

from __future__ import annotations

from agents.time.chart import Grammar
from agents.time.rules.clock import of_part
from agents.time.rules.days import NEXT, WHICH
from agents.time.rules.units import WORKDAY
from agents.time.values import CALENDAR_UNITS, NOW, TODAY, Day, Moment, Month, Number, OfDay, Part, Range, Unit, Weekday

RULES = Grammar()
EVERY_YEAR = ("feast", "monthday", "month", "nth", "season")
RELATIVE = ("unit", "the_unit", "year", "month")


@RULES.rule("the|?", Unit, "before", "last")
def _unit_before_last(unit: Unit) -> Day | None:
    return Day("unit", (-2, unit.grain), unit.grain) if unit.grain in CALENDAR_UNITS else None


@RULES.rule("the|?", Weekday, "before", "last")
def _weekday_before_last(weekday: Weekday) -> Day | None:
    return None if weekday.plural else Day("shifted", (Day("weekday", (weekday.index, "last")), -1, "week"))


RULES.rule("the|?", "night before last")(lambda: Moment(Day("offset", (-2, "day")), of_part(Part("night"))))


@RULES.rule("the|?", "whole|entire|?", "month", "of", Day)
def _month_of(day: Day) -> Day | None:
    return day.explicit if day.grain == "month" else None


RULES.rule("the", "whole|entire|?", "year", "of|?", Number)(lambda number: number.year)


@RULES.rule("all|the whole|the entire", "of|?", Day)
def _whole(day: Day) -> Day | None:
    """Like "the whole of next week", "all december"."""
    return day.explicit if day.grain in CALENDAR_UNITS and day.how != "the_unit" else None


RULES.rule("the|?", "rest|remainder", "of", "today|the day")(lambda: Range(NOW, Moment(TODAY)))


@RULES.rule(Day, ",|?", "on|?", "the", Number)
def _month_then_day(month: Day, number: Number) -> Day | None:
    """Like "next month on the 5th"."""
    fits = month.how == "unit" and month.grain == "month" and 1 <= (number.rank or 0) <= 31 and number.width <= 2
    return Day("nth_unit", (number.rank, "day", month)) if fits else None


@RULES.rule(Day, ",|?", "in|on", "the|?", Day)
def _year_then_day(year: Day, day: Day) -> Day | None:
    """Like "next year in may"."""
    fits = year.how == "unit" and year.grain == "year" and day.how in EVERY_YEAR
    return Day("within", (day.explicit, year), day.grain) if fits else None


for words, count in NEXT:

    @RULES.rule(words, Month, "the|?", Number, which=WHICH[count])
    def _month_day(month: Month, number: Number, which: str) -> Day | None:
        """Like "next may 5th"."""
        fits = 1 <= (number.whole or 0) <= 31 and number.width <= 2 and (number.ordinal or number.width)
        named = Day("month", (month.index, which, None), "month")
        return Day("nth_unit", (number.whole, "day", named)) if fits else None


@RULES.rule("the|?", Number, Weekday, Day)
def _nth_weekday_of(number: Number, weekday: Weekday, day: Day) -> Day | None:
    """Like "3rd thursday this september", "the first friday next month"."""
    fits = number.rank and day.grain == "month" and day.how in RELATIVE and not day.latent
    return Day("nth", (weekday.index, number.rank, day)) if fits else None


for words, sign in (("after|following", 1), ("before|preceding", -1)):

    @RULES.rule("the|?", "first|next|last", f"{WORKDAY}|weekday|workday", words, "the|?", Day, sign=sign)
    def _workday_beside(day: Day, sign: int) -> Day | None:
        return Day("shifted", (day.explicit, sign, "workday")) if day.grain == "day" else None

    @RULES.rule("day", words, Day, sign=sign)
    def _day_beside(day: Day, sign: int) -> Day | None:
        """Like "day after christmas", without its article."""
        return Day("shifted", (day, sign, "day")) if _is_feast_or_date(day) else None

    @RULES.rule(Weekday, words, Day, sign=sign)
    def _weekday_beside(weekday: Weekday, day: Day, sign: int) -> Day | None:
        fits = _is_feast_or_date(day) and not weekday.plural
        return Day("nth_after", (weekday.index, sign, day)) if fits else None

    @RULES.rule(Number, Weekday, words, Day, sign=sign)
    def _few_weekdays_beside(number: Number, weekday: Weekday, day: Day, sign: int) -> Day | None:
        """Like "two fridays before christmas"."""
        fits = _is_feast_or_date(day) and number.whole and not number.ordinal and weekday.plural
        return Day("nth_after", (weekday.index, sign * int(number.value), day)) if fits else None

    @RULES.rule("the", Part, words, Day, sign=sign)
    def _part_beside(part: Part, day: Day, sign: int) -> Moment | None:
        """Like "the night before christmas"."""
        fits = day.grain == "day" and not day.latent and part.name not in ("noon", "midnight", "eve")
        return Moment(Day("shifted", (day, sign, "day")), of_part(part)) if fits else None


@RULES.rule(Weekday, "in|?", "the|?", Part, ",|of|in|?", Day)
def _weekday_part_of_week(weekday: Weekday, part: Part, week: Day) -> Moment | None:
    """Like "thursday morning next week"."""
    return _on_weekday_of(weekday, of_part(part), week)


@RULES.rule(Weekday, ",|at|?", OfDay, ",|of|in|?", Day)
def _weekday_clock_of_week(weekday: Weekday, clock: OfDay, week: Day) -> Moment | None:
    """Like "thursday at 3 next week"."""
    return _on_weekday_of(weekday, clock, week)


def _on_weekday_of(weekday: Weekday, clock: OfDay, week: Day) -> Moment | None:
    fits = week.grain == "week" and not week.latent and not weekday.plural
    return Moment(Day("nth", (weekday.index, 1, week)), clock) if fits else None


def _is_feast_or_date(day: Day) -> bool:
    """Whether a day is a feast or a date, so that what is told beside it is one too."""
    return not day.latent and (day.how == "feast" or (day.how in ("monthday", "date") and day.args[0] is not None))


@RULES.rule(Day, ",|?", "from|?", Weekday, "-|to|until|till|through|thru", Weekday)
def _weekdays_of_week(week: Day, first: Weekday, last: Weekday) -> Range | None:
    """Like "next week from tuesday to thursday"."""
    fits = week.grain == "week" and not week.latent and first.index < last.index and not last.plural
    ends = [Moment(Day("nth", (day.index, 1, week.explicit))) for day in (first, last)]
    return Range(ends[0], ends[1]) if fits else None
