"""Intervals between clock times written with dots: "tues 6-7.30", "from 14.00 to 15.30", "9.15-10 on friday"."""

from __future__ import annotations

from agents.time.chart import Grammar
from agents.time.rules.clock import hour, of_dotted
from agents.time.rules.ranges import DASH, on_the_day
from agents.time.values import Day, Dotted, Moment, Number, OfDay, Range

RULES = Grammar()
Hour = Number | Dotted
PAIRS = ((Dotted, Dotted), (Number, Dotted), (Dotted, Number))


def _between(first: Hour, last: Hour) -> Range | None:
    start, end = _clock(first), _clock(last)
    return Range(Moment(time=start), Moment(time=end)) if start and end else None


def _clock(said: Hour) -> OfDay | None:
    return of_dotted(said) if isinstance(said, Dotted) else hour(said)


def _day_first(day: Day, first: Hour, last: Hour) -> Range | None:
    span = _between(first, last)
    return span and on_the_day(day, span)


def _day_last(first: Hour, last: Hour, day: Day) -> Range | None:
    return _day_first(day, first, last)


for pair in PAIRS:
    RULES.rule("from|between", pair[0], f"{DASH}|and|&", pair[1])(_between)
    RULES.rule("on|for|?", Day, ",|at|?", pair[0], DASH, pair[1])(_day_first)
    RULES.rule(pair[0], DASH, pair[1], ",|on|?", Day)(_day_last)
    RULES.rule("at|?", pair[0], "until|till|til", pair[1])(_between)
