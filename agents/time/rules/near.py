"""Series on days before, after or closest to a day of the month: "every month on the last weekday before the 15th"."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from agents.time.chart import Grammar
from agents.time.rules.repeat import WORKDAYS
from agents.time.rules.units import WORKDAY
from agents.time.values import Month, Near, Number, Repeat, Weekday

RULES = Grammar()
FIRST_RANK = Number(1, ordinal=True)
SHORTEST_MONTH, WEEK, MAX_RANK = 28, 7, 4
NO_DAYS = (0,)
SIDES = (("after|following", 1, 1), ("on or after", 1, 0), ("before|preceding", -1, 1), ("on or before", -1, 0))


def _near(days: tuple[str, ...], rank: Number, day: Number, sign: int, apart: int) -> Near | None:
    """Find the days after (before, with -1) a day of the month, of which the ``rank``-th counts; ``apart`` leaves it out."""
    nth = abs(rank.whole or 0)
    if not rank.ordinal or not 1 <= nth <= MAX_RANK or (rank.value < 0 < sign) or not _of_month(day):
        return None
    first, single = int(day.value) + sign * apart, len(days) == 1
    ahead = [first + sign * (step + (WEEK * (nth - 1) if single else 0)) for step in range(WEEK)]
    # Before a weekend is over there is a working day: so many days are enough near the ends of a month.
    ahead = ahead if single or _inside(ahead) else ahead[: nth + 2]
    return Near(days, tuple(sorted(ahead)) if _inside(ahead) else NO_DAYS, None if single else sign * nth)


def _inside(days: list[int]) -> bool:
    return min(days) >= 1 and max(days) <= SHORTEST_MONTH


def _of_month(day: Number) -> bool:
    return 1 <= (day.whole or 0) <= 31 and day.width <= 2 and (day.ordinal or day.form == "digits")


def _weekday(rank: Number, weekday: Weekday, day: Number, sign: int, apart: int) -> Near | None:
    return _near((weekday.code,), rank, day, sign, apart)


def _working(rank: Number, day: Number, sign: int, apart: int, *, worked: bool = False) -> Near | None:
    near = _near(WORKDAYS, rank, day, sign, apart)
    return near and replace(near, worked=worked)


for words, sign, apart in SIDES:
    rule = partial(RULES.rule, sign=sign, apart=apart)
    rule("the|?", Number, Weekday, words, "the|?", Number)(_weekday)
    rule("the", Weekday, words, "the|?", Number)(partial(_weekday, FIRST_RANK))
    rule("the|?", Number, "weekday|workday", words, "the|?", Number)(_working)
    rule("the|?", Number, WORKDAY, words, "the|?", Number, worked=True)(_working)


@RULES.rule("the|?", Weekday, "closest|nearest", "to", "the|?", Number)
def _closest(weekday: Weekday, day: Number) -> Near | None:
    around = [int(day.value) + step for step in range(-3, 4)]
    return Near((weekday.code,), tuple(around) if _inside(around) else NO_DAYS) if _of_month(day) else None


# No rule can say which working day is the closest.
RULES.rule("the|?", "weekday|workday|working day|work day", "closest|nearest", "to", "the|?", Number)(
    lambda _: Near(WORKDAYS, NO_DAYS)
)


@RULES.rule(Repeat, "on|,|?", Near)
def _on_near(repeat: Repeat, near: Near) -> Repeat | None:
    if repeat.freq != "MONTHLY" or repeat.byday or repeat.bymonthday:
        return None
    days = NO_DAYS if repeat.quarterly else near.days
    return replace(repeat, byday=near.byday, bymonthday=days, bysetpos=near.place, worked=near.worked)


RULES.rule("on|?", Near, "of|in|,|?", Repeat)(lambda near, repeat: _on_near(repeat, near))


@RULES.rule(Repeat, "on|,|?", Near, "of|?", Month)
def _in_month(repeat: Repeat, near: Near, month: Month) -> Repeat | None:
    """Read "every year on the first monday after the 6th of january"."""
    monthly = _on_near(replace(repeat, freq="MONTHLY"), near) if repeat.freq == "YEARLY" else None
    return monthly and replace(monthly, freq="YEARLY", bymonth=(month.index,))


RULES.rule("on|?", Near, "of|?", Month, ",|?", Repeat)(lambda near, month, repeat: _in_month(repeat, near, month))
