"""How often rather than when: "twice a week", "three times a day"; and the days of a timetable, "mon wed fri"."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.rules.clock import hour, hours, of_part
from agents.time.rules.repeat import FREQ, THROUGH_WORDS, days_through
from agents.time.values import (
    CODES,
    DAYS_OF_EACH_WEEK,
    Grain,
    Moment,
    Number,
    OfDay,
    Part,
    Range,
    Repeat,
    Unit,
    Weekday,
    in_week_order,
)

RULES = Grammar()
# Days as far apart as a week or a month allows.
WEEKLY = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 5: (0, 1, 2, 3, 4), 6: (0, 1, 2, 3, 4, 5)}
MONTHLY = {2: (1, 15), 3: (1, 11, 21), 4: (1, 8, 15, 22)}
DAILY = {2: ("morning", "evening"), 3: ("morning", "afternoon", "evening")}
MONTHS = 12
TIMETABLES = {"mwf|m / w / f": "MO,WE,FR", "tth|tuth|t / th": "TU,TH", "mtwtf": "MO,TU,WE,TH,FR"}


def often(count: int, grain: Grain) -> Repeat | None:
    """So many times in each unit, evenly spread: the days or hours are assumed, and said to be."""
    if count == 1 and grain in ("day", "week", "month", "year"):
        return Repeat(FREQ[grain][0])
    if grain == "week" and count in WEEKLY:
        return Repeat("WEEKLY", byday=tuple(CODES[day] for day in WEEKLY[count]), spread=count)
    if grain == "month" and count in MONTHLY:
        return Repeat("MONTHLY", bymonthday=MONTHLY[count], spread=count)
    if grain == "year" and count <= MONTHS and MONTHS % count == 0:
        return Repeat("MONTHLY", MONTHS // count, spread=count)
    if grain == "day" and count in DAILY:
        first, *others = (of_part(Part(name)) for name in DAILY[count])
        return Repeat("DAILY", time=first, hours=tuple(others), spread=count)
    return None


RULES.rule("twice", "a|per|each|every", Unit)(lambda unit: often(2, unit.grain))
RULES.rule("thrice", "a|per|each|every", Unit)(lambda unit: often(3, unit.grain))
RULES.rule("on a", Repeat, "basis")(lambda repeat: repeat)


def _so_often(number: Number, grain: Grain) -> Repeat | None:
    return often(number.whole, grain) if number.whole and not number.ordinal else None


for word, grain in (("weekly", "week"), ("monthly", "month"), ("yearly|annually", "year"), ("daily", "day")):
    RULES.rule("twice|semi", "-|?", word, count=2, grain=grain)(often)
    RULES.rule(Number, "times|x", word, grain=grain)(_so_often)


@RULES.rule(Number, "days|nights", "a|per|each|every", "week")
def _days_a_week(number: Number) -> Repeat | None:
    return Repeat("DAILY") if number.whole == len(CODES) else _so_often(number, "week")


@RULES.rule(Number, "times|time|x", "a|per|each|every|/", Unit)
def _times(number: Number, unit: Unit) -> Repeat | None:
    """Not "several times a day", which does not say how often."""
    return _so_often(number, unit.grain) if number.width <= 2 else None


@RULES.rule(Repeat, ",|:|-|?", "on|?", Repeat)
def _on_those_days(repeat: Repeat, days: Repeat) -> Repeat | None:
    """The days that were said take the place of those assumed: "twice a week on tuesdays and fridays"."""
    named = days.freq == "WEEKLY" and days.byday and days.interval == 1 and not days.spread
    fits = repeat.spread and repeat.freq == "WEEKLY" and named
    return replace(days, time=repeat.time or days.time) if fits else None


@RULES.rule(Repeat, ",|:|?", "on|?", Weekday, ",|and|&", Weekday)
def _on_two_days(repeat: Repeat, first: Weekday, second: Weekday) -> Repeat | None:
    return _timetable(first, second) if repeat.spread and repeat.freq == "WEEKLY" else None


def _timetable(*days: Weekday) -> Repeat | None:
    codes = {day.code for day in days}
    fits = len(codes) == len(days) and not any(day.plural for day in days)
    return Repeat("WEEKLY", byday=in_week_order(codes)) if fits else None


@RULES.rule(Weekday, ",|/|?", Weekday, ",|/|and|&|, and|?", Weekday)
@RULES.rule(Weekday, "/", Weekday)
def _days_in_short(*days: Weekday) -> Repeat | None:
    """Like "mon wed fri", "tue/thu"."""
    known = _timetable(*days) if all(day.short for day in days) else None
    return known and replace(known, listed=True)


@RULES.rule(Repeat, ",|/|and|&|?", Weekday)
def _one_more(repeat: Repeat, day: Weekday) -> Repeat | None:
    fits = repeat.listed and day.short and not day.plural and day.code not in repeat.byday
    return replace(repeat, byday=in_week_order((*repeat.byday, day.code))) if fits else None


for letters, codes in TIMETABLES.items():
    RULES.rule("on|?", letters, freq="WEEKLY", byday=tuple(codes.split(",")), listed=True)(Repeat)


@RULES.rule("from|?", Weekday, THROUGH_WORDS, Weekday, ",|from|?", Range)
def _hours_on_days(first: Weekday, last: Weekday, span: Range) -> Repeat | None:
    """Like "monday to friday 9am-5pm": hours on each of those days."""
    start, end = span.start, span.end
    if not start or not end or start.day or end.day or not start.time or not end.time:
        return None
    days = in_week_order(days_through(first.index, last.index))
    free = span.role == "when" and not last.plural
    return Repeat("WEEKLY", byday=days, time=start.time, end_time=end.time, listed=True) if free else None


@RULES.rule(Weekday, THROUGH_WORDS, Weekday, ",|at|?", OfDay)
def _clock_on_days(first: Weekday, last: Weekday, clock: OfDay) -> Repeat | None:
    """Like "monday to thursday at 9": at that hour on each of those days."""
    span = _hours_on_days(first, last, Range(Moment(time=clock), Moment(time=clock)))
    return span and replace(span, end_time=None)


# Like "9am mon-fri".
RULES.rule("at|?", OfDay, ",|on|?", Weekday, THROUGH_WORDS, Weekday)(
    lambda clock, first, last: _clock_on_days(first, last, clock)
)


RULES.rule("from|?", Weekday, THROUGH_WORDS, Weekday, ",|from|?", Number, "-|to|till|until", Number)(
    lambda first, last, begin, end: _hours_on_days(first, last, hours(begin, end) or Range(None, None))
)


@RULES.rule(Range, ",|on|from|?", Weekday, THROUGH_WORDS, Weekday)
def _hours_before_days(span: Range, first: Weekday, last: Weekday) -> Repeat | None:
    """Like "half seven till half three monday to thursday"; over fewer days it is rather once."""
    many = len(days_through(first.index, last.index)) >= DAYS_OF_EACH_WEEK
    return _hours_on_days(first, last, span) if many else None


# Like "9-5 mon-fri".
RULES.rule("from|?", Number, "-|to|till|until", Number, ",|on|from|?", Weekday, THROUGH_WORDS, Weekday)(
    lambda begin, end, first, last: _hours_on_days(first, last, hours(begin, end) or Range(None, None))
)


@RULES.rule(Repeat, ",|from|?", Number, "-|to|till|until", Number)
def _every_from_to(repeat: Repeat, begin: Number, end: Number) -> Repeat | None:
    """Like "weekdays 9 to 5"."""
    clocks = hour(begin), hour(end)
    bounded = repeat.until is None or repeat.start is not None
    free = repeat.time is None and bounded and repeat.freq in ("DAILY", "WEEKLY")
    return replace(repeat, time=clocks[0], end_time=clocks[1]) if free and all(clocks) else None
