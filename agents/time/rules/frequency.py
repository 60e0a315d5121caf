"""How often rather than when: "twice a week", "three times a day"; and the days of a timetable, "mon wed fri"."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.rules.clock import hour, of_part
from agents.time.rules.repeat import CODES
from agents.time.values import Grain, Moment, Number, OfDay, Part, Range, Repeat, Unit, Weekday

RULES = Grammar()
# Days as far apart as a week or a month allows.
WEEKLY = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 5: (0, 1, 2, 3, 4), 6: (0, 1, 2, 3, 4, 5)}
MONTHLY = {2: (1, 15), 3: (1, 11, 21), 4: (1, 8, 15, 22)}
DAILY = {2: ("morning", "evening"), 3: ("morning", "afternoon", "evening")}
MONTHS = 12
THROUGH_WORDS = "-|to|through|thru|till|until"
TIMETABLES = {"mwf": "MO,WE,FR", "tth": "TU,TH", "tuth": "TU,TH", "mtwtf": "MO,TU,WE,TH,FR"}


RULES.rule("twice", "a|per|each|every", Unit)(lambda unit: often(2, unit.grain))
RULES.rule("thrice", "a|per|each|every", Unit)(lambda unit: often(3, unit.grain))


for word, grain in (("weekly", "week"), ("monthly", "month"), ("yearly|annually", "year"), ("daily", "day")):
    RULES.rule("twice|semi", "-|?", word)(lambda grain=grain: often(2, grain))

    def _times_weekly(number: Number, grain: Grain = grain) -> Repeat | None:  # type: ignore[assignment]
        return often(number.whole, grain) if number.whole and not number.ordinal else None

    RULES.rule(Number, "times|x", word)(_times_weekly)


@RULES.rule(Number, "days|nights", "a|per|each|every", "week")
def _days_a_week(number: Number) -> Repeat | None:
    if number.whole == len(CODES):
        return Repeat("DAILY")
    return often(number.whole, "week") if number.whole and not number.ordinal else None


@RULES.rule(Number, "times|time|x", "a|per|each|every|/", Unit)
def _times(number: Number, unit: Unit) -> Repeat | None:
    """Not "several times a day", which does not say how often."""
    exact = number.whole and not number.ordinal and number.width <= 2
    return often(number.whole, unit.grain) if exact and number.whole else None


RULES.rule("on", "a", Repeat, "basis")(lambda repeat: repeat)


def often(count: int, grain: Grain) -> Repeat | None:
    """So many times in each unit, evenly spread: the days or hours are assumed, and said to be."""
    if count == 1 and grain in ("day", "week", "month", "year"):
        return _once(grain)
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


def _once(grain: Grain) -> Repeat:
    freqs = {"day": "DAILY", "week": "WEEKLY", "month": "MONTHLY", "year": "YEARLY"}
    return Repeat(freqs[grain])  # type: ignore[arg-type]


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
    indexes = sorted({day.index for day in days})
    plural = any(day.plural for day in days)
    if len(indexes) < len(days) or plural:
        return None
    return Repeat("WEEKLY", byday=tuple(CODES[index] for index in indexes))


@RULES.rule(Weekday, ",|/|?", Weekday, ",|/|and|&|?", Weekday)
@RULES.rule(Weekday, ",", Weekday, ",", "and", Weekday)
def _three_short(first: Weekday, second: Weekday, third: Weekday) -> Repeat | None:
    """Like "mon wed fri": three days in short are a timetable."""
    short = all(day.short for day in (first, second, third))
    known = _timetable(first, second, third) if short else None
    return known and replace(known, listed=True)


@RULES.rule(Weekday, "/", Weekday)
def _two_by_slash(first: Weekday, second: Weekday) -> Repeat | None:
    known = _timetable(first, second) if first.short and second.short else None
    return known and replace(known, listed=True)


@RULES.rule(Repeat, ",|/|and|&|?", Weekday)
def _one_more(repeat: Repeat, day: Weekday) -> Repeat | None:
    fits = repeat.listed and day.short and not day.plural and CODES[day.index] not in repeat.byday
    return replace(repeat, byday=tuple(sorted((*repeat.byday, CODES[day.index]), key=CODES.index))) if fits else None


for letters, codes in TIMETABLES.items():
    RULES.rule("on|?", letters)(lambda codes=codes: Repeat("WEEKLY", byday=tuple(codes.split(",")), listed=True))
RULES.rule("m", "/", "w", "/", "f")(lambda: Repeat("WEEKLY", byday=("MO", "WE", "FR"), listed=True))
RULES.rule("t", "/", "th")(lambda: Repeat("WEEKLY", byday=("TU", "TH"), listed=True))


@RULES.rule("from|?", Weekday, THROUGH_WORDS, Weekday, ",|from|?", Range)
def _hours_on_days(first: Weekday, last: Weekday, hours: Range) -> Repeat | None:
    """Like "monday to friday 9am-5pm": hours on each of those days."""
    clocks = hours.start and hours.end and hours.start.time and hours.end.time and hours.role == "when"
    if not clocks or hours.start is None or hours.end is None or hours.start.day or hours.end.day or last.plural:
        return None
    days = [(first.index + step) % 7 for step in range((last.index - first.index) % 7 + 1)]
    byday = tuple(CODES[day] for day in sorted(days))
    return Repeat("WEEKLY", byday=byday, time=hours.start.time, end_time=hours.end.time, listed=True)


@RULES.rule(Weekday, THROUGH_WORDS, Weekday, ",|at|?", OfDay)
def _clock_on_days(first: Weekday, last: Weekday, clock: OfDay) -> Repeat | None:
    """Like "monday to thursday at 9": at that hour on each of those days."""
    span = _hours_on_days(first, last, Range(Moment(time=clock), Moment(time=clock)))
    return span and replace(span, end_time=None)


@RULES.rule("at|?", OfDay, ",|on|?", Weekday, THROUGH_WORDS, Weekday)
def _clock_before_days(clock: OfDay, first: Weekday, last: Weekday) -> Repeat | None:
    """Like "9am mon-fri"."""
    return _clock_on_days(first, last, clock)


@RULES.rule(Number, "-|to|till|until", Number, ",|on|?", Weekday, THROUGH_WORDS, Weekday)
def _bare_hours_before_days(begin: Number, end: Number, first: Weekday, last: Weekday) -> Repeat | None:
    """Like "9-5 mon-fri"."""
    return _bare_hours_on_days(first, last, begin, end)


@RULES.rule("from|?", Weekday, THROUGH_WORDS, Weekday, ",|from|?", Number, "-|to|till|until", Number)
def _bare_hours_on_days(first: Weekday, last: Weekday, begin: Number, end: Number) -> Repeat | None:
    clocks = hour(begin), hour(end)
    hours = Range(Moment(time=clocks[0]), Moment(time=clocks[1]))
    return _hours_on_days(first, last, hours) if all(clocks) else None


@RULES.rule("from|?", Number, "-|to|till|until", Number, ",|on|from|?", Weekday, THROUGH_WORDS, Weekday)
def _bare_hours_then_days(begin: Number, end: Number, first: Weekday, last: Weekday) -> Repeat | None:
    return _bare_hours_on_days(first, last, begin, end)


@RULES.rule(Repeat, ",|from|?", Number, "-|to|till|until", Number)
def _every_from_to(repeat: Repeat, begin: Number, end: Number) -> Repeat | None:
    """Like "weekdays 9 to 5"."""
    clocks = hour(begin), hour(end)
    free = repeat.time is None and not repeat.until and repeat.freq in ("DAILY", "WEEKLY")
    return replace(repeat, time=clocks[0], end_time=clocks[1]) if free and all(clocks) else None
