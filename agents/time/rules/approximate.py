"""Lengths and counts with a margin: "5 to 10 minutes", "two or three days", "in an hour or so"."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.rules.lengths import number_and_unit
from agents.time.values import Length, Moment, Number, Range, Unit

RULES = Grammar()
BETWEEN_NUMBERS = "to|or|-|–"


@RULES.rule(Number, BETWEEN_NUMBERS, Number, "-|?", Unit)
@RULES.rule("between", Number, "and", Number, Unit)
@RULES.rule("from", Number, "to", Number, Unit)
def _between(least: Number, most: Number, unit: Unit) -> Length | None:
    """The longer one counts; the shorter one is kept beside it."""
    fits = not least.ordinal and least.form == most.form and 0 < least.value < most.value and least.width < 4
    longer = number_and_unit(most, unit) if fits and unit.grain != "weekend" else None
    return longer and replace(longer, least=least.value)


RULES.rule("a|an|one", Unit, "or", "two|2")(lambda unit: Length(((2, unit.grain),), least=1))
RULES.rule(Length, "or", "so")(lambda length: length)


@RULES.rule("in", "about|around|?", Length)
def _in_between(length: Length) -> Range | None:
    if length.least is None:
        return None
    soonest = Length(((length.least, length.parts[0][1]),))
    return Range(Moment(shift=soonest), Moment(shift=replace(length, least=None)))
