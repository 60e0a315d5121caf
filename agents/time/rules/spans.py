"""Stretches with two ends of which one is only hinted at: a year for both, a length from a start, years alone."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.rules.clock import hour
from agents.time.rules.moments import in_year
from agents.time.rules.open import open_range
from agents.time.rules.ranges import DASH, has_year, of_its_week, yearless
from agents.time.values import ELAPSED, Day, Length, Moment, Month, Number, Range, Role

RULES = Grammar()
MOST_MONTHS = 12


def ends(first: Day, last: Day) -> Range:
    """Both ends, where a year said once holds for both."""
    if first.how == "monthday" and first.args[0] is None and last.how in ("monthday", "date"):
        first = Day(last.how, (*last.args[:-1], first.args[1]))
    if first.how == last.how == "numeric":
        first, last = _in_one_order(first, last)
    if first.how == last.how == "numeric" and first.args[2] is None:
        first = Day("numeric", (*first.args[:2], last.args[2]))
    if has_year(last) and yearless(first) and last.how != "numeric":
        first = Day("before", (first.explicit, last), first.grain)
    return Range(Moment(first.explicit), Moment(last.explicit))


def _in_one_order(first: Day, last: Day) -> tuple[Day, Day]:
    """Both dates in the order that one of them gives away: "12/24 - 1/2" ends in january."""
    pairs = [[int(str(number)) for number in day.args[:2]] for day in (first, last)]
    if not any(month <= MOST_MONTHS < day for month, day in pairs) or any(month > MOST_MONTHS for month, _ in pairs):
        return first, last
    if first.args[2] is not None or last.args[2] is not None:
        return first, last
    return Day("monthday", tuple(pairs[0])), Day("monthday", tuple(pairs[1]))


@RULES.rule("from|between", Day, f"{DASH}|and|~|through to", Day)
@RULES.rule(Day, f"{DASH}|~|through to", Day)
def _day_to_day(first: Day, last: Day) -> Range | None:
    far = {"day", "month", "year", "quarter", "week"}
    lone = first.how == "monthday" and first.args[0] is None and last.how not in ("monthday", "date")
    named = (first.how != "offset" or last.how != "offset") and not lone
    first = of_its_week(first, last)
    return ends(first, last) if {first.grain, last.grain} <= far and named and first.grain == last.grain else None


@RULES.rule("from|between", Day, f"{DASH}|and", Day)
@RULES.rule(Day, DASH, Day)
def _mixed_grain_range(first: Day, last: Day) -> Range | None:
    """Like "nov to 5 feb 2027", "2026 until the end of 2027"."""
    if first.how == "monthday" and first.args[0] is None:
        return None
    mixed = first.grain != last.grain and first.grain in ("month", "year") and not last.latent
    return ends(first, last) if mixed and last.grain in ("day", "month") else None


@RULES.rule("from|between|?", "the|?", Day, f"{DASH}|and", "the|?", Number)
def _until_day(day: Day, number: Number) -> Range | None:
    """Like "april 27th to the third": the second day is looked for after the first."""
    fits = day.how == "monthday" and day.args[0] is not None and number.whole and 1 <= number.value <= 31
    if not fits or number.width > 2 or (number.form == "words" and not number.ordinal):
        return None
    return Range(Moment(day), Moment(Day("monthday", (None, number.whole))))


@RULES.rule("from|between|?", "the|?", Number, f"{DASH}|and", "the|?", Number, "of|?", Month)
def _days_before_month(first: Number, last: Number, month: Month) -> Range | None:
    known = [number.whole for number in (first, last) if number.width <= 2 and (number.ordinal or number.width)]
    if len(known) != 2 or not all(day and 1 <= day <= 31 for day in known):
        return None
    return Range(Moment(Day("monthday", (month.index, known[0]))), Moment(Day("monthday", (month.index, known[1]))))


@RULES.rule(Range, ",|of|in|?", Number)
def _with_year(span: Range, year: Number) -> Range | None:
    """A year behind the last day is the first one's too when the last one's month is only implied."""
    if span.start is None or span.end is None or not year.year:
        return None
    start, end = span.start.day, span.end.day
    if start is None or end is None or start.how != "monthday" or end.how != "monthday" or start.args[0] is None:
        return None
    return replace(span, start=replace(span.start, day=Day("date", (year.whole, *start.args))))


@RULES.rule(Range, Number)
def _timed_range_and_year(span: Range, year: Number) -> Range | None:
    """Like "thu oct 26, 10:00 - 11:00 2027": the year behind the clock times."""
    start = span.start if span.start and span.start.time and span.end and span.end.day is None else None
    day = in_year(start.day, year) if start and start.day and year.year else None
    return replace(span, start=replace(start, day=day)) if start and day else None


@RULES.rule("from|between|in", Number, f"{DASH}|and|~", Number)
def _years(first: Number, last: Number) -> Range | None:
    return ends(first.year, last.year) if first.year and last.year else None


RULES.rule(Number, "~", Number)(_years)


@RULES.rule("between|from", Number, f"and|{DASH}", Day)
def _year_to_day(year: Number, day: Day) -> Range | None:
    return ends(year.year, day) if year.year and not day.latent else None


@RULES.rule("by|before", "the|?", "year|?", Number, role="deadline")
@RULES.rule("until|till|through", "the|?", "year|?", Number, role="until")
@RULES.rule("since|starting", "the|?", "year|?", Number, role="after")
@RULES.rule("the|?", "year|?", Number, "or|and", "later|after|onward|onwards|newer|greater|above", role="after")
def _open_year(number: Number, role: Role) -> Range | None:
    return open_range(Moment(number.year), role) if number.year else None


@RULES.rule("after", "the|?", "year|?", Number)
def _after_year(number: Number) -> Range | None:
    return open_range(Moment(Day("following", (number.year,))), "after") if number.year else None


@RULES.rule("for", Length, ",|?", Range)
def _length_then_start(length: Length, span: Range) -> Range | None:
    """Like "for two weeks starting may 20"."""
    fits = span.role == "after" and span.length is None and span.end is None and span.start
    return _length_starting(length, span.start) if fits and span.start else None


@RULES.rule(Length, "starting|beginning|commencing", "on|from|at|?", Moment)
def _length_starting(length: Length, moment: Moment) -> Range | None:
    """Leave "for 15 minutes starting monday" apart, where a series begins that goes on so long each time."""
    hours = any(grain in ELAPSED for _, grain in length.parts)
    return None if hours and not (moment.time or moment.shift) else Range(moment, None, length)


RULES.rule(Range, ",|?", "for|lasting", Length)(lambda span, length: _length_then_start(length, span))


@RULES.rule(Moment, "or|and", "later|after|onward|onwards|beyond")
@RULES.rule(Moment, "at", "the", "earliest")
@RULES.rule("from|starting", Moment, "onward|onwards")
@RULES.rule("from", Moment, "on")
@RULES.rule("on|?", Moment, "or", "any", "time|day|?", "after")
def _or_later(moment: Moment) -> Range:
    return Range(moment, None, role="after")


@RULES.rule("from|starting", Number, "on|onward|onwards")
def _from_hour_on(number: Number) -> Range | None:
    """Like "from 6 onwards", "from 2027 on"."""
    begin = Moment(number.year, hour(number))
    return _or_later(begin) if begin.day or begin.time else None


@RULES.rule(Moment, "or", "earlier|before|sooner")
@RULES.rule(Moment, "at", "the", "latest")
@RULES.rule(Moment, "latest|tops")
def _or_earlier(moment: Moment) -> Range:
    return Range(None, moment, role="deadline")


RULES.rule(Range, "at", "the", "latest")(lambda span: span if span.role == "deadline" else None)


@RULES.rule("on|for|?", "the|?", Number, "and|&", "the|?", Number, "of|?", Month)
@RULES.rule("on|for|?", Month, "the|?", Number, "and|&", "the|?", Number)
def _two_days_of_month(*said: Number | Month) -> Range | None:
    """Like "the 5th and 6th of may": two days in a row."""
    month = next((item for item in said if isinstance(item, Month)), None)
    days = [item.whole for item in said if isinstance(item, Number) and item.width <= 2]
    if len(days) != 2 or not all(day and 1 <= day <= 31 for day in days) or days[1] != (days[0] or 0) + 1:
        return None
    first, last = (Day("monthday", (month.index if month else None, day)) for day in days)
    return Range(Moment(first), Moment(last))


@RULES.rule("on|for|?", "the", Number, "and|&", "the|?", Number)
def _two_days(first: Number, last: Number) -> Range | None:
    return _two_days_of_month(first, last) if first.ordinal and last.ordinal else None
