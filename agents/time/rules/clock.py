"""Clock times: "half past seven", "5 pm", "three forty five", "nine in the evening"."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.values import Dotted, Half, Moment, Number, OfDay, Part, Range

RULES = Grammar()

PART_HOURS = {"morning": 9, "noon": 12, "afternoon": 15, "evening": 19, "eve": 19, "night": 20, "midnight": 0}
SMALL_HOURS = 5
LATE_PARTS = frozenset({"afternoon", "evening", "eve", "night"})


def hour(said: Number | Dotted | OfDay) -> OfDay | None:
    """The clock time that is said; a number may mean a whole hour from 0 to 24, "8.30" one with minutes."""
    if isinstance(said, OfDay):
        return said
    if isinstance(said, Dotted):
        return OfDay(said.first, said.second, exact=said.first > 12 or said.first == 0) if said.clock else None
    whole = said.whole
    if whole is None or said.ordinal or not 0 <= whole <= 24 or said.width > 2:
        return None
    return OfDay(whole, exact=whole > 12 or whole == 0, bare=True)


def hours(first: Number | Dotted | OfDay, last: Number | Dotted | OfDay) -> Range | None:
    """The interval between two clock times."""
    start, end = hour(first), hour(last)
    return Range(Moment(time=start), Moment(time=end)) if start and end else None


def military(number: Number, *, sure: bool = False) -> OfDay | None:
    """Four digits as a clock time: 1440; a year of our time is none unless am or pm is said (``sure``)."""
    whole = number.whole
    if number.form != "digits" or whole is None or number.width not in (3, 4):
        return None
    if not sure and 1900 <= whole <= 2100:
        return None
    hours, minutes = divmod(whole, 100)
    return OfDay(hours, minutes, exact=number.width == 4) if hours < 24 and minutes < 60 else None


def with_half(clock: OfDay | None, half: Half) -> OfDay | None:
    """A clock time with am or pm said; 13 pm stays 13."""
    if clock is None or (clock.hour > 12 and half == "am"):
        return None
    if clock.hour > 12:
        return replace(clock, bare=False, exact=True)
    shifted = clock.hour % 12 + (12 if half == "pm" else 0)
    return replace(clock, hour=shifted, half=half, exact=True, bare=False)


def _in_half(said: Number | Dotted | OfDay, half: Half) -> OfDay | None:
    digits = military(said, sure=True) if isinstance(said, Number) else None
    return with_half(hour(said) or digits, half)


def _digits_in_half(hours: Number, minutes: Number, half: Half) -> OfDay | None:
    """Like "4 15 pm"."""
    clock = _at_hour_and_digits(hours, minutes)
    return with_half(clock, half) if clock and clock.hour <= 12 else None


for half, letter, part in (("am", "a", "morning"), ("pm", "p", "afternoon|evening")):
    letters = f"{half}|{letter} . m|{letter} . m ."
    for kind in (Number, OfDay):
        RULES.rule(kind, f"{letters}|{letter} m|. {half}", half=half)(_in_half)
        RULES.rule(kind, "o'clock|oclock|?", "in the", part, half=half)(_in_half)
    RULES.rule(OfDay, letter, half=half)(_in_half)
    RULES.rule(Dotted, letters, half=half)(_in_half)
    RULES.rule(Number, Number, half, half=half)(_digits_in_half)


@RULES.rule(Number, "o ' clock|o clock|o'clock|oclock|sharp|ish")
@RULES.rule(OfDay, "o'clock|oclock|sharp|exactly|prompt|ish|- ish|on the dot")
def _by_the_clock(said: Number | OfDay) -> OfDay | None:
    clock = hour(said)
    return clock and replace(clock, bare=False)


RULES.rule(OfDay, "h|hrs|hours|uhr")(lambda clock: None if clock.bare else clock)


@RULES.rule("at|@|around|about|until|till|from|to", Dotted)
def _at_dotted(dotted: Dotted) -> OfDay | None:
    clock = hour(dotted)
    return clock and replace(clock, bare=True)


RULES.rule(Dotted, "h|hrs|uhr")(hour)


@RULES.rule(Number, "h")
def _on_24_hours(number: Number) -> OfDay | None:
    """Like "18h"; "18 hours" and "24h" are lengths."""
    clock = hour(number)
    return replace(clock, bare=False) if clock and 12 < clock.hour < 24 else None


@RULES.rule("at|@", Number, "h|hrs|hours")
def _at_hour_on_24(number: Number) -> OfDay | None:
    clock = hour(number)
    return clock and replace(clock, bare=False, exact=True)


RULES.rule("at", "like|say|maybe|roughly|approximately|around|about|exactly", Number)(hour)


@RULES.rule("at|@|around|about", Number)
def _at_hour(number: Number) -> OfDay | None:
    clock = hour(number)
    return clock and replace(clock, in_words=number.form == "words")


RULES.rule("roughly|approximately|approx", OfDay)(hour)
RULES.rule("at|@|around|about", "around|about|exactly|like|say|maybe|roughly|approximately|?", OfDay)(hour)
RULES.rule(Number, "-|?", "ish")(hour)


@RULES.rule(Number, Number)
def _hour_and_minutes(hours: Number, minutes: Number) -> OfDay | None:
    words = minutes.form == "words" and not minutes.ordinal and (hours.form == "words" or minutes.whole in (15, 30, 45))
    whole, clock = minutes.whole, hour(hours)
    if not words or clock is None or clock.hour == 0 or clock.hour > 12 or whole is None or not 10 <= whole <= 59:
        return None
    return replace(clock, minute=whole, bare=False)


@RULES.rule("at|@|around", Number, Number)
def _at_hour_and_digits(hours: Number, minutes: Number) -> OfDay | None:
    """Like "at 3 15": two plain numbers behind "at"."""
    digits = hours.form == minutes.form == "digits" and minutes.width == 2 and not minutes.ordinal
    clock, whole = hour(hours), minutes.whole
    return replace(clock, minute=whole) if digits and clock and whole is not None and whole < 60 else None


@RULES.rule("at|@", Number, Number)
def _at_hour_and_words(hours: Number, minutes: Number) -> OfDay | None:
    """Like "at eighteen forty two"; without "at" it is rather a year."""
    words = hours.form == minutes.form == "words" and not minutes.ordinal
    clock, whole = hour(hours), minutes.whole
    fits = words and clock and clock.hour > 12 and whole is not None and 10 <= whole < 60
    return replace(clock, minute=whole, bare=False) if fits and clock and whole is not None else None


@RULES.rule(Number, "-", Number)
def _hour_dash_minutes(hours: Number, minutes: Number) -> OfDay | None:
    return _hour_and_minutes(hours, minutes) if minutes.value > 20 or minutes.value == 15 else None


@RULES.rule(Number, "-|?", "oh|o|ou|zero", "-|?", Number)
def _hour_oh_minutes(hours: Number, minutes: Number) -> OfDay | None:
    clock, whole = hour(hours), minutes.whole
    return replace(clock, minute=whole, bare=False) if clock and whole is not None and 0 < whole < 10 else None


def past_hour(said: Number | OfDay, minutes: int) -> OfDay | None:
    """Minutes to or past a full hour, of a number up to 12 or said with am, pm or by name: "ten to noon"."""
    clock, number = hour(said), isinstance(said, Number)
    if clock is None or clock.minute or clock.second or (number and not 1 <= clock.hour <= 12):
        return None
    hours = clock.hour + minutes // 60
    return replace(
        clock, hour=(hours - 1) % 12 + 1 if number else hours % 24, minute=minutes % 60, bare=False, part=None
    )


for kind in (Number, OfDay):
    RULES.rule("half", "-|?", "past|after", kind, minutes=30)(past_hour)
    RULES.rule("a|?", "quarter", "past|after", kind, minutes=15)(past_hour)
    RULES.rule("a|?", "quarter", "to|till|til|of|before", kind, minutes=-15)(past_hour)
RULES.rule("half", Number, minutes=30)(past_hour)


@RULES.rule(Number, "minutes|mins|min|?", "past|after", Number)
@RULES.rule(Number, "minutes|mins|min|?", "past|after", OfDay)
def _minutes_past(minutes: Number, said: Number | OfDay) -> OfDay | None:
    return past_hour(said, minutes.whole) if minutes.whole and 0 < minutes.value < 60 else None


@RULES.rule(Number, "minutes|mins|min", "to|till|before", Number)
def _minutes_to(minutes: Number, number: Number) -> OfDay | None:
    return past_hour(number, -minutes.whole) if minutes.whole and 0 < minutes.value < 60 else None


@RULES.rule(Number, "minutes|mins|min|?", "to|till|before", OfDay)
def _to_that(minutes: Number, clock: OfDay) -> OfDay | None:
    usual = minutes.whole in (5, 10, 15, 20, 25)
    return past_hour(clock, -int(minutes.value)) if usual and not minutes.ordinal else None


@RULES.rule("early|late|?", Part, OfDay)
@RULES.rule("in", "the", "early|late|?", Part, ",|?", OfDay)
def _part_and_clock(part: Part, clock: OfDay) -> OfDay | None:
    """Not "eve at 11": a feast's eve is a day."""
    return on_part(clock, part) if part.name != "eve" else None


