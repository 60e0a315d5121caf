"""Recurrences told by one of their days: "on march 3rd every year", "monday at 9 every two weeks", "every week monday"."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.rules.clock import hour
from agents.time.rules.monthly import on_date
from agents.time.rules.repeat import EVERY_WORDS
from agents.time.values import CODES, Day, Moment, Month, Number, OfDay, Repeat, Weekday, in_week_order

RULES = Grammar()
ALL_MONTHS = range(1, 13)


@RULES.rule(Repeat, ",|?", Moment)
def _on(repeat: Repeat, moment: Moment) -> Repeat | None:
    free = not (repeat.byday or repeat.bymonthday or repeat.bymonth or repeat.byyearday or repeat.spread)
    both_timed = repeat.time is not None and moment.time is not None
    if moment.day is None or not free or both_timed or repeat.start:
        return None
    dated = _day_of(repeat, moment.day)
    return dated and replace(dated, time=repeat.time or moment.time)


RULES.rule(Moment, ",|?", Repeat)(lambda moment, repeat: _on(repeat, moment))


def _day_of(repeat: Repeat, day: Day) -> Repeat | None:
    """The recurrence on the days that one of them stands for: of a week, of a month, or of a year."""
    if repeat.freq == "WEEKLY" and day.how == "weekday" and day.args[1] == "coming":
        return replace(repeat, byday=(CODES[int(str(day.args[0]))],))
    month = day.args[2] if day.how == "nth" else None
    code = f"{day.args[1]}{CODES[int(str(day.args[0]))]}" if day.how == "nth" else ""
    if repeat.freq == "MONTHLY" and isinstance(month, Day) and month.how == "the_unit" and month.grain == "month":
        return replace(repeat, byday=(code,))
    if repeat.freq != "YEARLY":
        return None
    if isinstance(month, Day) and month.how == "month" and month.args[2] is None:
        return replace(repeat, byday=(code,), bymonth=(int(str(month.args[0])),))
    return on_date(repeat, day)


@RULES.rule(Weekday, ",|and|&|?", Repeat)
def _one_more_with_its_part(first: Weekday, repeat: Repeat) -> Repeat | None:
    """Like "tuesday and thursday mornings": the part of the day holds for both."""
    parted = repeat.time and repeat.time.part and repeat.freq == "WEEKLY" and repeat.interval == 1
    fits = parted and not first.plural and first.code not in repeat.byday and not (repeat.until or repeat.start)
    return replace(repeat, byday=in_week_order((*repeat.byday, first.code))) if fits else None


@RULES.rule(EVERY_WORDS, Month, "and|&|,", Month)
def _every_two_months(first: Month, second: Month) -> Repeat:
    return Repeat("YEARLY", bymonth=tuple(sorted({first.index, second.index})))


@RULES.rule(Repeat, ",|?", "except|but|excluding", "not|?", "in|for|?", Month)
@RULES.rule(Repeat, ",|?", "except|but|excluding", "not|?", "in|for|?", Month, "and|or|&|,", Month)
def _without(repeat: Repeat, *months: Month) -> Repeat | None:
    """Like "every month except august"."""
    free = repeat.freq in ("MONTHLY", "WEEKLY", "DAILY") and repeat.interval == 1 and not repeat.bymonth
    left = tuple(other for other in ALL_MONTHS if other not in [month.index for month in months])
    return replace(repeat, bymonth=left) if free else None


@RULES.rule("for|?", "the", "next|coming", Number, "days", ",|at|?", OfDay)
def _next_days_at(number: Number, clock: OfDay) -> Repeat | None:
    """Like "for the next 3 days at 9": at that hour on each of them."""
    counted = number.whole and not number.ordinal and number.whole > 1
    tomorrow = Moment(Day("offset", (1, "day")))
    return Repeat("DAILY", times=number.whole, time=clock, start=tomorrow) if counted else None


@RULES.rule(Repeat, "at", Number, "and|&", Number)
def _at_two_hours(repeat: Repeat, first: Number, second: Number) -> Repeat | None:
    """Like "twice daily at 8 and 20": the hours that were said take the place of those assumed."""
    clocks = hour(first), hour(second)
    fits = repeat.spread and repeat.freq == "DAILY" and clocks[0] and clocks[1]
    return replace(repeat, time=clocks[0], hours=(clocks[1],), spread=0) if fits and clocks[1] else None
