"""Moments told from now or from another one: "in 2 weeks' time", "an hour before noon", "+15 min"."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.rules.clock import hour
from agents.time.rules.days import after_day
from agents.time.rules.ranges import coming_units
from agents.time.values import Day, Grain, Length, Moment, Number, OfDay, Range, Unit

RULES = Grammar()
LETTERS: tuple[tuple[str, Grain], ...] = (
    ("d", "day"),
    ("w", "week"),
    ("mo", "month"),
    ("mon", "month"),
    ("mons", "month"),
    ("y", "year"),
)
DAYS_AND_MORE = ("day", "workday", "week", "month", "year")
ELAPSED = ("hour", "minute", "second")


NEARLY_WORDS = "about|around|just|exactly|like|roughly|approximately|approx|maybe|say|only|?"


RULES.rule("in|within|after", NEARLY_WORDS, "a|?", Length)(lambda length: Moment(shift=length))


@RULES.rule("in", NEARLY_WORDS, "a|?", Length)
@RULES.rule(Length, "from", "now|today")
def _day_ahead(length: Length) -> Day | None:
    """The day that is meant, for what is said beside it: "in 3 days from 2 to 4"."""
    count, grain = length.parts[0]
    whole = len(length.parts) == 1 and count == int(count) and length.least is None
    return Day("offset", (count, grain)) if whole and grain in DAYS_AND_MORE else None


@RULES.rule(Length, "'", "time")
@RULES.rule("in|within", Length, "'|'s|?", "time")
def _in_weeks_time(length: Length) -> Moment:
    return Moment(shift=length)


@RULES.rule(Length, "from", "now|today|right")
def _from_now(length: Length) -> Moment | None:
    """Weekends from now are counted by their Saturdays, see rules_weekdays."""
    return Moment(shift=length) if length.parts[0][1] != "weekend" else None


RULES.rule(Length, "from", "right", "now")(_from_now)
RULES.rule("+", Length)(_from_now)
RULES.rule("-", Length)(lambda length: Moment(shift=length, sign=-1))
RULES.rule(Length, "later|hence")(_from_now)


@RULES.rule(Length, "ago|back|earlier|prior")
def _ago(length: Length) -> Moment | None:
    """Weekends ago are counted by their Saturdays, see rules_weekdays."""
    return Moment(shift=length, sign=-1) if length.parts[0][1] != "weekend" else None


@RULES.rule(OfDay, ",|?", Moment)
def _at_shifted(clock: OfDay, moment: Moment) -> Moment | None:
    days = moment.shift and all(grain not in ELAPSED for _, grain in moment.shift.parts)
    return replace(moment, time=clock) if days and moment.time is None and moment.base is None else None


RULES.rule(Moment, ",|at|?", OfDay)(lambda moment, clock: _at_shifted(clock, moment))


@RULES.rule(Day, Moment)
def _today_in(day: Day, moment: Moment) -> Moment | None:
    """Like "today in one hour": the day only repeats what the length says."""
    return moment if day.args == (0, "day") and moment.shift and moment.sign > 0 else None


RULES.rule(Length, "before|prior", "to|?", Moment)(lambda length, moment: _from(length, moment, -1))
RULES.rule(Length, "after|from|past", Moment)(lambda length, moment: _from(length, moment, 1))


@RULES.rule(Length, "before", Number)
def _before_hour(length: Length, number: Number) -> Moment | None:
    clock = hour(number)
    return _from(length, Moment(time=clock), -1) if clock and number.width <= 2 else None


for words in ("less than", "under", "no more than", "at most", "not more than"):

    def _at_most(length: Length) -> Range:
        return Range(None, Moment(shift=length), role="deadline")

    RULES.rule("in|within", *words.split(), Length)(_at_most)
for words in ("more than", "at least", "over", "no less than"):

    def _at_least(length: Length) -> Range:
        return Range(Moment(shift=length), None, role="after")

    def _at_least_after(length: Length, day: Day) -> Range | None:
        """Like "more than 3 days after christmas"."""
        begin = after_day(length, day)
        return Range(Moment(begin), None, role="after") if begin else None

    RULES.rule("in", *words.split(), Length)(_at_least)
    RULES.rule(*words.split(), Length, "after|from", Day)(_at_least_after)


def _from(length: Length, moment: Moment, sign: int) -> Moment | None:
    """Elapsed time from a clock time that was said; days have their own rules."""
    elapsed = all(grain in ELAPSED for _, grain in length.parts)
    return Moment(shift=length, sign=sign, base=moment) if elapsed and moment.time is not None else None


for letter, unit in LETTERS:

    def _short(number: Number, grain: Grain = unit) -> Length | None:
        return None if number.ordinal or number.form != "digits" else Length(((number.value, grain),))

    def _in_short(number: Number, grain: Grain = unit) -> Moment | None:
        length = _short(number, grain)
        return Moment(shift=length) if length else None

    def _short_ago(number: Number, grain: Grain = unit) -> Moment | None:
        length = _short(number, grain)
        return Moment(shift=length, sign=-1) if length else None

    def _for_short(number: Number, grain: Grain = unit) -> Length | None:
        return _short(number, grain)

    def _in_mixed(number: Number, rest: Length, grain: Grain = unit) -> Moment | None:
        length = _short(number, grain)
        return Moment(shift=Length(length.parts + rest.parts)) if length else None

    RULES.rule("in|within|+", Number, letter)(_in_short)
    RULES.rule("in|within|+", Number, letter, ",|and|?", Length)(_in_mixed)
    RULES.rule(Number, letter, "later|hence")(_in_short)
    RULES.rule(Number, letter, "from", "now")(_in_short)
    RULES.rule(Number, letter, "ago")(_short_ago)
    RULES.rule("-", Number, letter)(_short_ago)
    RULES.rule("for", Number, letter)(_for_short)

    def _short_and_length(number: Number, rest: Length, grain: Grain = unit) -> Length | None:
        length = _short(number, grain)
        return Length(length.parts + rest.parts) if length and rest.parts[0][1] in ELAPSED else None

    RULES.rule(Number, letter, Length)(_short_and_length)


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


NOW = Moment(shift=Length(((0, "second"),)))


@RULES.rule("in|within|over|?", "the|?", "next|coming|following", Unit, "and", Length)
def _next_unit_and(unit: Unit, length: Length) -> Range | None:
    """Like "within the next day and 5 hours"."""
    smaller = unit.grain in ("day", "hour") and all(grain in ELAPSED for _, grain in length.parts)
    return _until_then(Length(((1, unit.grain), *length.parts))) if smaller else None


RULES.rule("in|within|over|?", "the|?", "next|coming|following", "fortnight")(
    lambda: coming_units(Number(2), "week", 1)
)


def _until_then(length: Length) -> Range:
    return Range(NOW, Moment(shift=length))


RULES.rule("right|just", "now")(lambda: NOW)
RULES.rule("between|from", "now", "and|until|till|to|-", Moment)(lambda moment: Range(NOW, moment))


@RULES.rule("between|from", "now", "and|until|till|to|-", Number)
def _now_until_hour(number: Number) -> Range | None:
    clock = hour(number)
    return Range(NOW, Moment(time=clock)) if clock and number.width <= 2 else None


@RULES.rule("between|from|since|?", Moment, "and|until|till|to|-", "now")
def _until_now(moment: Moment) -> Range | None:
    return Range(moment, NOW) if moment.day is not None else None
