"""What is said with a recurrence: its clock time, its first and last day, its number of rounds."""

from __future__ import annotations

from dataclasses import replace

from agents.understanding.time.chart import Grammar
from agents.understanding.time.rules_clock import of_part
from agents.understanding.time.rules_repeat import CODES, EVERY, WEEKEND
from agents.understanding.time.values import Length, Moment, Number, OfDay, Part, Range, Repeat, Unit, Weekday

RULES = Grammar()


@RULES.rule(Repeat, ",|?", "at|?", OfDay)
def _at_time(repeat: Repeat, clock: OfDay) -> Repeat | None:
    return None if repeat.time else replace(repeat, time=clock)


@RULES.rule(OfDay, ",|?", Repeat)
def _time_first(clock: OfDay, repeat: Repeat) -> Repeat | None:
    return None if repeat.time else replace(repeat, time=clock)


@RULES.rule(Repeat, ",|?", Range)
def _from_to(repeat: Repeat, span: Range) -> Repeat | None:
    if repeat.time or span.role != "when" or not span.start or not span.end or span.start.day or not span.start.time:
        return None
    return replace(repeat, time=span.start.time, end_time=span.end.time)


@RULES.rule(EVERY, Part)
def _every_part(part: Part) -> Repeat:
    return Repeat("DAILY", time=of_part(part))


@RULES.rule(EVERY, Weekday, Part)
def _every_weekday_part(weekday: Weekday, part: Part) -> Repeat:
    return Repeat("WEEKLY", byday=(CODES[weekday.index],), time=of_part(part))


@RULES.rule(Repeat, "in|at|?", "the|?", Part)
def _in_part(repeat: Repeat, part: Part) -> Repeat | None:
    return None if repeat.time else replace(repeat, time=of_part(part))


def _lasting(repeat: Repeat, length: Length) -> Repeat | None:
    long = length.parts[0][1] in ("week", "month", "year", "day")
    return replace(repeat, until=Moment(shift=length)) if long and not repeat.until else None


@RULES.rule(Repeat, ",|?", Range)
def _bounded(repeat: Repeat, span: Range) -> Repeat | None:
    dated = (
        span.role == "when" and span.start and span.end and span.start.day and not span.start.time and not repeat.until
    )
    if dated:
        return replace(repeat, start=span.start, until=span.end)
    if span.role == "until" and span.end and not repeat.until:
        return replace(repeat, until=span.end)
    if span.role == "after" and span.start and not repeat.start:
        return replace(repeat, start=span.start)
    return None


@RULES.rule(Repeat, "for", Length)
def _for_length(repeat: Repeat, length: Length) -> Repeat | None:
    return _lasting(repeat, length)


@RULES.rule(Repeat, "for|?", Number, "times|x|occurrences")
def _times(repeat: Repeat, number: Number) -> Repeat | None:
    return replace(repeat, times=number.whole) if number.whole and repeat.times is None else None


RULES.rule(Repeat, "twice")(lambda repeat: replace(repeat, times=2) if repeat.times is None else None)


@RULES.rule(Repeat, "for", "the", "next", Unit)
def _for_the_next(repeat: Repeat, unit: Unit) -> Repeat | None:
    return _lasting(repeat, Length(((1, unit.grain),)))


@RULES.rule(Repeat, "for", "the", "next", Length)
def _for_the_next_few(repeat: Repeat, length: Length) -> Repeat | None:
    return _lasting(repeat, length)


@RULES.rule(Repeat, "on|?", Repeat)
def _on_weekends(repeat: Repeat, days: Repeat) -> Repeat | None:
    fits = repeat.freq == "WEEKLY" and not repeat.byday and days.byday == WEEKEND
    return replace(repeat, byday=WEEKEND) if fits else None


@RULES.rule(Range, ",|?", Repeat)
def _start_first(span: Range, repeat: Repeat) -> Repeat | None:
    fits = span.role == "after" and span.start and not repeat.start
    return replace(repeat, start=span.start) if fits else None
