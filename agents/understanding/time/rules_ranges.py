"""Moments, intervals and open ends: "tomorrow at 5", "from nine to eleven thirty", "by friday", "until june"."""

from __future__ import annotations

from dataclasses import replace

from agents.understanding.time.chart import Grammar
from agents.understanding.time.rules_clock import hour, in_part, military, of_part, with_half
from agents.understanding.time.values import Day, Dotted, Grain, Length, Moment, Month, Number, OfDay, Part, Range, Unit

RULES = Grammar()


def _tonight(clock: OfDay) -> Moment | None:
    if clock.part:
        return None
    late = clock if clock.exact else replace(clock, hour=clock.hour % 12 + 12, half="pm", exact=True)
    return Moment(Day("offset", (0, "day")), late)


DASH = "-|to|until|till|til|through|thru|untill"


@RULES.rule(Day)
def _day_alone(day: Day) -> Moment | None:
    return None if day.latent else Moment(day)


@RULES.rule(Day, ",|at|?", Dotted)
def _day_and_dotted(day: Day, dotted: Dotted) -> Moment | None:
    clock = OfDay(dotted.first, dotted.second, exact=dotted.first > 12 or dotted.first == 0)
    return Moment(supported(day), clock) if dotted.clock and day.grain == "day" else None


@RULES.rule(Day, "at|?", Number, "h|hrs")
def _day_and_h(day: Day, number: Number) -> Moment | None:
    clock = hour(number)
    return Moment(supported(day), replace(clock, bare=False)) if clock and day.grain == "day" else None


@RULES.rule(OfDay)
def _clock_alone(clock: OfDay) -> Moment:
    return Moment(time=clock)


@RULES.rule("on|for|over|during", "the|?", Day)
def _on_day(day: Day) -> Moment:
    return Moment(supported(day))


@RULES.rule("in", Day)
def _in_stretch(day: Day) -> Moment | None:
    return Moment(supported(day)) if day.grain in ("month", "year", "quarter", "week") else None


@RULES.rule(Day, ",|at|.|?", OfDay)
def _day_and_clock(day: Day, clock: OfDay) -> Moment | None:
    return Moment(supported(day), clock) if day.grain in ("day", "weekend") else None


@RULES.rule(Day, ",|at|.|?", Number)
def _day_and_digits(day: Day, number: Number) -> Moment | None:
    clock = military(number) if number.width == 4 else None
    return Moment(supported(day), clock) if clock and day.grain == "day" else None


@RULES.rule(Day, "in|at|?", "the|?", "early|late|?", Part)
def _day_and_part(day: Day, part: Part) -> Moment | None:
    feast = part.name == "eve" and day.how not in ("weekday", "offset", "both")
    return Moment(supported(day), of_part(part)) if day.grain == "day" and not feast else None


@RULES.rule(Day, "in|at|?", "the|?", "early|late|?", Part, ",|?", OfDay)
def _day_part_and_clock(day: Day, part: Part, clock: OfDay) -> Moment | None:
    known = in_part(clock, part)
    return Moment(supported(day), known) if known and day.grain == "day" else None


@RULES.rule(Part, "on|of", "the|?", Day)
def _part_of_day(part: Part, day: Day) -> Moment | None:
    return Moment(supported(day), of_part(part)) if day.grain == "day" else None


@RULES.rule(OfDay, ",|on|?", Moment)
def _clock_and_part(clock: OfDay, moment: Moment) -> Moment | None:
    """ "half past 5 tomorrow evening"."""
    part = moment.time.part if moment.time and moment.day else None
    known = in_part(clock, Part(part)) if part else None
    return replace(moment, time=known) if known else None


@RULES.rule(Number, ",|on|?", Day)
def _military_and_day(number: Number, day: Day) -> Moment | None:
    clock = military(number) if number.width == 4 else None
    clear = day.how in ("weekday", "offset") and not day.latent
    return Moment(day, clock) if clock and clear else None


@RULES.rule(Moment, Number)
def _moment_and_year(moment: Moment, year: Number) -> Moment | None:
    """ "oct 26 11:00 2027": the year behind the clock time."""
    day = moment.day
    fits = day and moment.time and day.how == "monthday" and year.width == 4 and 1900 <= year.value <= 2199
    return replace(moment, day=Day("date", (year.whole, *day.args))) if fits and day else None


