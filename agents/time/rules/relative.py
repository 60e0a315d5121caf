"""Moments told from now or from another one: "in 2 weeks' time", "an hour before noon", "+15 min"."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.rules.clock import hour
from agents.time.rules.days import shift_day
from agents.time.rules.ranges import coming_units
from agents.time.values import ELAPSED, NOW, Day, Grain, Length, Moment, Number, OfDay, Range, Unit

RULES = Grammar()
LETTERS: dict[str, Grain] = {"d": "day", "w": "week", "mo|mon|mons": "month", "y": "year"}
DAYS_AND_MORE = ("day", "workday", "week", "month", "year")


AT_LEAST = "more than|at least|over|no less than"
NEARLY_WORDS = "about|around|just|exactly|like|roughly|approximately|approx|maybe|say|only|?"


@RULES.rule("in|within|after", NEARLY_WORDS, "a|?", Length)
@RULES.rule(Length, "' time")
@RULES.rule("in|within", Length, "'|'s|?", "time")
@RULES.rule("-", Length, sign=-1)
def _count_from_now(length: Length, sign: int = 1) -> Moment:
    return Moment(shift=length, sign=sign)


@RULES.rule("in", NEARLY_WORDS, "a|?", Length)
@RULES.rule(Length, "from", "now|today")
def _day_ahead(length: Length) -> Day | None:
    """The day that is meant, for what is said beside it: "in 3 days from 2 to 4"."""
    count, grain = length.parts[0]
    whole = len(length.parts) == 1 and count == int(count) and length.least is None
    return Day("offset", (count, grain)) if whole and grain in DAYS_AND_MORE else None


@RULES.rule(Length, "from now|from today|from right|from right now|later|hence", sign=1)
@RULES.rule("+", Length, sign=1)
@RULES.rule(Length, "ago|back|earlier|prior", sign=-1)
def _on_or_back(length: Length, sign: int) -> Moment | None:
    """Weekends from now and ago are counted by their Saturdays, see weekdays.py."""
    return _count_from_now(length, sign) if length.parts[0][1] != "weekend" else None


@RULES.rule(OfDay, ",|?", Moment)
def _at_shifted(clock: OfDay, moment: Moment) -> Moment | None:
    days = moment.shift and all(grain not in ELAPSED for _, grain in moment.shift.parts)
    return replace(moment, time=clock) if days and moment.time is None and moment.base is None else None


RULES.rule(Moment, ",|at|?", OfDay)(lambda moment, clock: _at_shifted(clock, moment))


@RULES.rule(Day, Moment)
def _today_in(day: Day, moment: Moment) -> Moment | None:
    """Like "today in one hour": the day only repeats what the length says."""
    return moment if day.args == (0, "day") and moment.shift and moment.sign > 0 else None


@RULES.rule(Length, "before|prior", "to|?", Moment, sign=-1)
@RULES.rule(Length, "after|from|past", Moment, sign=1)
def _from(length: Length, moment: Moment, sign: int) -> Moment | None:
    """Elapsed time from a clock time that was said; days have their own rules."""
    elapsed = all(grain in ELAPSED for _, grain in length.parts)
    return Moment(shift=length, sign=sign, base=moment) if elapsed and moment.time is not None else None


@RULES.rule(Length, "before", Number)
def _before_hour(length: Length, number: Number) -> Moment | None:
    clock = hour(number)
    return _from(length, Moment(time=clock), -1) if clock else None


@RULES.rule("in|within", "less than|under|no more than|at most|not more than", Length)
def _at_most(length: Length) -> Range:
    return Range(None, Moment(shift=length), role="deadline")


@RULES.rule("in", AT_LEAST, Length)
def _at_least(length: Length) -> Range:
    return Range(Moment(shift=length), None, role="after")


@RULES.rule(AT_LEAST, Length, "after|from", Day)
def _at_least_after(length: Length, day: Day) -> Range | None:
    """Like "more than 3 days after christmas"."""
    begin = shift_day(length, day, 1)
    return Range(Moment(begin), None, role="after") if begin else None


def _short(number: Number, rest: Length | None = None, *, grain: Grain) -> Length | None:
    """Like "3d", "1w and 2 hours"."""
    fits = number.form == "digits" and not number.ordinal
    return Length(((number.value, grain), *(rest.parts if rest else ()))) if fits else None


def _short_from_now(number: Number, rest: Length | None = None, *, grain: Grain, sign: int = 1) -> Moment | None:
    length = _short(number, rest, grain=grain)
    return _count_from_now(length, sign) if length else None


for letters, grain in LETTERS.items():
    RULES.rule("in|within|+", Number, letters, grain=grain)(_short_from_now)
    RULES.rule("in|within|+", Number, letters, ",|and|?", Length, grain=grain)(_short_from_now)
    RULES.rule(Number, letters, "later|hence|from now", grain=grain)(_short_from_now)
    RULES.rule(Number, letters, "ago", grain=grain, sign=-1)(_short_from_now)
    RULES.rule("-", Number, letters, grain=grain, sign=-1)(_short_from_now)
    RULES.rule("for", Number, letters, grain=grain)(_short)

    @RULES.rule(Number, letters, Length, grain=grain)
    def _short_and_length(number: Number, rest: Length, grain: Grain) -> Length | None:
        return _short(number, rest, grain=grain) if rest.parts[0][1] in ELAPSED else None


@RULES.rule("in|within|over|?", "the|?", "next|coming|following", Unit)
def _next_unit(unit: Unit) -> Range | None:
    return _until_then(Length(((1, unit.grain),))) if unit.grain in ELAPSED else None


@RULES.rule("in|within|over|?", "the|?", "next|coming|following", Length)
def _next_length(length: Length) -> Range | None:
    return _until_then(length) if len(length.parts) > 1 or length.parts[0][1] in ELAPSED else None


@RULES.rule("the|?", "last|past|previous", Length)
def _last_length(length: Length) -> Range | None:
    return Range(Moment(shift=length, sign=-1), NOW) if len(length.parts) > 1 else None


@RULES.rule("the|?", "last|past|previous", Unit)
def _last_unit(unit: Unit) -> Range | None:
    """Not "last minute", which is a manner of speaking."""
    return Range(Moment(shift=Length(((1, "hour"),)), sign=-1), NOW) if unit.grain == "hour" else None


@RULES.rule("in|within|over|?", "the|?", "next|coming|following", Unit, "and", Length)
def _next_unit_and(unit: Unit, length: Length) -> Range | None:
    """Like "within the next day and 5 hours"."""
    smaller = unit.grain in ("day", "hour") and all(grain in ELAPSED for _, grain in length.parts)
    return _until_then(Length(((1, unit.grain), *length.parts))) if smaller else None


RULES.rule("in|within|over|?", "the|?", "next|coming|following", "fortnight")(
    lambda: coming_units(Number(2), Unit("week"), 1)
)


def _until_then(length: Length) -> Range:
    return Range(NOW, Moment(shift=length))


RULES.rule("right now|just now")(lambda: NOW)
RULES.rule("between|from", "now", "and|until|till|to|-", Moment)(lambda moment: Range(NOW, moment))


@RULES.rule("between|from", "now", "and|until|till|to|-", Number)
def _now_until_hour(number: Number) -> Range | None:
    clock = hour(number)
    return Range(NOW, Moment(time=clock)) if clock else None


@RULES.rule("between|from|since|?", Moment, "and|until|till|to|-", "now")
def _until_now(moment: Moment) -> Range | None:
    return Range(moment, NOW) if moment.day is not None else None
