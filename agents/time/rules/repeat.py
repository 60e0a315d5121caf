"""Recurrences by unit and weekday: "every other friday", "on weekdays", "mon to thu", "every 8 hours"."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from agents.time.chart import Grammar
from agents.time.values import CODES, Freq, Grain, Length, Number, Repeat, Unit, Weekday, in_week_order

RULES = Grammar()

FREQ: dict[Grain, tuple[Freq, int]] = {
    "second": ("SECONDLY", 1), "minute": ("MINUTELY", 1), "hour": ("HOURLY", 1), "day": ("DAILY", 1),
    "week": ("WEEKLY", 1), "month": ("MONTHLY", 1), "quarter": ("MONTHLY", 3), "year": ("YEARLY", 1),
}  # fmt: skip
WORKDAYS, WEEKEND = CODES[:5], CODES[5:]
EVERY_WORDS = "every|each"
EXCEPT = "except|but|excluding|besides|bar|minus|save|apart from|aside from|other than"
THROUGH_WORDS = "-|to|through|thru|till|until|through to"
SHORTEST_SECONDS = 10


@RULES.rule(EVERY_WORDS, "single|?", Unit)
@RULES.rule("each and every", Unit)
def _every(unit: Unit) -> Repeat | None:
    return _unit(unit, 1) if unit.grain != "second" else None


@RULES.rule(f"{EVERY_WORDS}|once every|once in", Number, Unit)
def _every_n(number: Number, unit: Unit) -> Repeat | None:
    if unit.grain in ("hour", "minute") and number.whole is None:
        return _fraction(number, unit)
    if unit.grain == "year" and number.whole is None and (12 * number.value).is_integer():
        return Repeat("MONTHLY", int(12 * number.value))
    return _unit(unit, number.whole or 0)


@RULES.rule(EVERY_WORDS, "other|second|alternate", Unit)
@RULES.rule("alternate", Unit)
def _every_other(unit: Unit) -> Repeat | None:
    return _unit(unit, 2)


@RULES.rule("once|one", "a|every|per|each", Unit)
def _once_a(unit: Unit) -> Repeat | None:
    return _unit(unit, 1) if unit.grain not in ("second", "minute") else None


@RULES.rule(EVERY_WORDS, Length)
def _every_length(length: Length) -> Repeat | None:
    count, grain = length.parts[0]
    return _every_n(Number(count), Unit(grain)) if len(length.parts) == 1 else None


def _fraction(number: Number, unit: Unit) -> Repeat | None:
    """Like "every hour and a half" in minutes."""
    minutes = number.value * (60 if unit.grain == "hour" else 1)
    return Repeat("MINUTELY", int(minutes)) if minutes == int(minutes) and minutes >= 1 else None


for words, freq, interval in (
    ("daily|everyday|nightly", "DAILY", 1), ("weekly", "WEEKLY", 1), ("monthly", "MONTHLY", 1), ("hourly", "HOURLY", 1),
    ("yearly|annually", "YEARLY", 1), ("bimonthly|bi - monthly", "MONTHLY", 2),
    ("biweekly|fortnightly|bi - weekly|once a fortnight|once every fortnight|once per fortnight", "WEEKLY", 2),
    ("semiannually|biannually", "MONTHLY", 6),
):  # fmt: skip
    RULES.rule(words, freq=freq, interval=interval)(Repeat)
RULES.rule("quarterly")(lambda: _unit(Unit("quarter"), 1))
RULES.rule("semi|bi", "-|?", "annually|annual|yearly")(lambda: Repeat("MONTHLY", 6))


def _unit(unit: Unit, interval: int) -> Repeat | None:
    if unit.grain == "weekend":
        return Repeat("WEEKLY", interval, byday=WEEKEND) if interval > 0 else None
    if unit.grain not in FREQ or not 0 < interval < 1000 or (unit.grain == "second" and interval < SHORTEST_SECONDS):
        return None
    freq, times = FREQ[unit.grain]
    return Repeat(freq, interval * times, quarterly=unit.grain == "quarter")


on_workdays = partial(Repeat, "WEEKLY", byday=WORKDAYS)
RULES.rule("every|each|on", "weekday|weekdays")(on_workdays)
RULES.rule("weekdays|every week day|each week day")(on_workdays)
RULES.rule("every|each|on|?", "workday|workdays", worked=True)(on_workdays)
RULES.rule(EVERY_WORDS, "business|working|work", "day", worked=True)(on_workdays)
RULES.rule("on|?", "weekends", freq="WEEKLY", byday=WEEKEND)(Repeat)
RULES.rule(EVERY_WORDS, "single|?", Weekday)(lambda weekday: Repeat("WEEKLY", byday=(weekday.code,)))


@RULES.rule(EVERY_WORDS, "other|second|alternate", Weekday)
@RULES.rule("alternate|alternating", Weekday)
def _every_other_weekday(weekday: Weekday) -> Repeat:
    return Repeat("WEEKLY", 2, byday=(weekday.code,))


@RULES.rule(EVERY_WORDS, Number, Weekday)
def _every_nth_weekday(number: Number, weekday: Weekday) -> Repeat | None:
    """Like "every third friday": every so many weeks; the first and the last one are those of a month."""
    rank = number.rank or 0
    if rank in (1, -1):
        return Repeat("MONTHLY", byday=(f"{rank}{weekday.code}",))
    return Repeat("WEEKLY", rank, byday=(weekday.code,)) if 1 < rank <= 26 else None


@RULES.rule(EVERY_WORDS, Number, "and|&", Number, Weekday)
def _every_two_ranks(first: Number, second: Number, weekday: Weekday) -> Repeat | None:
    """Like "every first and third friday": those of a month."""
    ranks = [number.whole for number in (first, second) if number.ordinal and number.whole]
    fits = len(ranks) == 2 and all(rank == -1 or 1 <= rank <= 5 for rank in ranks)
    return Repeat("MONTHLY", byday=tuple(f"{rank}{weekday.code}" for rank in ranks)) if fits else None


@RULES.rule("on|?", Weekday)
def _plural(weekday: Weekday) -> Repeat | None:
    return Repeat("WEEKLY", byday=(weekday.code,)) if weekday.plural else None


@RULES.rule(Weekday, THROUGH_WORDS, Weekday)
def _plural_span(first: Weekday, last: Weekday) -> Repeat | None:
    return _through(Repeat("WEEKLY", byday=(first.code,)), last) if last.plural else None


@RULES.rule(Repeat, THROUGH_WORDS, Weekday)
def _through(repeat: Repeat, last: Weekday) -> Repeat | None:
    """From the weekday named so far to another."""
    if repeat.freq != "WEEKLY" or len(repeat.byday) != 1 or repeat.byday[0] not in CODES:
        return None
    return replace(repeat, byday=in_week_order(days_through(CODES.index(repeat.byday[0]), last.index)))


def days_through(first: int, last: int) -> list[str]:
    """The weekdays from one to another."""
    return [CODES[(first + step) % 7] for step in range((last - first) % 7 + 1)]


@RULES.rule(Repeat, "on|from|?", Weekday, THROUGH_WORDS, Weekday)
def _on_span(repeat: Repeat, first: Weekday, last: Weekday) -> Repeat | None:
    weekly = replace(repeat, freq="WEEKLY", byday=(first.code,))
    return _through(weekly, last) if repeat.freq in ("WEEKLY", "DAILY") and not repeat.byday else None


@RULES.rule("from|?", Weekday, THROUGH_WORDS, Weekday, ",|?", Repeat)
def _span_every_week(first: Weekday, last: Weekday, repeat: Repeat) -> Repeat | None:
    """Like "from monday to friday every week"."""
    return _on_span(repeat, first, last) if repeat.freq == "WEEKLY" else None


@RULES.rule(Repeat, "on|,", "the|a|?", Weekday)
def _on_day(repeat: Repeat, weekday: Weekday) -> Repeat | None:
    fits = repeat.freq == "WEEKLY" and not repeat.byday
    return replace(repeat, byday=(weekday.code,)) if fits else None


@RULES.rule(Weekday, ",|and|&|/", Weekday)
def _plural_pair(first: Weekday, second: Weekday) -> Repeat | None:
    plural = first.plural or second.plural
    return _more_days(Repeat("WEEKLY", byday=(first.code,)), second) if plural else None


@RULES.rule(Weekday, ",|/|?", Repeat)
def _weekday_before(first: Weekday, repeat: Repeat) -> Repeat | None:
    """Like "mon, wed and fridays": the last one's plural holds for all."""
    return _more_days(repeat, first) if len(repeat.byday) > 1 and not first.plural else None


