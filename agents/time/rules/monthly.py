"""Recurrences inside months and years: "the 1st and 15th of each month", "every may 4"."""

from __future__ import annotations

import re
from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.feasts import feasts
from agents.time.rules.moments import END_OF_DAY
from agents.time.rules.repeat import EVERY_WORDS, WORKDAYS
from agents.time.rules.units import WORKDAY
from agents.time.values import Day, Month, Number, Ordinals, Repeat, Weekday

RULES = Grammar()
NTH_FEAST = re.compile(r"(-?\d)([A-Z]{2})(\d\d)")
MONTHLY = ("MONTHLY", "YEARLY")
EACH_MONTH = Repeat("MONTHLY")


@RULES.rule(Number, "day|days|?")
def _ordinal(number: Number) -> Ordinals | None:
    return Ordinals((number.rank,)) if number.rank and -31 <= number.rank <= 31 else None


@RULES.rule(Ordinals, ",|and|&|, and", "the|?", Ordinals)
def _and_ordinal(first: Ordinals, second: Ordinals) -> Ordinals | None:
    days = first.days + second.days
    return Ordinals(days) if len(days) < 8 and len(set(days)) == len(days) else None


@RULES.rule("on|every|each|?", "the|?", Ordinals, "of", Repeat)
@RULES.rule("due|?", "on|by|?", "the", Ordinals, ",|?", Repeat)
@RULES.rule("on|?", "the|?", Ordinals, ",|?", EVERY_WORDS, "month", repeat=EACH_MONTH)
@RULES.rule(EVERY_WORDS, "the|?", Ordinals, "of", "the|a", "month", repeat=EACH_MONTH)
def _days_of(ordinals: Ordinals, repeat: Repeat) -> Repeat | None:
    return _on_days(repeat, ordinals.days)


@RULES.rule(EVERY_WORDS, "the|?", Number)
@RULES.rule(EVERY_WORDS, "the|?", Number, "and|&", "the|?", Number)
def _every_day_numbers(*numbers: Number) -> Repeat | None:
    """Like "every 15th"."""
    days = tuple(number.rank for number in numbers if number.form == "digits" and number.rank and number.rank <= 31)
    return _on_days(EACH_MONTH, days) if len(days) == len(numbers) else None


@RULES.rule(Repeat, "on|,|?", "the", Ordinals)
@RULES.rule(Repeat, "on|, on", Ordinals)
@RULES.rule(Repeat, ", on the", Ordinals)
def _on_the_days(repeat: Repeat, ordinals: Ordinals) -> Repeat | None:
    return _on_days(repeat, ordinals.days)


@RULES.rule(Repeat, "on", "day", Number)
def _on_day_number(repeat: Repeat, number: Number) -> Repeat | None:
    whole = number.whole
    return _on_days(repeat, (whole,)) if whole and 1 <= whole <= 31 and number.form == "digits" else None


RULES.rule("on|?", "day", Number, "of", Repeat)(lambda number, repeat: _on_day_number(repeat, number))


@RULES.rule(Repeat, "on", "the", Number)
def _on_the_digits(repeat: Repeat, number: Number) -> Repeat | None:
    return None if number.ordinal or number.width > 2 else _on_day_number(repeat, number)


def _on_days(repeat: Repeat, days: tuple[int, ...]) -> Repeat | None:
    """Days of the month; of the year when it repeats yearly and no month is named."""
    free = repeat.spread or not (repeat.byday or repeat.bymonthday or repeat.byyearday)
    if repeat.freq == "YEARLY" and not repeat.bymonth:
        return replace(repeat, byyearday=days[0]) if free and len(days) == 1 else None
    return replace(repeat, bymonthday=days, spread=0) if free and repeat.freq in MONTHLY else None


RULES.rule(EVERY_WORDS, "month", "-|?", "end")(lambda: Repeat("MONTHLY", bymonthday=(-1,)))
RULES.rule(EVERY_WORDS, "year", "-|?", "end")(lambda: Repeat("YEARLY", bymonth=(12,), bymonthday=(31,)))
for words, day in (("end|close", -1), ("start|beginning", 1), ("middle", 15)):

    @RULES.rule("at|on|by|?", "the|?", words, "of", Repeat, day=day)
    @RULES.rule(Repeat, "at|on|by", "the", words, day=day)
    def _at_edge(repeat: Repeat, day: int) -> Repeat | None:
        if day == -1 and not repeat.time and (repeat.freq == "DAILY" or repeat.byday):
            return replace(repeat, time=END_OF_DAY)
        return _on_days(repeat, (day,)) if repeat.freq == "MONTHLY" else None


@RULES.rule("on|every|?", "the|?", Number, Weekday, "of|in", Repeat)
@RULES.rule("due|?", "on|by|?", "the", Number, Weekday, ",|?", Repeat)
@RULES.rule(EVERY_WORDS, Number, Weekday, "of|in", "the|a", "month", repeat=EACH_MONTH)
def _nth_of(number: Number, weekday: Weekday, repeat: Repeat) -> Repeat | None:
    return _on_nth(repeat, number, weekday)


@RULES.rule(EVERY_WORDS, Number, "and|&", Number, Weekday, "of|in", "the|a|each|every", "month")
@RULES.rule("on|?", "the|?", Number, "and|&", "the|?", Number, Weekday, "of|in", "the", "month")
def _every_two_nths(first: Number, second: Number, weekday: Weekday) -> Repeat | None:
    return _on_two_nths(EACH_MONTH, first, second, weekday)


