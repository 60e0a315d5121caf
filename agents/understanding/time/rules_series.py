"""What is said with a recurrence: its clock time, its first and last day, its number of rounds."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

from agents.understanding.time.chart import Grammar
from agents.understanding.time.rules_clock import hour, in_part, of_part
from agents.understanding.time.rules_repeat import CODES, EVERY, WEEKEND, WORKDAYS
from agents.understanding.time.values import (
    Day,
    Freq,
    Grain,
    Length,
    Moment,
    Number,
    OfDay,
    Part,
    Range,
    Repeat,
    Unit,
    Weekday,
)

RULES = Grammar()
# How many units of a series a length has; longer lengths end a series on a day.
ROUNDS: dict[Freq, dict[Grain, int]] = {
    "MINUTELY": {"minute": 1, "hour": 60},
    "HOURLY": {"hour": 1, "day": 24},
    "DAILY": {"day": 1, "week": 7},
    "WEEKLY": {"week": 1},
}


@RULES.rule(Repeat, ",|?", "at|?", OfDay)
def _at_time(repeat: Repeat, clock: OfDay) -> Repeat | None:
    if repeat.time is None:
        return replace(repeat, time=clock)
    if repeat.time.part and not clock.part:
        known = in_part(clock, Part(repeat.time.part))
        return replace(repeat, time=known) if known else None
    return None


@RULES.rule(Repeat, ",|and|&", "at|?", OfDay)
@RULES.rule(Repeat, ",", "and", "at|?", OfDay)
def _and_time(repeat: Repeat, clock: OfDay) -> Repeat | None:
    """Several clock times a day, as far as one rule can hold them: all at the same minute."""
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


@RULES.rule(Repeat, "and|&", "at|?", Number)
@RULES.rule(Repeat, ",", "and", "at|?", Number)
def _and_hour(repeat: Repeat, number: Number) -> Repeat | None:
    clock = hour(number)
    return _and_time(repeat, clock) if clock and repeat.time else None


@RULES.rule(Repeat, ",", Number, ",|?", "and|&", Number)
def _and_hours(repeat: Repeat, second: Number, last: Number) -> Repeat | None:
    more = _and_hour(repeat, second)
    return more and _and_hour(more, last)


@RULES.rule(OfDay, ",|on|?", Repeat)
def _time_first(clock: OfDay, repeat: Repeat) -> Repeat | None:
    return _at_time(repeat, clock)


@RULES.rule(Repeat, ",|?", Range)
def _from_to(repeat: Repeat, span: Range) -> Repeat | None:
    if repeat.time or span.role != "when" or not span.start or not span.end or span.start.day or not span.start.time:
        return None
    if span.end.time and not span.end.day:
        return replace(repeat, time=span.start.time, end_time=span.end.time)
    # Like "every monday at 9 until june": the clock time belongs to each day, the day to the series.
    return replace(repeat, time=span.start.time, until=span.end) if span.end.day and not repeat.until else None


@RULES.rule(Range, ",|on|?", Repeat)
def _hours_first(span: Range, repeat: Repeat) -> Repeat | None:
    """Like "9am to 5pm on weekdays"."""
    return _from_to(repeat, span)


@RULES.rule(EVERY, Part)
def _every_part(part: Part) -> Repeat:
    return Repeat("DAILY", time=of_part(part))


@RULES.rule("on|?", Weekday, Part)
def _weekday_parts(weekday: Weekday, part: Part) -> Repeat | None:
    plural = part.plural or weekday.plural
    return Repeat("WEEKLY", byday=(CODES[weekday.index],), time=of_part(part)) if plural else None


for kind, days in (("weekday|weekdays|workday|workdays", WORKDAYS), ("weekend|weekends", WEEKEND)):

    def _parts_of_kind(part: Part, days: tuple[str, ...] = days) -> Repeat | None:
        return Repeat("WEEKLY", byday=days, time=of_part(part)) if part.plural else None

    RULES.rule("on|?", kind, Part)(_parts_of_kind)


@RULES.rule("in|on|?", "the|?", Part)
def _parts(part: Part) -> Repeat | None:
    return Repeat("DAILY", time=of_part(part)) if part.plural and part.name in ("morning", "evening") else None


@RULES.rule(Repeat, "in|at|?", "the|?", Part)
def _in_part(repeat: Repeat, part: Part) -> Repeat | None:
    return None if repeat.time else replace(repeat, time=of_part(part))


@RULES.rule(Part, Repeat)
def _part_first(part: Part, repeat: Repeat) -> Repeat | None:
    return _in_part(repeat, part) if repeat.freq in ("DAILY", "WEEKLY") else None


def _lasting(repeat: Repeat, length: Length) -> Repeat | None:
    """So many rounds of a short series, otherwise the day on which a longer one ends."""
    count, grain = length.parts[0]
    if repeat.times is None and len(length.parts) == 1 and (rounds := _rounds(repeat, count, grain)):
        return replace(repeat, times=rounds)
    long = grain in ("week", "month", "year", "day")
    return replace(repeat, until=Moment(shift=length)) if long and not repeat.until else None


def _rounds(repeat: Repeat, count: float, grain: Grain) -> int:
    """How often a series comes round in a length, its hours and weekdays counted; 0 when months are not even."""
    unit = ROUNDS.get(repeat.freq, {}).get(grain, 0)
    if unit * count < repeat.interval:
        return 0
    return ceil(unit * count / repeat.interval) * (1 + len(repeat.hours)) * max(1, len(repeat.byday))


@RULES.rule(Repeat, ",|?", Range)
def _bounded(repeat: Repeat, span: Range) -> Repeat | None:
    dated = (
        span.role == "when" and span.start and span.end and span.start.day and not span.start.time and not repeat.until
    )
    if dated and span.end and span.end.day:
        return replace(repeat, start=span.start, until=_last_day(span.end.day))
    if span.role == "until" and span.end and not repeat.until:
        return replace(repeat, until=span.end)
    if span.role == "after" and span.start and not repeat.start:
        return replace(repeat, start=span.start)
    return None


def _last_day(day: Day) -> Moment:
    """A stretch includes the last day of the unit it ends with."""
    return Moment(day if day.grain == "day" else Day("edge", (day, "end")))


STRETCHES = ("week", "weekend", "month", "quarter", "year")


@RULES.rule(Repeat, ",|in|during|over|throughout|?", Day)
def _within(repeat: Repeat, day: Day) -> Repeat | None:
    """Like "every day next week", "every monday in january"."""
    plain = repeat.freq in ("DAILY", "WEEKLY", "HOURLY") and not repeat.start and not repeat.until
    fits = plain and day.grain in STRETCHES and not (day.latent and day.how != "month")
    known = replace(day, latent=False)
    return replace(repeat, start=Moment(known), until=_last_day(known)) if fits else None


@RULES.rule("nightly", "at|?", OfDay)
def _nightly_at(clock: OfDay) -> Repeat | None:
    known = in_part(clock, Part("night"))
    return Repeat("DAILY", time=known) if known else None


@RULES.rule("for", Length, ",|?", Repeat)
def _length_first(length: Length, repeat: Repeat) -> Repeat | None:
    """Like "for 4 weeks every tuesday"."""
    return _lasting(repeat, length)


@RULES.rule(Repeat, "for", Length)
def _for_length(repeat: Repeat, length: Length) -> Repeat | None:
    return _lasting(repeat, length)


@RULES.rule(Repeat, ",|?", "for|?", Number, "more|?", "times|x|occurrences|sessions")
def _times(repeat: Repeat, number: Number) -> Repeat | None:
    return replace(repeat, times=number.whole) if number.whole and repeat.times is None else None


@RULES.rule(Repeat, ",|?", "ending|ends", "on|in|?", "the|?", Day)
def _ending(repeat: Repeat, day: Day) -> Repeat | None:
    return replace(repeat, until=Moment(replace(day, latent=False))) if repeat.until is None else None


@RULES.rule(Moment, ",|?", "for", Number, "more|?", "times|occurrences|sessions")
def _nth_for_times(moment: Moment, number: Number) -> Repeat | None:
    """Like "last friday of the month at 4 for 10 times": a number of rounds makes it a series."""
    day = moment.day
    month = day.args[2] if day and day.how == "nth" else None
    if day is None or not isinstance(month, Day) or month.how != "the_unit" or month.grain != "month":
        return None
    code = f"{day.args[1]}{CODES[int(str(day.args[0]))]}"
    return _times(Repeat("MONTHLY", byday=(code,), time=moment.time), number)


RULES.rule(Repeat, "twice")(lambda repeat: replace(repeat, times=2) if repeat.times is None else None)


@RULES.rule(Repeat, "for", "the", "next", Unit)
def _for_the_next(repeat: Repeat, unit: Unit) -> Repeat | None:
    return _for_the_next_few(repeat, Length(((1, unit.grain),)))


@RULES.rule(Repeat, "for", "the", "next", Length)
def _for_the_next_few(repeat: Repeat, length: Length) -> Repeat | None:
    """Like "every friday for the next 3 weeks": counted from now, not from the first one."""
    if repeat.freq == "WEEKLY" and length.parts[0][1] == "week" and not repeat.until:
        return replace(repeat, until=Moment(shift=length))
    return _lasting(repeat, length)


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


@RULES.rule(Range, ",|?", Repeat)
def _start_first(span: Range, repeat: Repeat) -> Repeat | None:
    """Like "from monday on every day", "until june every monday"."""
    return _bounded(repeat, span) if span.role in ("after", "until") else None