@RULES.rule(Repeat, ",|and|&|/|plus|?", "on|every|?", Weekday)
def _more_days(repeat: Repeat, weekday: Weekday) -> Repeat | None:
    plain = repeat.freq == "WEEKLY" and repeat.byday and repeat.time is None and repeat.until is None
    fits = plain and weekday.code not in repeat.byday
    return replace(repeat, byday=in_week_order((*repeat.byday, weekday.code))) if fits else None


@RULES.rule(Repeat, ",|?", EXCEPT, "not|for|?", "on|?", Weekday)
def _except_day(repeat: Repeat, weekday: Weekday) -> Repeat | None:
    return _without(repeat, (weekday.code,))


@RULES.rule(Repeat, ",|?", EXCEPT, "not|for|?", Repeat)
def _except_days(repeat: Repeat, days: Repeat) -> Repeat | None:
    left = _without(repeat, days.byday) if days.freq == "WEEKLY" and days.byday else None
    return left and replace(left, time=left.time or days.time)


def _without(repeat: Repeat, days: tuple[str, ...]) -> Repeat | None:
    """All days but some, as the days that are left."""
    base = CODES if repeat.freq == "DAILY" and repeat.interval == 1 else repeat.byday
    left = tuple(day for day in base if day not in days)
    fits = repeat.freq in ("DAILY", "WEEKLY") and 0 < len(left) < len(base)
    return replace(repeat, freq="WEEKLY", byday=left) if fits else None


@RULES.rule("the|?", "next|coming", Number, Weekday)
def _next_few(number: Number, weekday: Weekday) -> Repeat | None:
    """Like "the next 3 fridays"."""
    few = weekday.plural and number.whole and 1 < number.value <= 60 and not number.ordinal
    return Repeat("WEEKLY", byday=(weekday.code,), times=number.whole) if few else None
