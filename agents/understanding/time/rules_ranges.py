"""Moments, intervals and open ends: "tomorrow at 5", "from nine to eleven thirty", "by friday", "until june"."""

from __future__ import annotations

from dataclasses import replace

from agents.understanding.time.chart import Grammar
from agents.understanding.time.rules_clock import hour, military, of_part, with_half
from agents.understanding.time.values import Day, Length, Moment, Month, Number, OfDay, Part, Range, Unit

DASH = "-|to|until|till|til|through|thru|untill"


def register(grammar: Grammar) -> None:
    """Add these rules to a grammar."""
    _moments(grammar)
    _elapsed(grammar)
    _intervals(grammar)
    _with_day(grammar)
    _open(grammar)


def _moments(grammar: Grammar) -> None:
    @grammar.rule(Day)
    def day_alone(day: Day) -> Moment | None:
        return None if day.latent else Moment(day)

    @grammar.rule(OfDay)
    def clock_alone(clock: OfDay) -> Moment:
        return Moment(time=clock)

    @grammar.rule("on|for|over|during", "the|?", Day)
    def on_day(day: Day) -> Moment:
        return Moment(_supported(day))

    @grammar.rule("in", Day)
    def in_stretch(day: Day) -> Moment | None:
        return Moment(_supported(day)) if day.grain in ("month", "year", "quarter") else None

    @grammar.rule(Day, ",|at|.|?", OfDay)
    def day_and_clock(day: Day, clock: OfDay) -> Moment | None:
        return Moment(_supported(day), clock) if day.grain in ("day", "weekend") else None

    @grammar.rule(Day, ",|at|.|?", Number)
    def day_and_digits(day: Day, number: Number) -> Moment | None:
        clock = military(number) if number.width == 4 else None
        return Moment(_supported(day), clock) if clock and day.grain == "day" else None

    @grammar.rule(Day, "in|at|?", "the|?", "early|late|?", Part)
    def day_and_part(day: Day, part: Part) -> Moment | None:
        feast = part.name == "eve" and day.how not in ("weekday", "offset", "both")
        return Moment(_supported(day), of_part(part)) if day.grain == "day" and not feast else None

    @grammar.rule(Day, Part, OfDay)
    def day_part_and_clock(day: Day, part: Part, clock: OfDay) -> Moment | None:
        known = with_half(clock, "am" if part.name == "morning" else "pm")
        return Moment(_supported(day), known) if known and day.grain == "day" and not clock.part else None

    @grammar.rule(Part, "on|of", "the|?", Day)
    def part_of_day(part: Part, day: Day) -> Moment | None:
        return Moment(_supported(day), of_part(part)) if day.grain == "day" else None

    @grammar.rule(OfDay, ",|on|of|?", "the|?", Day)
    def clock_and_day(clock: OfDay, day: Day) -> Moment | None:
        return Moment(_supported(day), clock) if day.grain == "day" else None

    @grammar.rule("on|for|at", Moment)
    def on_moment(moment: Moment) -> Moment | None:
        return moment if moment.day is None or moment.time is not None else None

    grammar.rule("tonight|tonite")(lambda: Moment(Day("offset", (0, "day")), OfDay(20, exact=True, part="night")))

    @grammar.rule("this", Part)
    def this_part(part: Part) -> Moment:
        return Moment(Day("offset", (0, "day")), of_part(part))

    grammar.rule("that", Part)(lambda part: Moment(Day("anchor", (0,)), of_part(part)))

    @grammar.rule(OfDay, "that", Part)
    def clock_that_part(clock: OfDay, part: Part) -> Moment | None:
        known = with_half(clock, "am" if part.name == "morning" else "pm")
        return Moment(Day("anchor", (0,)), known) if known else None

    for pattern in (
        ("tonight", OfDay),
        (OfDay, "tonight"),
        (OfDay, "this", "evening|eve"),
        ("this", "evening|eve", "at|?", OfDay),
    ):
        grammar.rule(*pattern)(_tonight)
    grammar.rule(OfDay, "this", "afternoon")(_tonight)
    grammar.rule("end", "of", "the|?", "day")(lambda: Moment(Day("offset", (0, "day"))))
    grammar.rule("eod|cob")(lambda: Moment(Day("offset", (0, "day"))))
    grammar.rule("eod|cob", Day)(lambda day: Moment(_supported(day)))
    grammar.rule("end", "of", "day|business", Day)(lambda day: Moment(_supported(day)))
    grammar.rule(Day, "eod|cob")(lambda day: Moment(_supported(day)))


