"""Days counted from weekdays and weeks: "friday week", "two fridays from now", "the week after easter", "monday 21"."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from agents.time.calendar import DATES
from agents.time.chart import Grammar
from agents.time.rules.days import NEXT
from agents.time.values import CALENDAR_UNITS, TODAY, Day, Length, Moment, Number, Range, Unit, Weekday

RULES = Grammar()
MOST_WEEKS = 60


@RULES.rule(Number, Weekday, "from", "now|today")
def _weekdays_from_now(number: Number, weekday: Weekday) -> Day | None:
    base = Day("weekday", (weekday.index, "coming"))
    return Day("shifted", (base, number.value - 1, "week")) if number.whole and not number.ordinal else None


@RULES.rule("in", Number, Weekday)
def _in_weekdays(number: Number, weekday: Weekday) -> Day | None:
    """Like "in two fridays"."""
    return _weekdays_from_now(number, weekday) if weekday.plural else None


@RULES.rule(Number, Unit, "from", "now|today")
def _weekends_from_now(number: Number, unit: Unit) -> Day | None:
    fits = unit.grain == "weekend" and number.whole and not number.ordinal
    return Day("unit", (number.whole - 1, "weekend"), "weekend") if fits and number.whole else None


@RULES.rule("the", "following", Weekday)
@RULES.rule(Weekday, "coming")
def _the_following(weekday: Weekday) -> Day | None:
    return None if weekday.plural else Day("weekday", (weekday.index, "coming"))


RULES.rule(Weekday, "next")(lambda weekday: None if weekday.plural else Day("weekday", (weekday.index, "next")))
RULES.rule("midweek|mid week|mid - week")(lambda: Day("weekday", (2, "this")))


@RULES.rule("the|?", Number, "closest|nearest", Weekday, "to", "the|?", Day)
def _nth_closest(number: Number, weekday: Weekday, day: Day) -> Day | None:
    fits = 1 <= (number.rank or 0) <= 20 and day.grain == "day"
    return Day("closest", (weekday.index, number.rank, day.explicit)) if fits else None


closest = partial(_nth_closest, Number(1, ordinal=True))
RULES.rule("the|?", "closest|nearest", Weekday, "to", "the|?", Day)(closest)
RULES.rule("the|?", Weekday, "closest|nearest", "to", "the|?", Day)(closest)


@RULES.rule(Weekday, "week|wk", weeks=1)
@RULES.rule(Weekday, "fortnight", weeks=2)
@RULES.rule("a week on", Weekday, weeks=1)
@RULES.rule("a fortnight on", Weekday, weeks=2)
def _weeks_later(weekday: Weekday, weeks: float) -> Day:
    return Day("shifted", (Day("weekday", (weekday.index, "coming")), weeks, "week"))


@RULES.rule(Length, Day)
def _weeks_tomorrow(length: Length, day: Day) -> Day | None:
    """Like "two weeks tomorrow", "a month today"."""
    count, grain = length.parts[0]
    near = day.how == "offset" and day.args in ((0, "day"), (1, "day"))
    fits = near and len(length.parts) == 1 and grain in ("week", "month", "year")
    return Day("shifted", (day, count, grain)) if fits else None


@RULES.rule(Length, Day)
def _weeks_weekday(length: Length, day: Day) -> Day | None:
    """Like "a week this friday", "a fortnight monday"."""
    count, grain = length.parts[0]
    fits = grain == "week" and len(length.parts) == 1 and day.how == "weekday" and day.args[1] != "last"
    return Day("shifted", (day.explicit, count, grain)) if fits and count == int(count) else None


@RULES.rule("the", Unit, "after|following", "the|?", Day, step=1)
@RULES.rule("the", Unit, "before|preceding", "the|?", Day, step=-1)
def _beside(unit: Unit, day: Day, step: int) -> Day | None:
    fits = unit.grain in ("week", "weekend", "month") and day.grain in ("day", "week", "month")
    return Day("beside", (day.explicit, unit.grain, step), unit.grain) if fits else None


@RULES.rule(Day, "week|wk", weeks=1)
@RULES.rule(Day, "fortnight", weeks=2)
def _day_later(day: Day, weeks: int) -> Day | None:
    """Like "tomorrow week", "next tuesday week"."""
    fits = day.how == "offset" or (day.how == "weekday" and day.args[1] == "next")
    return Day("shifted", (day, weeks, "week")) if fits else None


RULES.rule("the|?", Weekday, "after", "next|this")(lambda weekday: Day("in_week", (weekday.index, 2)))


@RULES.rule("the|?", Unit, "after", "next")
def _unit_after_next(unit: Unit) -> Day | None:
    return Day("unit", (2, unit.grain), unit.grain) if unit.grain in CALENDAR_UNITS else None


@RULES.rule(Weekday, Number)
def _weekday_and_number(weekday: Weekday, number: Number) -> Day | None:
    """Like "monday 21": above the hours of a clock with am and pm a bare number is the day of the month."""
    fits = number.form == "digits" and not number.ordinal and number.width == 2 and 12 < number.value <= 31
    base = Day("monthday", (None, number.whole))
    return Day("both", (weekday.index, base), latent=True) if fits and not weekday.plural else None


for words, weeks in NEXT:

    @RULES.rule(Weekday, "of|in|?", "the|?", words, "week|wk", weeks=weeks)
    @RULES.rule(words, "week|wk", "on|?", Weekday, weeks=weeks)
    def _in_week(weekday: Weekday, weeks: int) -> Day:
        return Day("in_week", (weekday.index, weeks))


@RULES.rule(Weekday, "(", "the|?", Day, ")")
@RULES.rule(Weekday, ",|.|?", "the|?", Day)
def _weekday_and_date(weekday: Weekday, day: Day) -> Day | None:
    fits = (day.how in DATES or _near(day)) and not weekday.plural
    return Day("both", (weekday.index, day.explicit)) if fits else None


@RULES.rule(Day, ",|?", "the|?", Day)
def _told_weekday_and_date(first: Day, day: Day) -> Day | None:
    """Read "next sunday, 6 december"."""
    fits = first.how == "weekday" and first.args[1] in ("this", "next") and day.how in DATES
    return Day("both", (first.args[0], day.explicit)) if fits else None


@RULES.rule(Day, "(", Weekday, ")")
def _weekday_in_brackets(day: Day, weekday: Weekday) -> Day | None:
    return Day("both", (weekday.index, day)) if day.grain == "day" and not weekday.plural else None


@RULES.rule(Day, ",", "a|?", Weekday)
def _date_sign_and_weekday(day: Day, weekday: Weekday) -> Day | None:
    """Read "the 3rd, a thursday"; without the sign it would be the third thursday."""
    return _date_and_weekday(day.explicit, weekday)


@RULES.rule(Day, Weekday)
def _date_and_weekday(day: Day, weekday: Weekday) -> Day | None:
    fits = (day.how in DATES or _near(day)) and not day.latent and not weekday.plural
    return Day("both", (weekday.index, day)) if fits else None


@RULES.rule(Moment, ",|?", "on|of|?", "the|?", Day)
@RULES.rule(Moment, "(", "the|?", Day, ")")
def _hour_and_date(moment: Moment, day: Day) -> Moment | None:
    """Read "sunday night, 6th of december", "tomorrow at 8, 19 november"."""
    first = moment.day if moment.time and not moment.shift else None
    if first is None or day.how not in DATES:
        return None
    said = first.args[0] if first.how == "weekday" and first.args[1] != "last" else None
    if _near(first):
        said = first if day.how == "date" or (day.how == "monthday" and day.args[0] is not None) else None
    return None if said is None else replace(moment, day=Day("both", (said, day.explicit)))


@RULES.rule(Moment, ", a", Weekday)
@RULES.rule(Moment, ",|?", "on|?", Weekday)
def _date_hour_and_weekday(moment: Moment, weekday: Weekday) -> Moment | None:
    """Read "6 december in the evening on sunday"."""
    day = moment.day if moment.time else None
    fits = day is not None and day.how in DATES and not weekday.plural
    return replace(moment, day=Day("both", (weekday.index, day))) if fits else None


def _near(day: Day) -> bool:
    """Whether a day is told from today in days: "tomorrow, tuesday"."""
    return day.how == "offset" and day.args[1] == "day"


@RULES.rule(Day, "on|, on", "a|?", Weekday)
def _weekday_of_that_time(day: Day, weekday: Weekday) -> Day | None:
    """Like "in two weeks on monday", of that week; "in two months on tuesday", the first one from then on."""
    grain = day.args[1] if day.how == "offset" else None
    if grain == "week":
        return Day("nth", (weekday.index, 1, Day("week_of", (day,), "week")))
    return Day("nth_after", (weekday.index, 1, Day("shifted", (day, -1, "day")))) if grain == "month" else None


@RULES.rule(Length, "on", Weekday)
def _weeks_on(length: Length, weekday: Weekday) -> Day | None:
    """Like "three weeks on saturday"."""
    count, grain = length.parts[0]
    fits = len(length.parts) == 1 and grain == "week" and count == int(count) and not weekday.plural
    return _weeks_later(weekday, count) if fits else None


@RULES.rule("the|?", "last", Weekday, "before", "the|?", Day)
def _last_before(weekday: Weekday, day: Day) -> Day | None:
    return Day("nth_after", (weekday.index, -1, day.explicit)) if day.grain == "day" else None


@RULES.rule("the|?", "last|past|previous", Number, Weekday)
def _last_few(number: Number, weekday: Weekday) -> Range | None:
    """Like "the last three mondays": the stretch that holds them."""
    few = weekday.plural and number.whole and 1 < number.value <= MOST_WEEKS and not number.ordinal
    ends = [Moment(Day("nth_after", (weekday.index, -count, TODAY))) for count in (number.whole or 1, 1)]
    return Range(ends[0], ends[1]) if few else None


@RULES.rule(Number, Unit, "ago")
def _weekends_ago(number: Number, unit: Unit) -> Day | None:
    counted = unit.grain == "weekend" and number.whole and not number.ordinal
    return Day("unit", (-int(number.value), "weekend"), "weekend") if counted else None


@RULES.rule(Number, Weekday, "ago")
def _weekdays_ago(number: Number, weekday: Weekday) -> Day | None:
    counted = number.whole and not number.ordinal
    return Day("shifted", (Day("weekday", (weekday.index, "last")), 1 - number.value, "week")) if counted else None
