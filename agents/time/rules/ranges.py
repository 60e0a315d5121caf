"""Intervals: "tomorrow from 2 to 4", "dec 3-7", "the next three days", "friday at 9 for an hour"."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.rules.clock import hour, hours, in_part, military, on_part
from agents.time.values import (
    ELAPSED,
    TODAY,
    Day,
    Dotted,
    Grain,
    Length,
    Moment,
    Month,
    Number,
    OfDay,
    Part,
    Range,
    Unit,
)

RULES = Grammar()

NOON, LATEST_START = 12, 12
UNTIL = "-|until|till|til|through|thru"
DASH = f"{UNTIL}|to"
MINUTES_TO = (5, 10, 20, 25)
NEXT_WORDS, LAST_WORDS = "next|coming|upcoming|following", "last|past|previous"


def may_be_minutes(number: Number) -> bool:
    """Return whether a number before "to" may count the minutes to an hour: in figures "20 to 10", but not "10 to 6"."""
    return number.whole in MINUTES_TO and (number.form == "words" or number.value > LATEST_START)


def are_minutes(first: Number, last: int) -> bool:
    """Return whether a number before "to" rather counts the minutes to an hour: "twenty to six", "ten to nine".

    "Five to seven" goes forward, as the two hours of a stretch do.
    """
    return may_be_minutes(first) and last <= NOON and (first.value > LATEST_START or last < first.value)


@RULES.rule("the|?", NEXT_WORDS, Number, Unit, sign=1)
@RULES.rule("the|?", LAST_WORDS, Number, Unit, sign=-1)
@RULES.rule("the|?", Number, NEXT_WORDS, Unit, sign=1)
@RULES.rule("the|?", Number, LAST_WORDS, Unit, sign=-1)
@RULES.rule("the|?", NEXT_WORDS, Number, "business|working|work", "days|day", unit=Unit("workday"), sign=1)
@RULES.rule("the|?", LAST_WORDS, Number, "business|working|work", "days|day", unit=Unit("workday"), sign=-1)
def coming_units(number: Number, unit: Unit, sign: int) -> Range | None:
    """The next (or, with -1, the last) few units: clock units count from now, calendar units are whole ones."""
    if number.whole is None or number.ordinal or number.whole < 1:
        return None
    if unit.grain in ELAPSED:
        edge = Moment(shift=Length(((number.value, unit.grain),)), sign=sign)
        now = Moment(shift=Length(((0, unit.grain),)))
        return Range(now, edge) if sign > 0 else Range(edge, now)
    ends = (1, number.whole) if sign > 0 else (-number.whole, -1)
    how = "offset" if unit.grain == "workday" else "unit"
    whole: Grain = "day" if unit.grain == "workday" else unit.grain
    first, last = (Moment(Day(how, (end, unit.grain), whole)) for end in ends)
    return Range(first, last)


for first, last in (
    (Number, OfDay),
    (OfDay, Number),
    (Number, Number),
    (Dotted, Dotted),
    (Number, Dotted),
    (Dotted, Number),
):
    RULES.rule("from|between", first, f"{DASH}|and|&", last)(hours)


@RULES.rule(Number, DASH, OfDay)
def _hour_to_clock(number: Number, end: OfDay) -> Range | None:
    named = number.form == "words" and number.whole in MINUTES_TO and end.part in ("noon", "midnight")
    minutes = named or (not end.bare and are_minutes(number, end.hour % NOON or NOON))
    return None if minutes else hours(number, end)


@RULES.rule(Number, DASH, Number, "this|in", "the|?", Part)
def _some_hours_in_part(first: Number, last: Number, part: Part) -> Range | None:
    return None if last.whole and are_minutes(first, last.whole) else _hours_in_part(first, last, part)


@RULES.rule("from|between", Number, f"{DASH}|and", Number, "this|in", "the|?", Part)
def _hours_in_part(first: Number, last: Number, part: Part) -> Range | None:
    """Like "5 to 6 this evening"."""
    clocks = [clock and in_part(clock, part) for clock in (hour(first), hour(last))]
    return Range(Moment(TODAY, clocks[0]), Moment(time=clocks[1])) if all(clocks) else None


@RULES.rule(Number, "until|till|til", Number)
def _hours_until(first: Number, last: Number) -> Range | None:
    """Like "one till nine"; "20 till 9" may count the minutes."""
    return hours(first, last) if first.value <= NOON or last.value > NOON else None


RULES.rule(OfDay, UNTIL, Number, "h|hrs|?")(hours)


@RULES.rule(OfDay, "to", Number, "h|hrs|?")
def _clock_to_hour(start: OfDay, number: Number) -> Range | None:
    """Not "at ten to five", which is one clock time: see spoken.py."""
    spoken = number.form == "words" or number.value <= NOON < start.hour
    minutes = spoken and start.bare and not start.minute and start.hour in MINUTES_TO
    return None if minutes else hours(start, number)


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
    return Range(Moment(day.explicit, clock), None, length) if day.grain == "day" else None


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
    start = replace(start, day=of_its_week(start.day, end.day)) if start.day and end.day and not start.time else start
    # A year said once holds for both ends: see spans.py.
    whole = start.day and end.day and not start.time and not end.time
    return None if whole and start.day and end.day and yearless(start.day) and has_year(end.day) else Range(start, end)


def of_its_week(first: Day, last: Day) -> Day:
    """Give a weekday in the week that is said with the last one: "wednesday to friday next week"."""
    named = last.how == "in_week" or (
        last.how == "nth" and isinstance(week := last.args[2], Day) and week.grain == "week"
    )
    coming = first.how == "weekday" and first.args[1] == "coming"
    before = named and coming and int(str(first.args[0])) < int(str(last.args[0]))
    return replace(last, args=(first.args[0], *last.args[1:])) if before else first


def has_year(day: Day) -> bool:
    """Whether a year belongs to a day."""
    return day.how in ("date", "numeric", "within") or (day.how == "month" and day.args[2] is not None)


def yearless(day: Day) -> bool:
    """Whether a day of the month or a month goes without its year."""
    return day.how == "monthday" or (day.how == "month" and day.args[1] == "this" and day.args[2] is None)


@RULES.rule("on|for", Moment, ",|at|?", Range)
def _on_day_then_range(moment: Moment, span: Range) -> Range | None:
    return on_the_day(moment.day, span) if moment.day and moment.time is None else None


@RULES.rule("on|for", Day, ",|at|?", Range)
def _on_latent_day_then_range(day: Day, span: Range) -> Range | None:
    return on_the_day(day.explicit, span) if day.latent else None


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
    span = hours(first, last)
    return span and _part_then_range(moment, span)


@RULES.rule(Number, DASH, Number, ",|?", Moment)
def _hours_then_part(first: Number, last: Number, moment: Moment) -> Range | None:
    """Like "8 to 10 tomorrow night"."""
    if last.whole and are_minutes(first, last.whole):
        return None
    return _part_then_hours(moment, first, last)


RULES.rule(Range, ",|?", Moment)(lambda span, moment: _part_then_range(moment, span))


@RULES.rule(Number, "-|until|till|til|to", Number, "on|?", Day)
def _hours_then_day(first: Number, last: Number, day: Day) -> Range | None:
    """Like "9 till 5 on monday"."""
    clear = not day.latent and day.how in ("weekday", "offset", "date")
    return _day_and_hours(day, first, last) if clear and first.value <= NOON else None


@RULES.rule(Day, "at", Number, "to", Number)
def _day_at_hours(day: Day, first: Number, last: Number) -> Range | None:
    """Not "tomorrow at ten to five": see spoken.py."""
    minutes = may_be_minutes(first) and (last.form == "words" or last.value <= NOON < first.value)
    return None if minutes else _day_and_hours(day, first, last)


@RULES.rule(Day, "at", Number, UNTIL, Number)
@RULES.rule("on|for|?", Day, ",|?", Number, DASH, Number)
def _day_and_hours(day: Day, first: Number, last: Number) -> Range | None:
    clocks = (hour(first) or military(first), hour(last) or military(last))
    if clocks[0] is None or clocks[1] is None or day.grain != "day":
        return None
    return on_the_day(day, Range(Moment(time=clocks[0]), Moment(time=clocks[1])))


@RULES.rule(Day, ",|at|sometime|anytime|some time|any time|?", Range)
def on_the_day(day: Day, span: Range) -> Range | None:
    """An interval between clock times on a day; None when either does not allow it."""
    start, end = span.start, span.end
    if day.grain != "day" or (day.latent and span.role != "when"):
        return None
    if start is None and end is not None and end.day is None and end.time is not None:
        return replace(span, end=replace(end, day=day.explicit))
    if start is None or start.day is not None or start.time is None:
        return None
    return replace(span, start=replace(start, day=day.explicit))


RULES.rule(Range, ",|on|of|?", Day)(lambda span, day: on_the_day(day, span))