@RULES.rule(OfDay, ",|on|of|?", "the|?", Day)
def _clock_and_day(clock: OfDay, day: Day) -> Moment | None:
    return Moment(supported(day), clock) if day.grain == "day" else None


@RULES.rule("on|for|at", Moment)
def _on_moment(moment: Moment) -> Moment | None:
    return moment if moment.day is None or moment.time is not None else None


RULES.rule("last", "night")(lambda: Moment(Day("offset", (-1, "day")), OfDay(20, exact=True, part="night")))
RULES.rule("next", "morning")(lambda: Moment(Day("offset", (1, "day")), of_part(Part("morning"))))
RULES.rule("next", "evening")(lambda: Moment(Day("offset", (1, "day")), of_part(Part("evening"))))
RULES.rule("tonight|tonite")(lambda: Moment(Day("offset", (0, "day")), OfDay(20, exact=True, part="night")))


@RULES.rule("this", "early|late|?", Part, ",|?", OfDay)
def _this_part_and_clock(part: Part, clock: OfDay) -> Moment | None:
    known = in_part(clock, part)
    return Moment(Day("offset", (0, "day")), known) if known else None


@RULES.rule("this", "early|late|?", Part)
def _this_part(part: Part) -> Moment:
    return Moment(Day("offset", (0, "day")), of_part(part))


RULES.rule("that", Part)(lambda part: Moment(Day("anchor", (0,)), of_part(part)))


@RULES.rule(OfDay, "that", Part)
def _clock_that_part(clock: OfDay, part: Part) -> Moment | None:
    known = with_half(clock, "am" if part.name == "morning" else "pm")
    return Moment(Day("anchor", (0,)), known) if known else None


for pattern in (
    ("tonight", OfDay),
    (OfDay, "tonight"),
    (OfDay, "this", "evening|eve"),
    ("this", "evening|eve", "at|?", OfDay),
):
    RULES.rule(*pattern)(_tonight)
RULES.rule(OfDay, "this", "afternoon")(_tonight)
RULES.rule("end|close", "of", "the|?", "day|business")(lambda: Moment(Day("offset", (0, "day"))))
RULES.rule("eod|cob")(lambda: Moment(Day("offset", (0, "day"))))
RULES.rule("eod|cob", Day)(lambda day: Moment(supported(day)))
RULES.rule("end", "of", "day|business", Day)(lambda day: Moment(supported(day)))
RULES.rule(Day, "eod|cob")(lambda day: Moment(supported(day)))


def supported(day: Day) -> Day:
    """The day with its support: a neighbour made "the third" a date."""
    return replace(day, latent=False)


@RULES.rule("the|?", "next|coming|upcoming|following", Number, Unit)
def _next_units(number: Number, unit: Unit) -> Range | None:
    return coming_units(number, unit.grain, 1)


@RULES.rule("the|?", "last|past|previous", Number, Unit)
def _last_units(number: Number, unit: Unit) -> Range | None:
    return coming_units(number, unit.grain, -1)


@RULES.rule("the|?", "next|coming|upcoming|following", Number, "business|working|work", "days|day")
def _next_workdays(number: Number) -> Range | None:
    return coming_units(number, "workday", 1)


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


@RULES.rule(Moment, DASH, Moment)
def _to(start: Moment, end: Moment) -> Range | None:
    return _range(start, end)


@RULES.rule("from|between", Moment, f"{DASH}|and", Moment)
def _from_to(start: Moment, end: Moment) -> Range | None:
    return _range(start, end)


@RULES.rule("from|between", Number, f"{DASH}|and", OfDay)
def _from_hour(number: Number, end: OfDay) -> Range | None:
    return _range(Moment(time=hour(number)), Moment(time=end)) if hour(number) else None


@RULES.rule("from|between", OfDay, f"{DASH}|and", Number)
def _to_hour(start: OfDay, number: Number) -> Range | None:
    return _range(Moment(time=start), Moment(time=hour(number))) if hour(number) else None


