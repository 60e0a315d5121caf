"""Numbers and lengths of time: "twenty-five", "half an hour", "an hour and a half", "2h30"."""

from __future__ import annotations

from agents.understanding.time.chart import Grammar
from agents.understanding.time.values import Length, Moment, Number, OfDay, Unit

RULES = Grammar()

TENS = (20, 30, 40, 50, 60, 70, 80, 90)


@RULES.rule(Number, "-|?", Number)
def _tens_and_ones(tens: Number, ones: Number) -> Number | None:
    plain_words = tens.form == ones.form == "words" and not tens.ordinal
    return Number(tens.value + ones.value, ordinal=ones.ordinal) if plain_words and _tens(tens, ones) else None


@RULES.rule(Number, "st|nd|rd|th")
def _numeral_ordinal(number: Number) -> Number | None:
    fits = number.form == "digits" and number.width <= 2
    return Number(number.value, "digits", ordinal=True, width=number.width) if fits else None


@RULES.rule(Number, "and", "a", "half")
def _and_a_half(number: Number) -> Number | None:
    return None if number.ordinal else Number(number.value + 0.5, number.form, width=9)


@RULES.rule(Number, "and", "a", "quarter")
def _and_a_quarter(number: Number) -> Number | None:
    return None if number.ordinal else Number(number.value + 0.25, number.form, width=9)


RULES.rule("a|?", "couple", "of|?")(lambda: Number(2))
RULES.rule("a|?", "few")(lambda: Number(3))
RULES.rule("a|?", "dozen")(lambda: Number(12))
RULES.rule("half", "a|an|?")(lambda: Number(0.5, width=9))
RULES.rule("a|?", "quarter", "of", "an|a|?")(lambda: Number(0.25, width=9))
RULES.rule("three", "quarters", "of", "an|a")(lambda: Number(0.75, width=9))


def _tens(tens: Number, ones: Number) -> bool:
    return tens.value in TENS and 0 < ones.value < 10 and ones.whole is not None


@RULES.rule(Number, "-|?", Unit)
def _counted(number: Number, unit: Unit) -> Length | None:
    return None if number.ordinal else Length(((number.value, unit.grain),))


@RULES.rule("a|an", Unit)
def _single(unit: Unit) -> Length:
    return Length(((1, unit.grain),))


@RULES.rule("a|an", Unit, "and", "a", "half")
def _single_and_half(unit: Unit) -> Length:
    return Length(((1.5, unit.grain),))


@RULES.rule(Number, Unit, "and", "a", "half")
def _counted_and_half(number: Number, unit: Unit) -> Length | None:
    return None if number.ordinal else Length(((number.value + 0.5, unit.grain),))


@RULES.rule(Number, "business|working|work", "day|days")
def _workdays(number: Number) -> Length:
    return Length(((number.value, "workday"),))


RULES.rule("a", Length)(lambda length: length if length.parts == ((2, "week"),) else None)


@RULES.rule(Length, "and|,|?", Length)
def _sum_of(first: Length, second: Length) -> Length | None:
    order = ("year", "quarter", "month", "week", "workday", "day", "hour", "minute", "second")
    falls = order.index(first.parts[-1][1]) < order.index(second.parts[0][1]) if _countable(first, second) else False
    return Length(first.parts + second.parts) if falls else None


@RULES.rule(OfDay, "from", "now")
def _clock_like(clock: OfDay) -> Moment:
    return Moment(shift=Length(((clock.hour, "hour"), (clock.minute, "minute"))))


def _countable(*lengths: Length) -> bool:
    return all(grain != "weekend" for length in lengths for _, grain in length.parts)
