"""Intervals between clock times written with dots: "tues 6-7.30", "9.15-10 on friday"; see ranges.py for "from 6 to 7.30"."""

from __future__ import annotations

from agents.time.chart import Grammar
from agents.time.rules.clock import hours
from agents.time.rules.ranges import DASH, on_the_day
from agents.time.values import Day, Dotted, Number, Range

RULES = Grammar()


def _day_first(day: Day, first: Number | Dotted, last: Number | Dotted) -> Range | None:
    span = hours(first, last)
    return span and on_the_day(day, span)


def _day_last(first: Number | Dotted, last: Number | Dotted, day: Day) -> Range | None:
    return _day_first(day, first, last)


for start, end in ((Dotted, Dotted), (Number, Dotted), (Dotted, Number)):
    RULES.rule("on|for|?", Day, ",|at|?", start, DASH, end)(_day_first)
    RULES.rule(start, DASH, end, ",|on|?", Day)(_day_last)
    RULES.rule("at|?", start, "until|till|til", end)(hours)