def _tonight(clock: OfDay) -> Moment | None:
    if clock.part:
        return None
    late = clock if clock.exact else replace(clock, hour=clock.hour % 12 + 12, half="pm", exact=True)
    return Moment(Day("offset", (0, "day")), late)


def _supported(day: Day) -> Day:
    return replace(day, latent=False)


def _elapsed(grammar: Grammar) -> None:
    @grammar.rule("in|within", "about|around|?", Length)
    def in_length(length: Length) -> Moment:
        return Moment(shift=length)

    @grammar.rule(Length, "from", "now|today")
    def from_now(length: Length) -> Moment:
        return Moment(shift=length)

    @grammar.rule(Length, "later|hence")
    def later(length: Length) -> Moment:
        return Moment(shift=length)

    @grammar.rule(Length, "ago|back")
    def ago(length: Length) -> Moment:
        return Moment(shift=length, sign=-1)

    @grammar.rule(Moment, "at", OfDay)
    def shifted_at(moment: Moment, clock: OfDay) -> Moment | None:
        return replace(moment, time=clock) if moment.shift and moment.time is None else None

    @grammar.rule("the|?", "next|coming", Number, Unit)
    def next_units(number: Number, unit: Unit) -> Range | None:
        return _coming(number, unit, 1)

    @grammar.rule("the|?", "last|past", Number, Unit)
    def last_units(number: Number, unit: Unit) -> Range | None:
        return _coming(number, unit, -1)


def _coming(number: Number, unit: Unit, sign: int) -> Range | None:
    if number.whole is None or number.ordinal or unit.grain == "weekend":
        return None
    if unit.grain in ("hour", "minute", "second"):
        edge = Moment(shift=Length(((number.value, unit.grain),)), sign=sign)
        now = Moment(shift=Length(((0, unit.grain),)))
        return Range(now, edge) if sign > 0 else Range(edge, now)
    first = Day("unit", (1 if sign > 0 else -number.whole, unit.grain), unit.grain)
    last = Day("unit", (number.whole if sign > 0 else -1, unit.grain), unit.grain)
    return Range(Moment(first), Moment(last))


def _intervals(grammar: Grammar) -> None:
    @grammar.rule(Moment, DASH, Moment)
    def to(start: Moment, end: Moment) -> Range | None:
        return _range(start, end)

    @grammar.rule("from|between", Moment, f"{DASH}|and", Moment)
    def from_to(start: Moment, end: Moment) -> Range | None:
        return _range(start, end)

    @grammar.rule("from|between", Number, f"{DASH}|and", OfDay)
    def from_hour(number: Number, end: OfDay) -> Range | None:
        return _range(Moment(time=hour(number)), Moment(time=end)) if hour(number) else None

    @grammar.rule("from|between", OfDay, f"{DASH}|and", Number)
    def to_hour(start: OfDay, number: Number) -> Range | None:
        return _range(Moment(time=start), Moment(time=hour(number))) if hour(number) else None

    @grammar.rule("from|between", Number, f"{DASH}|and", Number)
    def hours(first: Number, second: Number) -> Range | None:
        clocks = hour(first), hour(second)
        return _range(Moment(time=clocks[0]), Moment(time=clocks[1])) if all(clocks) else None

    @grammar.rule(Number, DASH, OfDay)
    def hour_to_clock(number: Number, end: OfDay) -> Range | None:
        return _range(Moment(time=hour(number)), Moment(time=end)) if hour(number) else None

    @grammar.rule(OfDay, DASH, Number)
    def clock_to_hour(start: OfDay, number: Number) -> Range | None:
        return _range(Moment(time=start), Moment(time=hour(number))) if hour(number) else None

    _day_intervals(grammar)