@RULES.rule("from|between", Number, f"{DASH}|and", Number)
def _hours(first: Number, second: Number) -> Range | None:
    clocks = hour(first), hour(second)
    return _range(Moment(time=clocks[0]), Moment(time=clocks[1])) if all(clocks) else None


@RULES.rule(Number, DASH, OfDay)
def _hour_to_clock(number: Number, end: OfDay) -> Range | None:
    minutes = number.form == "words" and number.whole in (5, 10, 20, 25) and end.part in ("noon", "midnight")
    return _range(Moment(time=hour(number)), Moment(time=end)) if hour(number) and not minutes else None


@RULES.rule(Number, DASH, Number, "this|in", "the|?", Part)
@RULES.rule("from|between", Number, f"{DASH}|and", Number, "this|in", "the|?", Part)
def _hours_in_part(first: Number, last: Number, part: Part) -> Range | None:
    """ "5 to 6 this evening"."""
    clocks = [clock and in_part(clock, part) for clock in (hour(first), hour(last))]
    day = Day("offset", (0, "day"))
    return Range(Moment(day, clocks[0]), Moment(time=clocks[1])) if all(clocks) else None


@RULES.rule(OfDay, DASH, Number, "h|hrs|?")
def _clock_to_hour(start: OfDay, number: Number) -> Range | None:
    return _range(Moment(time=start), Moment(time=hour(number))) if hour(number) else None


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
    return Range(start, None, length) if _timed(start) or length.parts[0][1] in ("day", "week") else None


def _timed(moment: Moment) -> bool:
    return moment.time is not None or moment.shift is not None


def _range(start: Moment, end: Moment) -> Range | None:
    if start.day is not None and end.time is not None and end.day is None and start.time is None:
        return None
    return Range(start, end)


@RULES.rule(Day, ",|at|?", Range)
def _day_then_range(day: Day, span: Range) -> Range | None:
    return _on(day, span)


@RULES.rule("on|for", Moment, ",|at|?", Range)
def _on_day_then_range(moment: Moment, span: Range) -> Range | None:
    return _on(moment.day, span) if moment.day and moment.time is None else None


@RULES.rule("on|for", Day, ",|at|?", Range)
def _on_latent_day_then_range(day: Day, span: Range) -> Range | None:
    return _on(supported(day), span) if day.latent else None


@RULES.rule(Moment, ",|?", Range)
def _part_then_range(moment: Moment, span: Range) -> Range | None:
    """ "monday morning from 10 to 12": the part only says which half of the day is meant."""
    part = moment.time.part if moment.time and moment.day else None
    if part is None or not (span.start and span.end and span.start.time and span.end.time) or span.start.day:
        return None
    first, last = in_part(span.start.time, Part(part)), span.end.time
    start = Moment(moment.day, first or span.start.time)
    return replace(span, start=start, end=replace(span.end, time=in_part(last, Part(part)) or last))


@RULES.rule(Range, ",|?", Moment)
def _range_then_part(span: Range, moment: Moment) -> Range | None:
    return _part_then_range(moment, span)


@RULES.rule(Number, "-", Number, "on|?", Day)
def _hours_then_day(first: Number, last: Number, day: Day) -> Range | None:
    clear = not day.latent and day.how in ("weekday", "offset", "date")
    return _day_and_hours(day, first, last) if clear and first.width == 1 else None


@RULES.rule(Range, ",|on|of|?", Day)
def _range_then_day(span: Range, day: Day) -> Range | None:
    return _on(day, span)


@RULES.rule(Day, ",|at|?", Number, DASH, Number)
def _day_and_hours(day: Day, first: Number, last: Number) -> Range | None:
    clocks = (hour(first) or military(first), hour(last) or military(last))
    if clocks[0] is None or clocks[1] is None or day.grain != "day":
        return None
    return _on(day, Range(Moment(time=clocks[0]), Moment(time=clocks[1])))


def _on(day: Day, span: Range) -> Range | None:
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
        return replace(span, end=replace(span.end, day=supported(day)))
    if start is None or start.day is not None or start.time is None or day.grain != "day":
        return None
    return replace(span, start=replace(start, day=supported(day)))
