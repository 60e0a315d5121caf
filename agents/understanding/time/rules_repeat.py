"""Recurrences: "every other friday at three", "on weekdays", "last friday of each month", "every 8 hours"."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from agents.understanding.time.chart import Grammar
from agents.understanding.time.rules_clock import of_part
from agents.understanding.time.values import (
    Day,
    Length,
    Moment,
    Month,
    Number,
    OfDay,
    Part,
    Range,
    Repeat,
    Unit,
    Weekday,
)

Freq = Literal["HOURLY", "MINUTELY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"]
CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
FREQ: dict[str, tuple[Freq, int]] = {
    "minute": ("MINUTELY", 1),
    "hour": ("HOURLY", 1),
    "day": ("DAILY", 1),
    "week": ("WEEKLY", 1),
    "month": ("MONTHLY", 1),
    "quarter": ("MONTHLY", 3),
    "year": ("YEARLY", 1),
}
WORKDAYS, WEEKEND = CODES[:5], CODES[5:]
EVERY = "every|each"


def register(grammar: Grammar) -> None:
    """Add these rules to a grammar."""
    _every_unit(grammar)
    _every_weekday(grammar)
    _monthly(grammar)
    _yearly(grammar)
    _timed(grammar)
    _bounded(grammar)


def _every_unit(grammar: Grammar) -> None:
    @grammar.rule(EVERY, Unit)
    def every(unit: Unit) -> Repeat | None:
        return _unit(unit, 1)

    @grammar.rule(EVERY, Number, Unit)
    def every_n(number: Number, unit: Unit) -> Repeat | None:
        return _unit(unit, number.whole or 0)

    @grammar.rule(EVERY, "other|second", Unit)
    def every_other(unit: Unit) -> Repeat | None:
        return _unit(unit, 2)

    @grammar.rule("once", "a|every|per", Unit)
    def once_a(unit: Unit) -> Repeat | None:
        return _unit(unit, 1)

    grammar.rule("every", Length)(lambda length: _unit(Unit(length.parts[0][1]), int(length.parts[0][0])))
    for words, freq, interval in (
        ("daily|everyday|nightly", "DAILY", 1),
        ("weekly", "WEEKLY", 1),
        ("biweekly|fortnightly", "WEEKLY", 2),
        ("monthly", "MONTHLY", 1),
        ("quarterly", "MONTHLY", 3),
        ("yearly|annually", "YEARLY", 1),
        ("hourly", "HOURLY", 1),
    ):
        grammar.rule(words)(lambda freq=freq, interval=interval: Repeat(freq, interval))


def _unit(unit: Unit, interval: int) -> Repeat | None:
    if unit.grain == "weekend":
        return Repeat("WEEKLY", interval, byday=WEEKEND) if interval else None
    if unit.grain not in FREQ or not 0 < interval < 1000:
        return None
    freq, times = FREQ[unit.grain]
    return Repeat(freq, interval * times)


def _every_weekday(grammar: Grammar) -> None:
    grammar.rule("every|each|on", "weekday|weekdays|workday|workdays")(lambda: Repeat("WEEKLY", byday=WORKDAYS))
    grammar.rule("weekdays|workdays")(lambda: Repeat("WEEKLY", byday=WORKDAYS))
    grammar.rule("every", "business|working", "day")(lambda: Repeat("WEEKLY", byday=WORKDAYS))
    grammar.rule("on|?", "weekends")(lambda: Repeat("WEEKLY", byday=WEEKEND))

    @grammar.rule(EVERY, Weekday)
    def every(weekday: Weekday) -> Repeat:
        return Repeat("WEEKLY", byday=(CODES[weekday.index],))

    @grammar.rule(EVERY, Weekday, "-|to|through|thru|till|until", Weekday)
    def every_span(first: Weekday, last: Weekday) -> Repeat:
        days = [CODES[(first.index + step) % 7] for step in range((last.index - first.index) % 7 + 1)]
        return Repeat("WEEKLY", byday=tuple(sorted(days, key=CODES.index)))

    @grammar.rule("on|?", Weekday)
    def plural(weekday: Weekday) -> Repeat | None:
        return Repeat("WEEKLY", byday=(CODES[weekday.index],)) if weekday.plural else None

    @grammar.rule(EVERY, "other|second", Weekday)
    def every_other(weekday: Weekday) -> Repeat:
        return Repeat("WEEKLY", 2, byday=(CODES[weekday.index],))

    @grammar.rule(Repeat, ",|and|&|/|?", "every|?", Weekday)
    def and_day(repeat: Repeat, weekday: Weekday) -> Repeat | None:
        return _more_days(repeat, weekday)

    @grammar.rule(Repeat, ",", "and", Weekday)
    def comma_and_day(repeat: Repeat, weekday: Weekday) -> Repeat | None:
        return _more_days(repeat, weekday)

    @grammar.rule(Repeat, "on", "the|?", Weekday)
    def on_day(repeat: Repeat, weekday: Weekday) -> Repeat | None:
        fits = repeat.freq == "WEEKLY" and not repeat.byday
        return replace(repeat, byday=(CODES[weekday.index],)) if fits else None

    @grammar.rule(Weekday, "and|&", Weekday)
    def plural_pair(first: Weekday, second: Weekday) -> Repeat | None:
        return _more_days(Repeat("WEEKLY", byday=(CODES[first.index],)), second) if first.plural else None


def _more_days(repeat: Repeat, weekday: Weekday) -> Repeat | None:
    code = CODES[weekday.index]
    plain = repeat.freq == "WEEKLY" and repeat.byday and repeat.time is None and repeat.until is None
    if not plain or code in repeat.byday or len(repeat.byday) > 6:
        return None
    return replace(repeat, byday=tuple(sorted((*repeat.byday, code), key=CODES.index)))


def _monthly(grammar: Grammar) -> None:
    @grammar.rule("on|?", "the|?|every", Number, Weekday, "of", EVERY, "month")
    def nth_of_each(number: Number, weekday: Weekday) -> Repeat | None:
        return _nth(number.whole, weekday) if number.ordinal else None

    @grammar.rule("on|?", "the|?|every", "last", Weekday, "of|in", f"{EVERY}|the", "month")
    def last_of_each(weekday: Weekday) -> Repeat | None:
        return _nth(-1, weekday)

    @grammar.rule(EVERY, Number, Weekday, "of|in", "the", "month")
    def every_nth(number: Number, weekday: Weekday) -> Repeat | None:
        return _nth(number.whole, weekday) if number.ordinal else None

    @grammar.rule(Repeat, "on", "the|?", Number, Weekday)
    def monthly_nth(repeat: Repeat, number: Number, weekday: Weekday) -> Repeat | None:
        fits = repeat.freq in ("MONTHLY", "YEARLY") and number.ordinal and not repeat.byday
        return replace(repeat, byday=(f"{number.whole}{CODES[weekday.index]}",)) if fits else None

    @grammar.rule(Repeat, "on", "the|?", "last", Weekday)
    def monthly_last(repeat: Repeat, weekday: Weekday) -> Repeat | None:
        return replace(repeat, byday=(f"-1{CODES[weekday.index]}",)) if repeat.freq == "MONTHLY" else None

    @grammar.rule(Repeat, "on", "the|?", Number)
    def monthly_day(repeat: Repeat, number: Number) -> Repeat | None:
        return _monthday(repeat, number) if repeat.freq == "MONTHLY" else None

    @grammar.rule("on|every|?", "the|?", Number, "day|?", "of", Repeat)
    def day_of_months(number: Number, repeat: Repeat) -> Repeat | None:
        return _monthday(repeat, number) if number.ordinal and repeat.freq == "MONTHLY" else None

    @grammar.rule("on|every|?", "the|?", Number, Weekday, "of|in", Repeat)
    def nth_of_months(number: Number, weekday: Weekday, repeat: Repeat) -> Repeat | None:
        fits = number.ordinal and repeat.freq == "MONTHLY" and not repeat.byday
        return replace(repeat, byday=(f"{number.whole}{CODES[weekday.index]}",)) if fits else None

    @grammar.rule("on|every|?", "the|?", "last", Weekday, "of|in", Repeat)
    def last_of_months(weekday: Weekday, repeat: Repeat) -> Repeat | None:
        fits = repeat.freq == "MONTHLY" and not repeat.byday
        return replace(repeat, byday=(f"-1{CODES[weekday.index]}",)) if fits else None

    @grammar.rule("on|every|?", "the|?", Number, "of", f"{EVERY}|the", "month")
    def day_of_each(number: Number) -> Repeat | None:
        return _monthday(Repeat("MONTHLY"), number) if number.ordinal else None

    @grammar.rule("on|?", "the|?", "last", "day", "of", EVERY, "month")
    def last_day() -> Repeat:
        return Repeat("MONTHLY", bymonthday=(-1,))


def _nth(nth: int | None, weekday: Weekday) -> Repeat | None:
    return Repeat("MONTHLY", byday=(f"{nth}{CODES[weekday.index]}",)) if nth and -1 <= nth <= 5 else None


def _monthday(repeat: Repeat, number: Number) -> Repeat | None:
    whole = number.whole
    return replace(repeat, bymonthday=(whole,)) if whole and 1 <= whole <= 31 and not repeat.byday else None


def _yearly(grammar: Grammar) -> None:
    @grammar.rule(EVERY, Day)
    def every_date(day: Day) -> Repeat | None:
        return _on_date(Repeat("YEARLY"), day)

    @grammar.rule(Repeat, "on|?", Day)
    def year_on(repeat: Repeat, day: Day) -> Repeat | None:
        return _on_date(repeat, day) if repeat.freq == "YEARLY" and not repeat.bymonthday else None

    @grammar.rule(Repeat, "in|of", Month)
    def in_month(repeat: Repeat, month: Month) -> Repeat | None:
        nth = bool(repeat.byday) and repeat.byday[0][0].isdigit() or (repeat.byday and repeat.byday[0][0] == "-")
        fits = repeat.freq in ("YEARLY", "MONTHLY") and nth and not repeat.bymonth
        return replace(repeat, freq="YEARLY", bymonth=(month.index,)) if fits else None

    @grammar.rule(EVERY, Number, Weekday, "in|of", Month)
    def nth_in_month(number: Number, weekday: Weekday, month: Month) -> Repeat | None:
        nth = _nth(number.whole, weekday) if number.ordinal else None
        return replace(nth, freq="YEARLY", bymonth=(month.index,)) if nth else None

    @grammar.rule(EVERY, Month)
    def every_month(month: Month) -> Repeat:
        return Repeat("YEARLY", bymonth=(month.index,))


def _on_date(repeat: Repeat, day: Day) -> Repeat | None:
    if day.how != "monthday" or day.args[0] is None:
        return None
    return replace(repeat, bymonth=(day.args[0],), bymonthday=(day.args[1],))  # type: ignore[arg-type]


def _timed(grammar: Grammar) -> None:
    @grammar.rule(Repeat, ",|?", "at|?", OfDay)
    def at_time(repeat: Repeat, clock: OfDay) -> Repeat | None:
        return None if repeat.time else replace(repeat, time=clock)

    @grammar.rule(OfDay, ",|?", Repeat)
    def time_first(clock: OfDay, repeat: Repeat) -> Repeat | None:
        return None if repeat.time else replace(repeat, time=clock)

    @grammar.rule(Repeat, ",|?", Range)
    def from_to(repeat: Repeat, span: Range) -> Repeat | None:
        if (
            repeat.time
            or span.role != "when"
            or not span.start
            or not span.end
            or span.start.day
            or not span.start.time
        ):
            return None
        return replace(repeat, time=span.start.time, end_time=span.end.time)

    @grammar.rule(EVERY, Part)
    def every_part(part: Part) -> Repeat:
        return Repeat("DAILY", time=of_part(part))

    @grammar.rule(EVERY, Weekday, Part)
    def every_weekday_part(weekday: Weekday, part: Part) -> Repeat:
        return Repeat("WEEKLY", byday=(CODES[weekday.index],), time=of_part(part))

    @grammar.rule(Repeat, "in|at|?", "the|?", Part)
    def in_part(repeat: Repeat, part: Part) -> Repeat | None:
        return None if repeat.time else replace(repeat, time=of_part(part))


def _lasting(repeat: Repeat, length: Length) -> Repeat | None:
    long = length.parts[0][1] in ("week", "month", "year", "day")
    return replace(repeat, until=Moment(shift=length)) if long and not repeat.until else None


def _bounded(grammar: Grammar) -> None:
    @grammar.rule(Repeat, ",|?", Range)
    def bounded(repeat: Repeat, span: Range) -> Repeat | None:
        dated = (
            span.role == "when"
            and span.start
            and span.end
            and span.start.day
            and not span.start.time
            and not repeat.until
        )
        if dated:
            return replace(repeat, start=span.start, until=span.end)
        if span.role == "until" and span.end and not repeat.until:
            return replace(repeat, until=span.end)
        if span.role == "after" and span.start and not repeat.start:
            return replace(repeat, start=span.start)
        return None

    @grammar.rule(Repeat, "for", Length)
    def for_length(repeat: Repeat, length: Length) -> Repeat | None:
        return _lasting(repeat, length)

    @grammar.rule(Repeat, "for|?", Number, "times|x|occurrences")
    def times(repeat: Repeat, number: Number) -> Repeat | None:
        return replace(repeat, times=number.whole) if number.whole and repeat.times is None else None

    grammar.rule(Repeat, "twice")(lambda repeat: replace(repeat, times=2) if repeat.times is None else None)

    @grammar.rule(Repeat, "for", "the", "next", Unit)
    def for_the_next(repeat: Repeat, unit: Unit) -> Repeat | None:
        return _lasting(repeat, Length(((1, unit.grain),)))

    @grammar.rule(Repeat, "for", "the", "next", Length)
    def for_the_next_few(repeat: Repeat, length: Length) -> Repeat | None:
        return _lasting(repeat, length)

    @grammar.rule(Repeat, "on|?", Repeat)
    def on_weekends(repeat: Repeat, days: Repeat) -> Repeat | None:
        fits = repeat.freq == "WEEKLY" and not repeat.byday and days.byday == WEEKEND
        return replace(repeat, byday=WEEKEND) if fits else None

    @grammar.rule(Range, ",|?", Repeat)
    def start_first(span: Range, repeat: Repeat) -> Repeat | None:
        fits = span.role == "after" and span.start and not repeat.start
        return replace(repeat, start=span.start) if fits else None
