"""Numbers and lengths of time: "twenty-five", "half an hour", "2h30"; with a margin: "5 to 10 minutes", "an hour or so"."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.values import Grain, Length, Moment, Number, OfDay, Range, Unit

RULES = Grammar()

LONGEST_IN_HOURS = 12
SMALLER: dict[Grain, Grain] = {"hour": "minute", "minute": "second"}
LARGEST_FIRST = ("year", "quarter", "month", "week", "workday", "day", "hour", "minute", "second")


@RULES.rule(Number, "-|?", Number)
def _tens_and_ones(tens: Number, ones: Number) -> Number | None:
    words = tens.form == ones.form == "words" and not tens.ordinal and ones.whole
    fits = words and tens.value in range(20, 100, 10) and 0 < ones.value < 10
    return Number(tens.value + ones.value, ordinal=ones.ordinal) if fits else None


@RULES.rule(Number, "st|nd|rd|th")
def _numeral_ordinal(number: Number) -> Number | None:
    fits = number.form == "digits" and number.width <= 3
    return Number(number.value, "digits", ordinal=True, width=number.width) if fits else None


# Width 9 keeps vague counts and fractions from being read as hours, days or years.
RULES.rule("a|?", "couple", "of|?")(lambda: Number(2, width=9))
RULES.rule("a|?", "few|several")(lambda: Number(3, width=9))
RULES.rule("a|?", "dozen")(lambda: Number(12, width=9))
RULES.rule("half", "of|?", "a|an|?")(lambda: Number(0.5, width=9))
RULES.rule("one|1", "-|?", "half", "of|?", "a|an|?")(lambda: Number(0.5, width=9))
RULES.rule("a|one|?", "quarter", "of|?", "a|an|?")(lambda: Number(0.25, width=9))
for count, value in (("two|2", 0.5), ("three|3", 0.75)):
    RULES.rule(count, "-|?", "quarter|quarters", "of|?", "a|an|?")(lambda value=value: Number(value, width=9))


@RULES.rule(Number, "-|?", Number)
def _written_fraction(number: Number, fraction: Number) -> Number | None:
    """Read "1 1/2", "2-3/4"; "one half" is less than one."""
    return _and_fraction(number, fraction) if number.form == fraction.form == "digits" else None


@RULES.rule(Number, "and|&", "a|?", Number)
@RULES.rule(Number, "- and - a -", Number)
def _and_fraction(number: Number, fraction: Number) -> Number | None:
    fits = number.whole and number.width < 3 and not number.ordinal and fraction.width == 9 and 0 < fraction.value < 1
    return Number(number.value + fraction.value, number.form, width=9) if fits else None


@RULES.rule(Number, "hundred", "and|?", Number)
def _hundreds(hundreds: Number, rest: Number) -> Number | None:
    fits = hundreds.form == rest.form == "words" and 10 <= hundreds.value <= 21 and 0 < rest.value < 100
    return Number(100 * hundreds.value + rest.value, width=4) if fits and rest.whole and not rest.ordinal else None


RULES.rule("two thousand", "and|?", Number)(lambda rest: _hundreds(Number(20), rest))


@RULES.rule("nineteen", Number, century=1900)
@RULES.rule("twenty", Number, century=2000)
def _century_and(rest: Number, century: int) -> Number | None:
    fits = rest.form == "words" and rest.whole and 10 <= rest.value < 100 and rest.width == 0 and not rest.ordinal
    return Number(century + rest.value, width=4) if fits else None


@RULES.rule(Number, "-|?", Unit)
def number_and_unit(number: Number, unit: Unit) -> Length | None:
    """So many units; none for a rank or for nothing."""
    return None if number.ordinal or number.value <= 0 else Length(((number.value, unit.grain),))


@RULES.rule(Number, "of|?", "a|an", Unit)
def _fraction_of(number: Number, unit: Unit) -> Length | None:
    """Like "1/2 an hour"."""
    return number_and_unit(number, unit) if 0 < number.value < 1 else None


RULES.rule("a|an", Unit)(lambda unit: Length(((1, unit.grain),)))
RULES.rule("hour and a half")(lambda: Length(((1.5, "hour"),)))


@RULES.rule(Number, Unit, "and", "a|?", Number)
def _counted_and_fraction(number: Number, unit: Unit, fraction: Number) -> Length | None:
    fits = not number.ordinal and fraction.width == 9 and 0 < fraction.value < 1
    return Length(((number.value + fraction.value, unit.grain),)) if fits else None


RULES.rule("a|an", Unit, "and", "a|?", Number)(lambda unit, rest: _counted_and_fraction(Number(1), unit, rest))


@RULES.rule(Number, Unit, Number)
def _hours_and_minutes(number: Number, unit: Unit, minutes: Number) -> Length | None:
    """Like "2 hours ten", "1 minute 20": the smaller unit goes without saying."""
    smaller = SMALLER.get(unit.grain)
    fits = smaller is not None and not number.ordinal and not minutes.ordinal and 0 < minutes.value < 60
    whole = minutes.whole is not None and (minutes.form == "words" or (minutes.width == 2 and minutes.value % 5 == 0))
    return Length(((number.value, unit.grain), (minutes.value, smaller))) if fits and whole and smaller else None


@RULES.rule(Number, "h|hr|hrs", Number)
def _h_and_digits(number: Number, minutes: Number) -> Length | None:
    """Like "1h 30"."""
    digits = number.form == minutes.form == "digits" and minutes.width == 2 and 0 < minutes.value < 60
    whole = digits and not minutes.ordinal and number.value <= LONGEST_IN_HOURS
    return Length(((number.value, "hour"), (minutes.value, "minute"))) if whole else None


@RULES.rule("a|an", "hour", Number)
def _an_hour_and(minutes: Number) -> Length | None:
    fits = minutes.form == "words" and minutes.whole is not None and 10 <= minutes.value < 60 and not minutes.ordinal
    return Length(((1, "hour"), (minutes.value, "minute"))) if fits else None


@RULES.rule(Length, "m|min|mins|minutes")
def _minutes_said(length: Length) -> Length | None:
    """Like "1h30m", whose "1h30" is one word."""
    return length if len(length.parts) == 2 and length.parts[1][1] == "minute" else None


@RULES.rule("for", Number, "'")
def _minute_sign(number: Number) -> Length | None:
    return Length(((number.value, "minute"),)) if number.form == "digits" and not number.ordinal else None


RULES.rule(Number, "more|extra|additional|other|full|whole|entire|solid|straight|consecutive|successive", Unit)(
    number_and_unit
)


@RULES.rule("another|one", "more|full|whole|?", Unit)
@RULES.rule("a|an|one", "full|whole|entire|solid|further|extra|additional", Unit)
def _another(unit: Unit) -> Length:
    return Length(((1, unit.grain),))


RULES.rule("a good hour")(lambda: Length(((1, "hour"),)))
RULES.rule("a", "good|full|whole|solid|further", Length)(lambda length: length)
RULES.rule(Number, "business|working|work", "day|days")(lambda number: Length(((number.value, "workday"),)))


@RULES.rule(Number, "nights|night")
def _nights(number: Number) -> Length | None:
    counted = number.form == "digits" or number.value > 1
    return Length(((number.value, "day"),)) if counted and number.whole and not number.ordinal else None


@RULES.rule(Number, "decades|decade", times=10, grain="year")
@RULES.rule(Number, "fortnights|fortnight", times=2, grain="week")
def _several_units(number: Number, times: int, grain: Grain) -> Length | None:
    return None if number.ordinal or number.value <= 0 else Length(((times * number.value, grain),))


RULES.rule("a decade")(lambda: Length(((10, "year"),)))
RULES.rule("a", Length)(lambda length: length if length.parts == ((2, "week"),) else None)


@RULES.rule(Length, "and|,|, and|?", Length)
def _sum_of(first: Length, second: Length) -> Length | None:
    ranks = [LARGEST_FIRST.index(grain) for _, grain in (first.parts[-1], second.parts[0]) if grain != "weekend"]
    falls = len(ranks) == 2 and ranks[0] < ranks[1] and first.least is None and second.least is None
    return Length(first.parts + second.parts) if falls else None


@RULES.rule(OfDay, "from now")
def _clock_like(clock: OfDay) -> Moment:
    return Moment(shift=Length(((clock.hour, "hour"), (clock.minute, "minute"))))


@RULES.rule(Number, "to|or|-|–", Number, "-|?", Unit)
@RULES.rule("between", Number, "and", Number, Unit)
@RULES.rule("from", Number, "to", Number, Unit)
def _between(least: Number, most: Number, unit: Unit) -> Length | None:
    """The longer one counts; the shorter one is kept beside it."""
    fits = not least.ordinal and least.form == most.form and 0 < least.value < most.value and least.width < 4
    longer = number_and_unit(most, unit) if fits and unit.grain != "weekend" else None
    return longer and replace(longer, least=least.value)


RULES.rule("a|an|one", Unit, "or", "two|2")(lambda unit: Length(((2, unit.grain),), least=1))
RULES.rule(Length, "or so")(lambda length: length)


@RULES.rule("in", "about|around|?", Length)
def _in_between(length: Length) -> Range | None:
    if length.least is None:
        return None
    soonest = Length(((length.least, length.parts[0][1]),))
    return Range(Moment(shift=soonest), Moment(shift=replace(length, least=None)))
