"""Numbers and lengths of time: "twenty-five", "half an hour", "an hour and a half", "2h30"."""

from __future__ import annotations

from agents.time.chart import Grammar
from agents.time.values import Grain, Length, Moment, Number, OfDay, Unit

RULES = Grammar()

LONGEST_IN_HOURS = 12
SMALLER: dict[Grain, Grain] = {"hour": "minute", "minute": "second"}
TENS = (20, 30, 40, 50, 60, 70, 80, 90)


@RULES.rule(Number, "-|?", Number)
def _tens_and_ones(tens: Number, ones: Number) -> Number | None:
    plain_words = tens.form == ones.form == "words" and not tens.ordinal
    return Number(tens.value + ones.value, ordinal=ones.ordinal) if plain_words and _tens(tens, ones) else None


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
@RULES.rule(Number, "-", "and", "-", "a", "-", Number)
def _and_fraction(number: Number, fraction: Number) -> Number | None:
    fits = number.whole and number.width < 3 and not number.ordinal and fraction.width == 9 and 0 < fraction.value < 1
    return Number(number.value + fraction.value, number.form, width=9) if fits else None


@RULES.rule(Number, "hundred", "and|?", Number)
def _hundreds(hundreds: Number, rest: Number) -> Number | None:
    fits = hundreds.form == rest.form == "words" and 10 <= hundreds.value <= 21 and 0 < rest.value < 100
    return Number(100 * hundreds.value + rest.value, width=4) if fits and rest.whole and not rest.ordinal else None


@RULES.rule("two", "thousand", "and|?", Number)
def _two_thousand(rest: Number) -> Number | None:
    fits = rest.form == "words" and rest.whole and 0 < rest.value < 100 and not rest.ordinal
    return Number(2000 + rest.value, width=4) if fits else None


for century, said in ((1900, "nineteen"), (2000, "twenty")):

    def _century_and(rest: Number, century: int = century) -> Number | None:
        fits = rest.form == "words" and rest.whole and 10 <= rest.value < 100 and rest.width == 0 and not rest.ordinal
        return Number(century + rest.value, width=4) if fits else None

    RULES.rule(said, Number)(_century_and)


def _tens(tens: Number, ones: Number) -> bool:
    return tens.value in TENS and 0 < ones.value < 10 and ones.whole is not None


@RULES.rule(Number, "-|?", Unit)
def number_and_unit(number: Number, unit: Unit) -> Length | None:
    """So many units; none for a rank or for nothing."""
    return None if number.ordinal or number.value <= 0 else Length(((number.value, unit.grain),))


@RULES.rule(Number, "of|?", "a|an", Unit)
def _fraction_of(number: Number, unit: Unit) -> Length | None:
    """Like "1/2 an hour"."""
    return number_and_unit(number, unit) if 0 < number.value < 1 else None


RULES.rule("a|an", Unit)(lambda unit: Length(((1, unit.grain),)))
RULES.rule("hour", "and", "a", "half")(lambda: Length(((1.5, "hour"),)))


@RULES.rule("a|an", Unit, "and", "a|?", Number)
def _single_and_fraction(unit: Unit, fraction: Number) -> Length | None:
    """Like "an hour and a quarter"."""
    return _counted_and_fraction(Number(1), unit, fraction)


@RULES.rule(Number, Unit, "and", "a|?", Number)
def _counted_and_fraction(number: Number, unit: Unit, fraction: Number) -> Length | None:
    fits = not number.ordinal and fraction.width == 9 and 0 < fraction.value < 1
    return Length(((number.value + fraction.value, unit.grain),)) if fits else None


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


RULES.rule("a", "good", "hour")(lambda: Length(((1, "hour"),)))
RULES.rule("a", "good|full|whole|solid|further", Length)(lambda length: length)
RULES.rule(Number, "business|working|work", "day|days")(lambda number: Length(((number.value, "workday"),)))


@RULES.rule(Number, "nights|night")
def _nights(number: Number) -> Length | None:
    counted = number.form == "digits" or number.value > 1
    return Length(((number.value, "day"),)) if counted and number.whole and not number.ordinal else None


@RULES.rule(Number, "decade|decades")
def _decades(number: Number) -> Length | None:
    return Length(((10 * number.value, "year"),)) if number.whole and not number.ordinal else None


@RULES.rule(Number, "fortnights|fortnight")
def _fortnights(number: Number) -> Length | None:
    return None if number.ordinal or number.value <= 0 else Length(((2 * number.value, "week"),))


RULES.rule("a", "decade")(lambda: Length(((10, "year"),)))
RULES.rule("a", Length)(lambda length: length if length.parts == ((2, "week"),) else None)


@RULES.rule(Length, ",", "and", Length)
@RULES.rule(Length, "and|,|?", Length)
def _sum_of(first: Length, second: Length) -> Length | None:
    order = ("year", "quarter", "month", "week", "workday", "day", "hour", "minute", "second")
    falls = order.index(first.parts[-1][1]) < order.index(second.parts[0][1]) if _countable(first, second) else False
    return Length(first.parts + second.parts) if falls and first.least is None and second.least is None else None


@RULES.rule(OfDay, "from", "now")
def _clock_like(clock: OfDay) -> Moment:
    return Moment(shift=Length(((clock.hour, "hour"), (clock.minute, "minute"))))


def _countable(*lengths: Length) -> bool:
    return all(grain != "weekend" for length in lengths for _, grain in length.parts)
