"""Numbers and lengths of time: "twenty-five", "half an hour", "an hour and a half", "2h30"."""

from __future__ import annotations

from agents.understanding.time.chart import Grammar
from agents.understanding.time.values import Length, Moment, Number, OfDay, Unit

TENS = (20, 30, 40, 50, 60, 70, 80, 90)


def register(grammar: Grammar) -> None:
    """Add these rules to a grammar."""
    _numbers(grammar)
    _lengths(grammar)
    _joined(grammar)


def _numbers(grammar: Grammar) -> None:
    @grammar.rule(Number, "-|?", Number)
    def tens_and_ones(tens: Number, ones: Number) -> Number | None:
        plain_words = tens.form == ones.form == "words" and not tens.ordinal
        return Number(tens.value + ones.value, ordinal=ones.ordinal) if plain_words and _tens(tens, ones) else None

    @grammar.rule(Number, "st|nd|rd|th")
    def numeral_ordinal(number: Number) -> Number | None:
        fits = number.form == "digits" and number.width <= 2
        return Number(number.value, "digits", ordinal=True, width=number.width) if fits else None

    @grammar.rule(Number, "and", "a", "half")
    def and_a_half(number: Number) -> Number | None:
        return None if number.ordinal else Number(number.value + 0.5, number.form, width=9)

    @grammar.rule(Number, "and", "a", "quarter")
    def and_a_quarter(number: Number) -> Number | None:
        return None if number.ordinal else Number(number.value + 0.25, number.form, width=9)

    grammar.rule("a|?", "couple", "of|?")(lambda: Number(2))
    grammar.rule("a|?", "few")(lambda: Number(3))
    grammar.rule("a|?", "dozen")(lambda: Number(12))
    grammar.rule("half", "a|an|?")(lambda: Number(0.5, width=9))
    grammar.rule("a|?", "quarter", "of", "an|a|?")(lambda: Number(0.25, width=9))
    grammar.rule("three", "quarters", "of", "an|a")(lambda: Number(0.75, width=9))


def _tens(tens: Number, ones: Number) -> bool:
    return tens.value in TENS and 0 < ones.value < 10 and ones.whole is not None


def _lengths(grammar: Grammar) -> None:
    @grammar.rule(Number, "-|?", Unit)
    def counted(number: Number, unit: Unit) -> Length | None:
        return None if number.ordinal else Length(((number.value, unit.grain),))

    @grammar.rule("a|an", Unit)
    def single(unit: Unit) -> Length:
        return Length(((1, unit.grain),))

    @grammar.rule("a|an", Unit, "and", "a", "half")
    def single_and_half(unit: Unit) -> Length:
        return Length(((1.5, unit.grain),))

    @grammar.rule(Number, Unit, "and", "a", "half")
    def counted_and_half(number: Number, unit: Unit) -> Length | None:
        return None if number.ordinal else Length(((number.value + 0.5, unit.grain),))

    @grammar.rule(Number, "business|working|work", "day|days")
    def workdays(number: Number) -> Length:
        return Length(((number.value, "workday"),))

    grammar.rule("a", Length)(lambda length: length if length.parts == ((2, "week"),) else None)


def _joined(grammar: Grammar) -> None:
    @grammar.rule(Length, "and|,|?", Length)
    def sum_of(first: Length, second: Length) -> Length | None:
        order = ("year", "quarter", "month", "week", "workday", "day", "hour", "minute", "second")
        falls = (
            order.index(first.parts[-1][1]) < order.index(second.parts[0][1]) if _countable(first, second) else False
        )
        return Length(first.parts + second.parts) if falls else None

    @grammar.rule(OfDay, "from", "now")
    def clock_like(clock: OfDay) -> Moment:
        return Moment(shift=Length(((clock.hour, "hour"), (clock.minute, "minute"))))


def _countable(*lengths: Length) -> bool:
    return all(grain != "weekend" for length in lengths for _, grain in length.parts)
