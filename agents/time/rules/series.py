"""The hours and parts of the day of a recurrence: "every day at 8 and 20h", "weekday mornings"."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.rules.clock import hour, hours, in_part, of_part, on_part
from agents.time.rules.ranges import of_its_week
from agents.time.rules.repeat import EVERY_WORDS, WEEKEND, WORKDAYS
from agents.time.values import DAYS_OF_EACH_WEEK, Moment, Number, OfDay, Part, Range, Repeat, Weekday

RULES = Grammar()
TO = "-|to|till|til|until"


@RULES.rule(Repeat, ",|?", "at|?", OfDay)
def _at_time(repeat: Repeat, clock: OfDay) -> Repeat | None:
    if repeat.time is None:
        return replace(repeat, time=clock)
    if repeat.time.part and not clock.part:
        known = on_part(clock, Part(repeat.time.part))
        return replace(repeat, time=known) if known else None
    return None


@RULES.rule(Repeat, ",|and|&|, and", "at|?", OfDay)
def _and_time(repeat: Repeat, clock: OfDay) -> Repeat | None:
    """Several clock times a day, as far as one rule can hold them: all at the same minute, and none of those assumed."""
    if repeat.spread and repeat.freq == "DAILY":
        repeat = replace(repeat, hours=(), spread=0)
    first = repeat.time
    if first is None or vague(first) or vague(clock) or clock.minute != first.minute or len(repeat.hours) > 5:
        return None
    return replace(repeat, hours=(*repeat.hours, clock)) if clock not in (first, *repeat.hours) else None


def vague(clock: OfDay) -> bool:
    """Whether a clock time only stands for a part of the day; noon and midnight are exact."""
    return clock.part not in (None, "noon", "midnight")


@RULES.rule("at|?", OfDay, "and|&", "at|?", OfDay, Repeat)
def _times_first(first: OfDay, second: OfDay, repeat: Repeat) -> Repeat | None:
    """Like "at 9am and 5pm every day"."""
    return _and_time(replace(repeat, time=first), second) if repeat.time is None else None


@RULES.rule(OfDay, "and|&", Number, Repeat)
def _hours_and_first(first: OfDay, second: Number, repeat: Repeat) -> Repeat | None:
    clock = hour(second)
    return _times_first(first, clock, repeat) if clock else None


@RULES.rule(Repeat, "and|&", "every|?", Part)
def _and_part(repeat: Repeat, part: Part) -> Repeat | None:
    """Like "every morning and evening"."""
    first, second = repeat.time, of_part(part)
    other = first and first.part and first.part != second.part and first.minute == second.minute
    fits = repeat.freq == "DAILY" and other and not repeat.hours
    return replace(repeat, hours=(second,)) if fits else None


@RULES.rule(Repeat, "and|&|, and", "at|?", Number)
def _and_hour(repeat: Repeat, number: Number) -> Repeat | None:
    clock = hour(number)
    return _and_time(repeat, clock) if clock and repeat.time else None


@RULES.rule(Repeat, ",", Number, ",|?", "and|&", Number, "h|?")
def _and_hours(repeat: Repeat, second: Number, last: Number) -> Repeat | None:
    more = _and_hour(repeat, second)
    return more and _and_hour(more, last)


RULES.rule(OfDay, ",|on|?", Repeat)(lambda clock, repeat: _at_time(repeat, clock))


@RULES.rule(Repeat, ",|?", Range)
def _from_to(repeat: Repeat, span: Range) -> Repeat | None:
    if span.start and span.start.time and repeat.time and repeat.time.part and not repeat.hours:
        return _hours_in_part(repeat, span, Part(repeat.time.part))
    if repeat.time or span.role != "when" or not span.start or not span.end or span.start.day or not span.start.time:
        return None
    if span.end.time and not span.end.day:
        return replace(repeat, time=span.start.time, end_time=span.end.time)
    # Like "every monday at 9 until june": the clock time belongs to each day, the day to the series.
    return replace(repeat, time=span.start.time, until=span.end) if span.end.day and not repeat.until else None


def _hours_in_part(repeat: Repeat, span: Range, part: Part) -> Repeat | None:
    """Like "every evening from 8 to 9": the part only says which half of the day is meant."""
    ends = [
        end and end.time and not end.day and (in_part(end.time, part) or end.time) for end in (span.start, span.end)
    ]
    free = span.role in ("when", "after") and span.length is None and bool(span.end) == bool(ends[1])
    return replace(repeat, time=ends[0], end_time=ends[1] or None) if free and ends[0] else None


# Like "9am to 5pm on weekdays".
RULES.rule(Range, ",|on|?", Repeat)(lambda span, repeat: _from_to(repeat, span))


@RULES.rule("from|?", Moment, TO, Moment, ",|at|from|?", Range)
def _hours_on_days(first: Moment, last: Moment, span: Range, *, once: bool = False) -> Repeat | None:
    """Like "monday to thursday next week 7.30am to 3.30pm": those hours on each of the days."""
    begin, end = span.start or Moment(), span.end or Moment()
    days = [one.day for one in (first, last) if one.day and one.day.grain == "day" and not one.time and not one.shift]
    timed = begin.time and end.time and not begin.day and not end.day and span.role == "when"
    if len(days) != len((first, last)) or not timed:
        return None
    if all(day.how == "weekday" for day in days):  # "monday to friday 9 to 5" is each week
        begins, ends = (int(str(day.args[0])) for day in days)
        if not once or (ends - begins) % 7 + 1 >= DAYS_OF_EACH_WEEK:
            return None
    start = Moment(of_its_week(*days))
    return Repeat("DAILY", start=start, until=last, time=begin.time, end_time=end.time, listed=True)


RULES.rule("from|?", Moment, TO, Moment, ",|at|from|?", Number, TO, Number)(
    lambda first, last, begin, end: _hours_on_days(first, last, hours(begin, end) or Range(None, None))
)


# Like "7.30am to 3.30pm monday to thursday next week".
RULES.rule(Range, ",|on|from|?", Moment, TO, Moment)(
    lambda span, first, last: _hours_on_days(first, last, span, once=True)
)


@RULES.rule(EVERY_WORDS, Part)
@RULES.rule(EVERY_WORDS, "other|second|alternate", Part, interval=2)
def _every_part(part: Part, interval: int = 1) -> Repeat:
    """Like "every other evening"."""
    return Repeat("DAILY", interval, time=of_part(part))


@RULES.rule("on|?", Weekday, Part)
def _weekday_parts(weekday: Weekday, part: Part) -> Repeat | None:
    plural = part.plural or weekday.plural
    return Repeat("WEEKLY", byday=(weekday.code,), time=of_part(part)) if plural else None


@RULES.rule("on|?", "weekday|weekdays|workday|workdays", Part, days=WORKDAYS)
@RULES.rule("on|?", "weekend|weekends", Part, days=WEEKEND)
def _parts_of_kind(part: Part, days: tuple[str, ...]) -> Repeat | None:
    return Repeat("WEEKLY", byday=days, time=of_part(part)) if part.plural else None


@RULES.rule("in|on|?", "the|?", Part)
def _parts(part: Part) -> Repeat | None:
    return Repeat("DAILY", time=of_part(part)) if part.plural and part.name in ("morning", "evening") else None


@RULES.rule(Repeat, "in|at|?", "the|?", Part)
def _in_part(repeat: Repeat, part: Part) -> Repeat | None:
    return None if repeat.time else replace(repeat, time=of_part(part))


@RULES.rule(Part, Repeat)
def _part_first(part: Part, repeat: Repeat) -> Repeat | None:
    return _in_part(repeat, part) if repeat.freq in ("DAILY", "WEEKLY") else None


@RULES.rule("nightly", "at|?", OfDay)
def _nightly_at(clock: OfDay) -> Repeat | None:
    known = in_part(clock, Part("night"))
    return Repeat("DAILY", time=known) if known else None


@RULES.rule(Repeat, ",|?", "on|?", Repeat)
def _on_days_of_week(repeat: Repeat, days: Repeat) -> Repeat | None:
    bare = days.freq == "WEEKLY" and days.interval == 1 and days.byday and days.start is None
    if bare and repeat.freq == "HOURLY" and repeat.end_time and not repeat.byday and not days.time:
        return replace(repeat, byday=days.byday)
    fits = repeat.freq in ("DAILY", "WEEKLY") and not repeat.byday and bare and not (repeat.time and days.time)
    return replace(days, interval=repeat.interval, time=repeat.time or days.time) if fits else None


@RULES.rule(Repeat, "on", "the|?", "weekend")
def _on_weekend(repeat: Repeat) -> Repeat | None:
    return replace(repeat, byday=WEEKEND) if repeat.freq == "WEEKLY" and not repeat.byday else None
