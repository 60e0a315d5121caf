"""Clock times: "half past seven", "5 pm", "three forty five", "nine in the evening"."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.values import Dotted, Half, Number, OfDay, Part

RULES = Grammar()

PART_HOURS = {"morning": 9, "noon": 12, "afternoon": 15, "evening": 19, "eve": 19, "night": 20, "midnight": 0}
SMALL_HOURS = 5
LATE_PARTS = frozenset({"afternoon", "evening", "eve", "night"})


def hour(number: Number) -> OfDay | None:
    """A whole hour from 1 to 24 that a number may mean."""
    whole = number.whole
    if whole is None or number.ordinal or not 0 <= whole <= 24 or number.width > 2:
        return None
    return OfDay(whole, exact=whole > 12 or whole == 0, bare=True)


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


for half, words in (("am", "am|a"), ("pm", "pm|p")):
    dotted = half[0]

    def _number_half(number: Number, half: Half = half) -> OfDay | None:  # type: ignore[assignment]
        return with_half(hour(number) or military(number, sure=True), half)

    def _clock_half(clock: OfDay, half: Half = half) -> OfDay | None:  # type: ignore[assignment]
        return with_half(clock, half)

    for kind, made in ((Number, _number_half), (OfDay, _clock_half)):
        RULES.rule(kind, words.split("|")[0])(made)
        RULES.rule(kind, dotted, ".", "m", ".|?")(made)
        RULES.rule(kind, "o'clock|oclock|?", "in", "the", "morning" if half == "am" else "afternoon|evening")(made)
        RULES.rule(kind, dotted, "m")(made)
        RULES.rule(kind, ".", words.split("|")[0])(made)
    RULES.rule(OfDay, dotted)(_clock_half)

    def _digits_half(hours: Number, minutes: Number, half: Half = half) -> OfDay | None:  # type: ignore[assignment]
        """Like "4 15 pm"."""
        clock = _at_hour_and_digits(hours, minutes)
        return with_half(clock, half) if clock and clock.hour <= 12 else None

    RULES.rule(Number, Number, words.split("|")[0])(_digits_half)
    RULES.rule(Dotted, words.split("|")[0])(lambda dotted, half=half: with_half(of_dotted(dotted), half))
    RULES.rule(Dotted, dotted, ".", "m", ".|?")(lambda dotted, half=half: with_half(of_dotted(dotted), half))


@RULES.rule(Number, "o", "'|?", "clock")
@RULES.rule(Number, "o'clock|oclock|sharp|ish")
def _o_clock(number: Number) -> OfDay | None:
    clock = hour(number)
    return clock and replace(clock, bare=False)


@RULES.rule(OfDay, "o'clock|oclock|sharp|exactly|prompt|ish")
@RULES.rule(OfDay, "on", "the", "dot")
@RULES.rule(OfDay, "-", "ish")
def _dot(clock: OfDay) -> OfDay:
    return replace(clock, bare=False)


RULES.rule(OfDay, "h|hrs|hours|uhr")(lambda clock: None if clock.bare else clock)


def of_dotted(dotted: Dotted) -> OfDay | None:
    """Like "8.30" as a clock time."""
    return OfDay(dotted.first, dotted.second, exact=dotted.first > 12 or dotted.first == 0) if dotted.clock else None


@RULES.rule("at|@|around|about|until|till|from|to", Dotted)
def _at_dotted(dotted: Dotted) -> OfDay | None:
    clock = of_dotted(dotted)
    return clock and replace(clock, bare=True)


RULES.rule(Dotted, "h|hrs|uhr")(of_dotted)


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


RULES.rule("roughly|approximately|approx", OfDay)(lambda clock: clock)
RULES.rule("at|@|around|about", "around|about|exactly|like|say|maybe|roughly|approximately|?", OfDay)(
    lambda clock: clock
)
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


for phrase, shift in ((("half", "-|?", "past|after"), 30), (("a|?", "quarter", "past|after"), 15)):
    RULES.rule(*phrase, Number)(lambda number, shift=shift: _past(shift, number))
    RULES.rule(*phrase, OfDay)(lambda clock, shift=shift: _past_clock(shift, clock))
RULES.rule("half", Number)(lambda number: _past(30, number))
for kind, moved in ((Number, lambda number: _past(-15, number)), (OfDay, lambda clock: _past_clock(-15, clock))):
    RULES.rule("a|?", "quarter", "to|till|til|of|before", kind)(moved)


@RULES.rule(Number, "minutes|mins|min|?", "past|after", Number)
def _past_rule(minutes: Number, number: Number) -> OfDay | None:
    return _past(minutes.whole, number) if 0 < minutes.value < 60 else None


@RULES.rule(Number, "minutes|mins|min", "to|till|before", Number)
def _minutes_to(minutes: Number, number: Number) -> OfDay | None:
    return _past(-int(minutes.value), number) if 0 < minutes.value < 60 else None


@RULES.rule(Number, "minutes|mins|min|?", "past|after", OfDay)
def _past_that(minutes: Number, clock: OfDay) -> OfDay | None:
    return _past_clock(minutes.whole, clock) if 0 < minutes.value < 60 else None


@RULES.rule(Number, "minutes|mins|min|?", "to|till|before", OfDay)
def _to_that(minutes: Number, clock: OfDay) -> OfDay | None:
    usual = minutes.whole in (5, 10, 15, 20, 25)
    return _past_clock(-int(minutes.value), clock) if usual and not minutes.ordinal else None


def _past_clock(minutes: int | None, clock: OfDay) -> OfDay | None:
    """Minutes to or past a full hour that was said with am, pm or by name: "ten to noon"."""
    if minutes is None or clock.minute or clock.second:
        return None
    hours, rest = divmod(60 * (clock.hour % 24) + minutes, 60)
    return replace(clock, hour=hours % 24, minute=rest, bare=False, part=None)


def _past(minutes: int | None, number: Number) -> OfDay | None:
    clock = hour(number)
    if clock is None or minutes is None or not 1 <= clock.hour <= 12:
        return None
    if minutes >= 0:
        return replace(clock, minute=minutes, bare=False)
    return replace(clock, hour=(clock.hour - 2) % 12 + 1, minute=60 + minutes, bare=False)


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
def _hour_in_part(number: Number, part: Part) -> OfDay | None:
    clock = hour(number)
    if clock is None or part.name in ("noon", "midnight"):
        return None
    return with_half(clock, _half_of(clock, part))


@RULES.rule("for", "the", "early|late|?", Part)
def _for_the_part(part: Part) -> OfDay | None:
    """Like "set it for the evening"; "for the night" says how long."""
    return of_part(part) if part.name in ("morning", "afternoon", "evening") and not part.plural else None


@RULES.rule("the", Part)
@RULES.rule(Part)
def _noon_or_midnight(part: Part) -> OfDay | None:
    return of_part(part) if part.name in ("noon", "midnight") else None


@RULES.rule("in|at|during|around", "the|?", "early|late|?", Part)
def of_part(part: Part) -> OfDay:
    """The hour that stands for a part of the day."""
    return OfDay(PART_HOURS[part.name], exact=True, part=part.name)


RULES.rule("mid", "-|?", "day")(lambda: of_part(Part("noon")))
RULES.rule("mid", "-|?", "night")(lambda: of_part(Part("midnight")))


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
    if part.name == "evening" and clock.hour == 12:
        return "am"
    if part.name == "afternoon" and clock.hour == 11:
        return "am"
    return "pm" if part.name in LATE_PARTS else "am"
