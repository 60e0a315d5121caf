"""Clock times and days as they are said aloud: "oh five hundred", "noon thirty", "first thing monday", "9 tonight"."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.rules.clock import hour, in_part, military, of_part, past_hour, with_half
from agents.time.rules.moments import sometime
from agents.time.rules.open import open_range
from agents.time.rules.ranges import are_minutes, may_be_minutes
from agents.time.values import TODAY, Day, Half, Moment, Number, OfDay, Part, Range, Role, Unit

RULES = Grammar()
EARLIEST_NIGHT, NOON = 6, 12
FULL_HOUR = Number(0)

RULES.rule("oh|o|zero", Number, "hundred", "hours|?")(lambda number: _on_24(number, 0))
RULES.rule(Number, "hundred", "hours|hrs")(lambda number: _on_24(number, 0))


def _hundred_in_half(number: Number, minutes: Number = FULL_HOUR, *, half: Half) -> OfDay | None:
    """Like "four hundred am", "six hundred and forty five am"."""
    return with_half(_on_24(number, minutes.whole), half) if minutes.form == "words" else None


for half in ("am", "pm"):
    RULES.rule(Number, "hundred", half, half=half)(_hundred_in_half)
    RULES.rule(Number, "hundred", "and|?", Number, half, half=half)(_hundred_in_half)


@RULES.rule("oh|zero", Number, Number, "hours|?")
def _oh_and_minutes(number: Number, minutes: Number) -> OfDay | None:
    """Like "oh five thirty": the oh says that the day is young."""
    return _on_24(number, minutes.whole) if minutes.form == "words" and minutes.value >= 10 else None


@RULES.rule(Number, Number, "hours")
def _and_minutes_hours(number: Number, minutes: Number) -> OfDay | None:
    """Like "eighteen thirty hours"."""
    return _oh_and_minutes(number, minutes) if number.value > 12 else None


@RULES.rule(Number, "hours|hrs|h")
def _digits_hours(number: Number) -> OfDay | None:
    """Like "1500 hours": four digits that a clock shows."""
    return military(number, sure=True) if number.width == 4 else None


def _on_24(number: Number, minutes: int | None) -> OfDay | None:
    clock = hour(number)
    if clock is None or minutes is None or not 0 <= minutes < 60 or number.form != "words":
        return None
    return replace(clock, minute=minutes, bare=False, exact=True)


@RULES.rule("at|@|by|before|until|till|from|after", Number)
def _at_four_digits(number: Number) -> OfDay | None:
    return military(number) if number.width == 4 else None


@RULES.rule("at|around|about", Number, "to|of", Number)
def _minutes_to_hour(minutes: Number, number: Number) -> OfDay | None:
    """Like "at ten to five"; without "at" it may be a stretch, "open ten to five"."""
    spoken = number.form == "words" or number.value <= NOON < minutes.value
    told = spoken and may_be_minutes(minutes) and not minutes.ordinal
    return past_hour(number, -int(minutes.value)) if told else None


@RULES.rule(Number, "to|of", Number, "on|?", Moment)
def _minutes_to_hour_of_part(minutes: Number, number: Number, moment: Moment) -> Moment | None:
    """Like "twenty to six tomorrow morning"."""
    clock = _minutes_to_hour(minutes, number) if number.whole and are_minutes(minutes, number.whole) else None
    part = moment.time.part if moment.time and moment.day and moment.shift is None else None
    known = in_part(clock, Part(part)) if clock and part else None
    return replace(moment, time=known) if known else None


@RULES.rule("by|before", Number, "to|of", Number, role="deadline")
@RULES.rule("until|till|til", Number, "to|of", Number, role="until")
@RULES.rule("after|since", Number, "to|of", Number, role="after")
def _open_minutes_to(minutes: Number, number: Number, role: Role) -> Range | None:
    clock = _minutes_to_hour(minutes, number)
    return open_range(Moment(time=clock), role) if clock else None


@RULES.rule("noon|midday", Number)
def _noon_thirty(minutes: Number) -> OfDay | None:
    words = minutes.form == "words" and minutes.whole in (15, 30, 45)
    return OfDay(12, minutes.whole or 0, exact=True) if words else None


@RULES.rule(Number, Part)
@RULES.rule(OfDay, Part)
def _twelve_noon(said: Number | OfDay, part: Part) -> OfDay | None:
    """Like "12:00 noon"."""
    clock = hour(said)
    twelve = clock and (clock.hour, clock.minute) == (NOON, 0)
    return of_part(part) if twelve and part.name in ("noon", "midnight") else None


@RULES.rule("at|?", Number, ",|?", "tonight|tonite")
def _hour_tonight(number: Number) -> Moment | None:
    """Like "9 tonight"; "5 tonight" may be five of anything."""
    clock = _in_part(number, "night")
    return Moment(TODAY, clock) if clock else None


@RULES.rule(Number, Moment)
def _hour_in_that_part(number: Number, moment: Moment) -> Moment | None:
    """Like "7 tomorrow morning"."""
    part = moment.time.part if moment.time and moment.day and moment.shift is None else None
    clock = _in_part(number, part) if part in ("morning", "afternoon", "evening", "night") else None
    return replace(moment, time=clock) if clock else None


def _in_part(number: Number, part: str | None) -> OfDay | None:
    clock = hour(number)
    if clock is None or part is None or not 1 <= clock.hour <= NOON:
        return None
    return None if part == "night" and not EARLIEST_NIGHT <= clock.hour < NOON else in_part(clock, Part(part))


@RULES.rule("first", "thing", "on|?", Day)
@RULES.rule(Day, ",|?", "first", "thing")
def _first_thing(day: Day) -> Moment | None:
    return Moment(day.explicit, of_part(Part("morning"))) if day.grain == "day" else None


@RULES.rule("first", "thing", "on|in|?", "the|?", Moment)
def _first_thing_then(moment: Moment) -> Moment | None:
    return moment if moment.time and moment.time.part == "morning" else None


@RULES.rule("in", Number, "sleep|sleeps")
def _in_sleeps(number: Number) -> Day | None:
    """Like "in three sleeps", as children count days."""
    return Day("offset", (number.whole, "day")) if number.whole and not number.ordinal else None


@RULES.rule("first", "thing", "next", Unit)
def _first_thing_next(unit: Unit) -> Moment | None:
    week = Day("unit", (1, "week"), "week")
    return Moment(Day("nth", (0, 1, week)), of_part(Part("morning"))) if unit.grain == "week" else None


RULES.rule("by|before", "cop|eop")(lambda: Range(None, Moment(TODAY), role="deadline"))


@RULES.rule("early|late|mid", "-|?", Part)
def _part_of_a_part(part: Part) -> OfDay | None:
    """Like "late afternoon": as good as the part itself."""
    return of_part(part) if part.name in ("morning", "afternoon", "evening") and not part.plural else None


@RULES.rule("early|late|earlier", "on|?", Moment)
def _late_on(moment: Moment) -> Moment | None:
    """Like "late tonight", "early tomorrow morning"; a week has an early part of its own."""
    return sometime(moment) if moment.day and moment.day.grain == "day" else None


RULES.rule("sometime|anytime|some time|any time|at some point", "on|in|?", Moment)(sometime)
