"""Where a recurrence begins and ends: its first and last day, its number of rounds."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

from agents.time.chart import Grammar
from agents.time.values import (
    CALENDAR_UNITS,
    CODES,
    ELAPSED_RULES,
    NOW,
    TODAY,
    Day,
    Freq,
    Grain,
    Length,
    Moment,
    Number,
    Range,
    Repeat,
    Unit,
)

RULES = Grammar()
# How many units of a series a length has; longer lengths end a series on a day.
ROUNDS: dict[Freq, dict[Grain, int]] = {
    "MINUTELY": {"minute": 1, "hour": 60},
    "HOURLY": {"hour": 1, "day": 24},
    "DAILY": {"day": 1, "week": 7},
    "WEEKLY": {"week": 1},
}


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
def _with_range(repeat: Repeat, span: Range) -> Repeat | None:
    if span.role == "when" and span.start and span.end and span.end.day and not repeat.until:
        last = replace(_last_day(span.end.day), time=span.end.time)
        if span.start == NOW:
            return replace(repeat, until=replace(last, time=None))
        return _until(replace(repeat, start=span.start), last) if span.start.day and not span.start.time else None
    if span.role == "until" and span.end and not repeat.until:
        return _until(repeat, span.end)
    if span.role == "after" and span.start and not repeat.start and not (repeat.time and span.start.time):
        return replace(repeat, start=span.start)
    return None


@RULES.rule(Repeat, ",|;|and|?", "it|?", "start|starts|begin|begins|effective", "on|from|in|at|?", Moment)
@RULES.rule(Repeat, ",|;|?", "with|?", "the|?", "first", "one|time|session|meeting", "is|being|?", "on|?", Moment)
def _starting(repeat: Repeat, first: Moment) -> Repeat | None:
    """Read "mondays at 8, start next week", "every friday, first one on 4 december"."""
    return _with_range(repeat, Range(first, None, role="after"))


@RULES.rule(Repeat, ",|?", "from|starting|beginning", "in|?", Number)
def _from_year(repeat: Repeat, year: Number) -> Repeat | None:
    return replace(repeat, start=Moment(year.year)) if year.year and not repeat.start else None


@RULES.rule(Repeat, "today")
def _only_today(repeat: Repeat) -> Repeat | None:
    """Like "every 2 hours today"."""
    often = repeat.freq in ("HOURLY", "MINUTELY") and repeat.until is None and repeat.time is None
    return replace(repeat, until=Moment(TODAY)) if often else None


def _until(repeat: Repeat, end: Moment) -> Repeat:
    """A clock time behind the last day is that of each day: "daily until 24 december at 8"."""
    if end.day and end.time and not repeat.time and repeat.freq not in ELAPSED_RULES:
        return replace(repeat, time=end.time, until=replace(end, time=None))
    return replace(repeat, until=end)


def _last_day(day: Day) -> Moment:
    """A stretch includes the last day of the unit it ends with."""
    return Moment(day if day.grain == "day" else Day("edge", (day, "end")))


@RULES.rule(Repeat, ",|in|during|over|throughout|?", Day)
def _within(repeat: Repeat, day: Day) -> Repeat | None:
    """Like "every day next week", "every monday in january"."""
    plain = repeat.freq in ("DAILY", "WEEKLY", "HOURLY") and not repeat.start and not repeat.until
    fits = plain and day.grain in CALENDAR_UNITS and not (day.latent and day.how != "month")
    known = day.explicit
    return replace(repeat, start=Moment(known), until=_last_day(known)) if fits else None


@RULES.rule(Repeat, "for", Day)
def _for_the_rest(repeat: Repeat, day: Day) -> Repeat | None:
    """Like "daily for the rest of the week"; "for the next month" is a length."""
    return _within(repeat, day) if day.how == "rest" else None


# Like "every tuesday for the whole of january".
RULES.rule(Repeat, "for|during|in|throughout|?", "the|?", "whole|all|entire", "of|?", Day)(_within)
# Like "for 4 weeks every tuesday".
RULES.rule("for", Length, ",|?", Repeat)(lambda length, repeat: _lasting(repeat, length))
RULES.rule(Repeat, "for", Length)(_lasting)


@RULES.rule(Repeat, ",|?", "(", Number, "times|x|occurrences|sessions", ")")
@RULES.rule(Repeat, ",|?", "for|?", Number, "more|?", "times|x|occurrences|sessions")
def _times(repeat: Repeat, number: Number) -> Repeat | None:
    return replace(repeat, times=number.whole) if number.whole and repeat.times is None else None


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


@RULES.rule(Repeat, "for the next", Length)
def _for_the_next_few(repeat: Repeat, length: Length) -> Repeat | None:
    """Like "every friday for the next 3 weeks": counted from now, not from the first one."""
    if repeat.freq == "WEEKLY" and length.parts[0][1] == "week" and not repeat.until:
        return replace(repeat, until=Moment(shift=length))
    return _lasting(repeat, length)


RULES.rule("for the next", Length, ",|?", Repeat)(lambda length, repeat: _for_the_next_few(repeat, length))
RULES.rule(Repeat, "for the next", Unit)(lambda repeat, unit: _for_the_next_few(repeat, Length(((1, unit.grain),))))


@RULES.rule(Range, ",|?", Repeat)
def _start_first(span: Range, repeat: Repeat) -> Repeat | None:
    """Like "from monday on every day", "until june every monday"."""
    return _with_range(repeat, span) if span.role in ("after", "until") else None