@RULES.rule(Repeat, "on|,", "the|?", Number, Weekday)
def _on_nth(repeat: Repeat, number: Number, weekday: Weekday) -> Repeat | None:
    return _on_two_nths(repeat, number, number, weekday)


@RULES.rule(Repeat, "on|,", "the|?", Number, "and|&|,", "the|?", Number, Weekday)
def _on_two_nths(repeat: Repeat, first: Number, second: Number, weekday: Weekday) -> Repeat | None:
    ranks = dict.fromkeys(number.rank for number in (first, second))
    free = repeat.freq in MONTHLY and not (repeat.byday or repeat.bymonthday or repeat.time)
    fits = free and all(rank and -5 <= rank <= 5 for rank in ranks)
    return replace(repeat, byday=tuple(f"{rank}{weekday.code}" for rank in ranks)) if fits else None


@RULES.rule("on|every|?", "the|?", Number, f"weekday|workday|{WORKDAY}", "of|in", Repeat)
@RULES.rule(EVERY_WORDS, Number, f"weekday|workday|{WORKDAY}", "of|in", "the|a", "month", repeat=EACH_MONTH)
def _nth_workday(number: Number, repeat: Repeat) -> Repeat | None:
    """Like "the last working day of each month"."""
    free = repeat.freq == "MONTHLY" and not (repeat.byday or repeat.bymonthday or repeat.time)
    fits = free and number.rank and -10 <= number.rank <= 10
    return replace(repeat, byday=WORKDAYS, bysetpos=number.rank, worked=True) if fits else None


RULES.rule(Repeat, "on|,", "the|?", Number, f"weekday|workday|{WORKDAY}")(
    lambda repeat, number: _nth_workday(number, repeat)
)


@RULES.rule(Repeat, "in|of", Month)
def _in_month(repeat: Repeat, month: Month) -> Repeat | None:
    nth = bool(repeat.byday) and repeat.byday[0][0] in "-12345"
    free = repeat.freq == "YEARLY" and not repeat.byday and not repeat.bymonthday and not repeat.byyearday
    fits = repeat.freq in MONTHLY and (nth or free) and not repeat.bymonth
    return replace(repeat, freq="YEARLY", bymonth=(month.index,)) if fits else None


@RULES.rule(EVERY_WORDS, Number, Weekday, "in|of", Month)
def _nth_in_month(number: Number, weekday: Weekday, month: Month) -> Repeat | None:
    nth = _on_nth(EACH_MONTH, number, weekday)
    return nth and replace(nth, freq="YEARLY", bymonth=(month.index,))


@RULES.rule(EVERY_WORDS, "the|?", Ordinals, "of|?", Month)
def _days_in_month(ordinals: Ordinals, month: Month) -> Repeat:
    return Repeat("YEARLY", bymonth=(month.index,), bymonthday=ordinals.days)


RULES.rule(EVERY_WORDS, Month)(lambda month: Repeat("YEARLY", bymonth=(month.index,)))


@RULES.rule(Repeat, "in|of", "week", Number)
def _in_week(repeat: Repeat, number: Number) -> Repeat | None:
    """Like "every friday in week 12" of a year."""
    fits = repeat.byday and repeat.freq == "WEEKLY" and repeat.interval == 1 and number.form == "digits"
    known = fits and number.whole and 1 <= number.value <= 53
    return replace(repeat, freq="YEARLY", byweekno=number.whole) if known else None


@RULES.rule(Repeat, "on", Weekday, "in|of", "week", Number)
def _on_weekday_in_week(repeat: Repeat, weekday: Weekday, number: Number) -> Repeat | None:
    week = _in_week(Repeat("WEEKLY", byday=(weekday.code,)), number)
    return week and replace(week, interval=repeat.interval) if repeat.freq == "YEARLY" else None


RULES.rule(EVERY_WORDS, Day)(lambda day: on_date(Repeat("YEARLY"), day))


@RULES.rule(Repeat, "on|,|?", Day)
def _year_on(repeat: Repeat, day: Day) -> Repeat | None:
    fits = repeat.freq == "YEARLY" and not (repeat.bymonthday or repeat.byday)
    return on_date(repeat, day) if fits else None


def on_date(repeat: Repeat, day: Day) -> Repeat | None:
    """A yearly recurrence on a date or a feast; None when no rule can name the day."""
    month, number = day.args[:2] if day.how == "monthday" else (None, None)
    if day.how == "feast":
        return _on_feast(repeat, str(day.args[0]))
    if not isinstance(month, int) or not isinstance(number, int):
        return None
    return replace(repeat, bymonth=(month,), bymonthday=(number,))


def _on_feast(repeat: Repeat, name: str) -> Repeat | None:
    """A feast that a rule can name; those that the moon moves stay out."""
    feast = feasts()[name]
    if feast.shift or feast.days > 1:
        return None
    if match := NTH_FEAST.fullmatch(feast.rule):
        return replace(repeat, bymonth=(int(match[3]),), byday=(f"{match[1]}{match[2]}",))
    if feast.rule[0].isdigit():
        return replace(repeat, bymonth=(int(feast.rule[:2]),), bymonthday=(int(feast.rule[3:]),))
    return None