@RULES.rule(OfDay, "in|at|?", "the|?", "early|late|?", Part)
def in_part(clock: OfDay, part: Part) -> OfDay | None:
    """A clock time with the half of the day that a part of the day gives it."""
    if part.name in ("noon", "midnight") or clock.part:
        return None
    return clock if clock.half or part.name not in PART_HOURS else with_half(clock, _half_of(clock, part))


@RULES.rule(Number, "in|at", "the|?", Part)
@RULES.rule(Dotted, "in|at", "the|?", Part)
def _hour_in_part(said: Number | Dotted, part: Part) -> OfDay | None:
    clock = hour(said)
    return clock and in_part(clock, part)


@RULES.rule("for", "the", "early|late|?", Part)
def _for_the_part(part: Part) -> OfDay | None:
    """Like "set it for the evening"; "for the night" says how long."""
    return of_part(part) if part.name in ("morning", "afternoon", "evening") and not part.plural else None


@RULES.rule("the|?", Part)
def _noon_or_midnight(part: Part) -> OfDay | None:
    return of_part(part) if part.name in ("noon", "midnight") else None


@RULES.rule("in|at|during|around", "the|?", "early|late|?", Part)
def of_part(part: Part) -> OfDay:
    """The hour that stands for a part of the day."""
    return OfDay(PART_HOURS[part.name], exact=True, part=part.name)


RULES.rule("mid", "-|?", "day", part=Part("noon"))(of_part)
RULES.rule("mid", "-|?", "night", part=Part("midnight"))(of_part)


def of_night(clock: OfDay) -> OfDay:
    """An hour of the night that begins on a day: those after midnight are the next day's, 25 is one o'clock."""
    return replace(clock, hour=clock.hour + 24) if clock.hour < SMALL_HOURS else clock


def on_part(clock: OfDay, part: Part) -> OfDay | None:
    """A clock time in a part of a day that was said: "friday night at 1" is on saturday."""
    known = in_part(clock, part)
    return of_night(known) if known and part.name in ("evening", "night") else known


def _half_of(clock: OfDay, part: Part) -> Half:
    if part.name == "night":
        return "am" if clock.hour == 12 or clock.hour < SMALL_HOURS else "pm"
    small = clock.hour == {"evening": 12, "afternoon": 11}.get(part.name)
    return "pm" if part.name in LATE_PARTS and not small else "am"