def _day_intervals(grammar: Grammar) -> None:
    @grammar.rule("from|between|?", Month, Number, f"{DASH}|and", Number, ",|?", Number)
    def days_of_month_and_year(month: Month, first: Number, last: Number, year: Number) -> Range | None:
        if year.width != 4 or first.width > 2 or last.width > 2:
            return None
        return Range(*(Moment(Day("date", (year.whole, month.index, number.whole))) for number in (first, last)))

    @grammar.rule("from|between|?", Month, Number, f"{DASH}|and", Number)
    def days_of_month(month: Month, first: Number, last: Number) -> Range | None:
        ends = [Day("monthday", (month.index, number.whole)) for number in (first, last) if number.width <= 2]
        return Range(Moment(ends[0]), Moment(ends[1])) if len(ends) == 2 else None

    @grammar.rule("from|between|?", "the|?", Number, f"{DASH}|and", "the|?", Number, "of|?", Month)
    def days_before_month(first: Number, last: Number, month: Month) -> Range | None:
        ends = [Day("monthday", (month.index, number.whole)) for number in (first, last) if number.width <= 2]
        return Range(Moment(ends[0]), Moment(ends[1])) if len(ends) == 2 else None

    @grammar.rule(Day, "-", Day)
    def day_to_day(first: Day, last: Day) -> Range | None:
        return None if first.grain != last.grain else Range(Moment(_supported(first)), Moment(_supported(last)))

    @grammar.rule(Moment, ",|?", "for", Length)
    def for_length(start: Moment, length: Length) -> Range | None:
        return Range(start, None, length) if _timed(start) or length.parts[0][1] in ("day", "week") else None


def _timed(moment: Moment) -> bool:
    return moment.time is not None or moment.shift is not None


def _range(start: Moment, end: Moment) -> Range | None:
    if start.day is not None and end.time is not None and end.day is None and start.time is None:
        return None
    return Range(start, end)


def _with_day(grammar: Grammar) -> None:
    @grammar.rule(Day, ",|at|?", Range)
    def day_then_range(day: Day, span: Range) -> Range | None:
        return _on(day, span)

    @grammar.rule("on", Moment, ",|at|?", Range)
    def on_day_then_range(moment: Moment, span: Range) -> Range | None:
        return _on(moment.day, span) if moment.day and moment.time is None else None

    @grammar.rule(Range, ",|on|of|?", Day)
    def range_then_day(span: Range, day: Day) -> Range | None:
        return _on(day, span)

    @grammar.rule(Day, ",|at|?", Number, DASH, Number)
    def day_and_hours(day: Day, first: Number, last: Number) -> Range | None:
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
        return replace(span, end=replace(span.end, day=_supported(day)))
    if start is None or start.day is not None or start.time is None or day.grain != "day":
        return None
    return replace(span, start=replace(start, day=_supported(day)))


def _open(grammar: Grammar) -> None:
    deadline = (
        "by|before|due",
        "due by|due on|due before|due in|due at|no later than|at the latest by|not later than|is due|deadline is|deadline",
    )
    for phrase in (*deadline[0].split("|"), *deadline[1].split("|")):
        _open_rule(grammar, phrase.split(), "deadline")
    for phrase in ("until", "till", "til", "through", "up until", "up to"):
        _open_rule(grammar, phrase.split(), "until")
    for phrase in (
        "after",
        "since",
        "starting",
        "starting on",
        "starting from",
        "beginning",
        "beginning on",
        "from",
        "as of",
    ):
        _open_rule(grammar, phrase.split(), "after")


def _open_rule(grammar: Grammar, words: list[str], role: str) -> None:
    def with_moment(moment: Moment) -> Range:
        return _opened(moment, role)

    def with_day(day: Day) -> Range | None:
        return _opened(Moment(_supported(day)), role) if day.latent else None

    def with_hour(number: Number) -> Range | None:
        clock = hour(number)
        return _opened(Moment(time=clock), role) if clock and number.width <= 2 else None

    grammar.rule(*words, Moment)(with_moment)
    grammar.rule(*words, "the|?", Day)(with_day)
    grammar.rule(*words, Number)(with_hour)


def _opened(moment: Moment, role: str) -> Range:
    if role == "after":
        return Range(moment, None, role="after")
    return Range(None, moment, role="deadline" if role == "deadline" else "until")
