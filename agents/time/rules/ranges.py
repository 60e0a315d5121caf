"""Intervals: "tomorrow from 2 to 4", "dec 3-7", "the next three days", "friday at 9 for an hour"."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.rules.clock import hour, in_part, military, on_part
from agents.time.rules.moments import as_explicit
from agents.time.values import Day, Grain, Length, Moment, Month, Number, OfDay, Part, Range, Unit

RULES = Grammar()

NOON, LATEST_START = 12, 12
UNTIL = "-|until|till|til|through|thru"
DASH = f"{UNTIL}|to"
MINUTES_TO = (5, 10, 20, 25)


def are_minutes(first: Number, last: int) -> bool:
    """Return whether a number before "to" rather counts the minutes to an hour: "twenty to six", "ten to nine".

    "Five to seven" goes forward, as the two hours of a stretch do.
    """
    return first.form == "words" and first.whole in MINUTES_TO and (first.value > LATEST_START or last < first.value)


@RULES.rule("the|?", "next|coming|upcoming|following", Number, Unit)
def _next_units(number: Number, unit: Unit) -> Range | None:
    return coming_units(number, unit.grain, 1)


RULES.rule("the|?", "last|past|previous", Number, Unit)(lambda number, unit: coming_units(number, unit.grain, -1))


@RULES.rule("the|?", "next|coming|upcoming|following", Number, "business|working|work", "days|day")
def _next_workdays(number: Number) -> Range | None:
    return coming_units(number, "workday", 1)


@RULES.rule("the|?", "last|past|previous", Number, "business|working|work", "days|day")
def _last_workdays(number: Number) -> Range | None:
    return coming_units(number, "workday", -1)


def coming_units(number: Number, grain: Grain, sign: int) -> Range | None:
    """The next (or, with -1, the last) few units: clock units count from now, calendar units are whole ones."""
    if number.whole is None or number.ordinal or number.whole < 1:
        return None
    if grain in ("hour", "minute", "second"):
        edge = Moment(shift=Length(((number.value, grain),)), sign=sign)
        now = Moment(shift=Length(((0, grain),)))
        return Range(now, edge) if sign > 0 else Range(edge, now)
    how = "offset" if grain == "workday" else "unit"
    first, last = (1, number.whole) if sign > 0 else (-number.whole, -1)
    whole = "day" if grain == "workday" else grain
    return Range(Moment(Day(how, (first, grain), whole)), Moment(Day(how, (last, grain), whole)))


@RULES.rule("from|between", Number, f"{DASH}|and|&", OfDay)
def _from_hour(number: Number, end: OfDay) -> Range | None:
    return _range(Moment(time=hour(number)), Moment(time=end)) if hour(number) else None


@RULES.rule("from|between", OfDay, f"{DASH}|and|&", Number)
def _to_hour(start: OfDay, number: Number) -> Range | None:
    return _range(Moment(time=start), Moment(time=hour(number))) if hour(number) else None


@RULES.rule("from|between", Number, f"{DASH}|and|&", Number)
def _hours(first: Number, second: Number) -> Range | None:
    clocks = hour(first), hour(second)
    return _range(Moment(time=clocks[0]), Moment(time=clocks[1])) if all(clocks) else None


@RULES.rule(Number, DASH, OfDay)
def _hour_to_clock(number: Number, end: OfDay) -> Range | None:
    named = number.form == "words" and number.whole in MINUTES_TO and end.part in ("noon", "midnight")
    minutes = named or (not end.bare and are_minutes(number, end.hour % NOON or NOON))
    return _range(Moment(time=hour(number)), Moment(time=end)) if hour(number) and not minutes else None


@RULES.rule(Number, DASH, Number, "this|in", "the|?", Part)
def _some_hours_in_part(first: Number, last: Number, part: Part) -> Range | None:
    return None if last.whole and are_minutes(first, last.whole) else _hours_in_part(first, last, part)


@RULES.rule("from|between", Number, f"{DASH}|and", Number, "this|in", "the|?", Part)
def _hours_in_part(first: Number, last: Number, part: Part) -> Range | None:
    """Like "5 to 6 this evening"."""
    clocks = [clock and in_part(clock, part) for clock in (hour(first), hour(last))]
    day = Day("offset", (0, "day"))
    return Range(Moment(day, clocks[0]), Moment(time=clocks[1])) if all(clocks) else None


@RULES.rule(OfDay, UNTIL, Number, "h|hrs|?")
def _clock_until_hour(start: OfDay, number: Number) -> Range | None:
    return _range(Moment(time=start), Moment(time=hour(number))) if hour(number) else None


@RULES.rule(OfDay, "to", Number, "h|hrs|?")
def _clock_to_hour(start: OfDay, number: Number) -> Range | None:
    """Not "at ten to five", which is one clock time: see spoken.py."""
    minutes = start.bare and not start.minute and start.hour in MINUTES_TO and number.form == "words"
    return None if minutes else _clock_until_hour(start, number)


@RULES.rule("from|between|?", Month, Number, f"{DASH}|and", Number, ",|?", Number)
def _days_of_month_and_year(month: Month, first: Number, last: Number, year: Number) -> Range | None:
    if year.width != 4 or first.width > 2 or last.width > 2:
        return None
    ends = [Moment(Day("date", (year.whole, month.index, number.whole))) for number in (first, last)]
    return Range(ends[0], ends[1])


@RULES.rule("from|between|?", Month, Number, f"{DASH}|and", Number)
def _days_of_month(month: Month, first: Number, last: Number) -> Range | None:
    ends = [Day("monthday", (month.index, number.whole)) for number in (first, last) if number.width <= 2]
    return Range(Moment(ends[0]), Moment(ends[1])) if len(ends) == 2 else None


@RULES.rule(Moment, ",|?", "for", Length)
def _for_length(start: Moment, length: Length) -> Range | None:
    return Range(start, None, length) if _has_time(start) or length.parts[0][1] in ("day", "week") else None


@RULES.rule(Day, ",|?", "for", Length, OfDay)
def _day_for_length_at(day: Day, length: Length, clock: OfDay) -> Range | None:
    """Like "tomorrow for 2 hours at 3pm"."""
    return Range(Moment(as_explicit(day), clock), None, length) if day.grain == "day" else None


@RULES.rule("on", Range)
def _on_range(span: Range) -> Range | None:
    """Like "on november 18 to 19"."""
    dated_both = span.role == "when" and span.start and span.end and span.start.day and span.end.day
    return span if dated_both and span.start and not span.start.time else None


def _has_time(moment: Moment) -> bool:
    return moment.time is not None or moment.shift is not None


@RULES.rule(Moment, DASH, Moment)
def _moment_to_moment(start: Moment, end: Moment) -> Range | None:
    """Not "at ten to nine in the morning": see spoken.py."""
    counts = start.time and start.time.in_words and start.time.hour in MINUTES_TO and end.time and not end.time.bare
    return None if counts else _range(start, end)


@RULES.rule("from|between", Moment, f"{DASH}|and|&", Moment)
def _range(start: Moment, end: Moment) -> Range | None:
    if start.day is not None and end.time is not None and end.day is None and start.time is None:
        return None
    # A year said once holds for both ends: see rules_spans.
    whole = start.day and end.day and not start.time and not end.time
    return None if whole and start.day and end.day and yearless(start.day) and has_year(end.day) else Range(start, end)


def has_year(day: Day) -> bool:
    """Whether a year belongs to a day."""
    return day.how in ("date", "numeric", "within") or (day.how == "month" and day.args[2] is not None)


def yearless(day: Day) -> bool:
    """Whether a day of the month or a month goes without its year."""
    return day.how == "monthday" or (day.how == "month" and day.args[1] == "this" and day.args[2] is None)


@RULES.rule(Day, "some|any", "time", Range)
@RULES.rule(Day, "sometime|anytime", Range)
@RULES.rule(Day, ",|at|?", Range)
def _day_then_range(day: Day, span: Range) -> Range | None:
    return on_the_day(day, span)


@RULES.rule("on|for", Moment, ",|at|?", Range)
def _on_day_then_range(moment: Moment, span: Range) -> Range | None:
    return on_the_day(moment.day, span) if moment.day and moment.time is None else None


@RULES.rule("on|for", Day, ",|at|?", Range)
def _on_latent_day_then_range(day: Day, span: Range) -> Range | None:
    return on_the_day(as_explicit(day), span) if day.latent else None


@RULES.rule(Moment, ",|?", Range)
def _part_then_range(moment: Moment, span: Range) -> Range | None:
    """Like "monday morning from 10 to 12": the part only says which half of the day is meant."""
    part = moment.time.part if moment.time and moment.day else None
    if part is None or span.start is None or span.start.time is None or span.start.day:
        return None
    start = Moment(moment.day, on_part(span.start.time, Part(part)) or span.start.time)
    if span.end is None and span.length is None:
        return replace(span, start=start)
    if span.end is None or span.end.time is None:
        return None
    last = span.end.time
    # "Friday morning from eight to one" goes on into the afternoon.
    over = last.bare and last.hour < span.start.time.hour
    known = last if last.hour == NOON or over else in_part(last, Part(part)) or last
    return replace(span, start=start, end=replace(span.end, time=known))


@RULES.rule(Moment, Number, DASH, Number)
def _part_then_hours(moment: Moment, first: Number, last: Number) -> Range | None:
    clocks = hour(first), hour(last)
    return _part_then_range(moment, Range(Moment(time=clocks[0]), Moment(time=clocks[1]))) if all(clocks) else None


@RULES.rule(Number, DASH, Number, ",|?", Moment)
def _hours_then_part(first: Number, last: Number, moment: Moment) -> Range | None:
    """Like "8 to 10 tomorrow night"."""
    if last.whole and are_minutes(first, last.whole):
        return None
    return _part_then_hours(moment, first, last)


RULES.rule(Range, ",|?", Moment)(lambda span, moment: _part_then_range(moment, span))


@RULES.rule(Number, "-", Number, "on|?", Day)
def _hours_then_day(first: Number, last: Number, day: Day) -> Range | None:
    clear = not day.latent and day.how in ("weekday", "offset", "date")
    return _day_and_hours(day, first, last) if clear and first.value <= NOON else None


@RULES.rule(Number, "until|till|til|to", Number, "on|?", Day)
def _hours_until_then_day(first: Number, last: Number, day: Day) -> Range | None:
    """Like "9 till 5 on monday"."""
    return _hours_then_day(first, last, day)


RULES.rule(Range, ",|on|of|?", Day)(lambda span, day: on_the_day(day, span))


@RULES.rule(Day, "at", Number, "to", Number)
def _day_at_hours(day: Day, first: Number, last: Number) -> Range | None:
    """Not "tomorrow at ten to five": see spoken.py."""
    minutes = first.form == last.form == "words" and first.value in MINUTES_TO
    return None if minutes else _day_and_hours(day, first, last)


@RULES.rule(Day, "at", Number, UNTIL, Number)
@RULES.rule("on|for|?", Day, ",|?", Number, DASH, Number)
def _day_and_hours(day: Day, first: Number, last: Number) -> Range | None:
    clocks = (hour(first) or military(first), hour(last) or military(last))
    if clocks[0] is None or clocks[1] is None or day.grain != "day":
        return None
    return on_the_day(day, Range(Moment(time=clocks[0]), Moment(time=clocks[1])))


def on_the_day(day: Day, span: Range) -> Range | None:
    """An interval between clock times on a day; None when either does not allow it."""
    start = span.start
    if day.latent and span.role != "when":
        return None
    if (
        start is None
        and span.end is not None
        and span.end.day is None
        and span.end.time is not None
        and day.grain == "day"
    ):
        return replace(span, end=replace(span.end, day=as_explicit(day)))
    if start is None or start.day is not None or start.time is None or day.grain != "day":
        return None
    return replace(span, start=replace(start, day=as_explicit(day)))
