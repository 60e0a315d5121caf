"""Feasts by name, with their year: "next easter", "diwali 2027", "thanksgiving in two years"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from agents.time.chart import Grammar
from agents.time.feasts import Feast, feasts
from agents.time.lexicon import WEEKDAYS
from agents.time.values import Day, Length, Number

RULES = Grammar()
CALENDAR_GRAINS = ("day", "week", "month", "quarter", "year", "workday")
ADVENT = ("first advent", "second advent", "third advent", "fourth advent")
SAINT = re.compile(r"st|saint")


def _patterns(name: str) -> Iterator[list[str]]:
    """The words of a name as rule elements, in each of its spellings."""
    choices = [_elements(word) for word in re.sub(r"~", " -|? ", name).split()]
    for chosen in product(*choices):
        yield [element for elements in chosen for element in elements]


def _elements(word: str) -> list[list[str]]:
    """The spellings of one word; an apostrophe that stands alone follows an "s"."""
    if word == "day?":
        return [["day|?"]]
    if SAINT.fullmatch(word):
        return [["st|saint", ".|?"]]
    if len(word) == 1 and word.isalpha():
        return [[word, ".|?"]]
    if word == "jr":
        return [["jr|junior", ".|?"]]
    if word in WEEKDAYS:
        return [[word], [word[:3], ".|?"]]
    if word.endswith("s'"):
        return [[word[:-1], "'|?"]]
    if word.endswith("'s"):
        return [[f"{word}|{word[:-2]}"], [f"{word[:-2]}s", "'|?"]]
    return [[word]]


def _name(name: str, feast: Feast) -> None:
    day = Day("feast", (name, "coming"), latent=feast.weak)
    for pattern in _patterns(name):
        RULES.rule(*pattern)(lambda: day)


for said, meant in feasts().items():
    _name(said, meant)


@RULES.rule("the|?", Number, "sunday|sun", "of|in", "advent")
@RULES.rule("the|?", Number, "advent", "sunday|sun|?")
def _advent(number: Number) -> Day | None:
    fits = number.ordinal and number.whole and 1 <= number.whole <= len(ADVENT)
    return Day("feast", (ADVENT[number.whole - 1], "coming")) if fits and number.whole else None


for starts, words in ((True, "start|starts|begin|begins|beginning"), (False, "end|ends|ending")):
    change = Day("clock_change", (starts,))
    for name in (("daylight", "saving|savings", "time|?"), ("dst",)):
        RULES.rule(*name, words, "day|?")(lambda change=change: change)
        RULES.rule("the|?", words, "of", *name)(lambda change=change: change)
    RULES.rule("the", "clocks|clock", "go|goes|change", "forward" if starts else "back")(lambda change=change: change)


@RULES.rule("the|?", Number, "closest|nearest", Day, "to", "the|?", Day)
def _nth_closest(number: Number, feast: Day, day: Day) -> Day | None:
    fits = number.ordinal and number.whole and feast.how == "feast" and day.grain == "day"
    return Day("closest_feast", (feast.args[0], number.whole, replace(day, latent=False))) if fits else None


@RULES.rule("the|?", "closest|nearest", Day, "to", "the|?", Day)
def _closest(feast: Day, day: Day) -> Day | None:
    return _nth_closest(Number(1, ordinal=True), feast, day)


for side, sign in (("after|following|since", 1), ("before", -1)):

    def _nth_beside(number: Number, feast: Day, day: Day, sign: int = sign) -> Day | None:
        """Like "the first easter after 2030"; the last one before a day is the first one back."""
        fits = number.ordinal and number.whole and feast.how == "feast" and not day.latent
        count = 1 if number.whole == -1 and sign < 0 else number.whole
        return Day("nth_feast", (feast.args[0], sign * count, day)) if fits and count and count > 0 else None

    def _nth_beside_year(number: Number, feast: Day, year: Number, sign: int = sign) -> Day | None:
        fits = year.width == 4 and not year.ordinal
        return _nth_beside(number, feast, Day("year", (year.whole,), "year"), sign) if fits else None

    RULES.rule("the|?", Number, Day, side, "the|?", Day)(_nth_beside)
    RULES.rule("the|?", Number, Day, side, Number)(_nth_beside_year)


@RULES.rule("this|next|coming|upcoming|following", Day)
def _coming(day: Day) -> Day | None:
    return replace(day, latent=False) if day.how == "feast" else None


@RULES.rule("last|past|previous", Day)
def _last(day: Day) -> Day | None:
    return Day("feast", (day.args[0], "last")) if day.how == "feast" else None


@RULES.rule(Day, "of|in|,|?", Number)
def _of_year(day: Day, number: Number) -> Day | None:
    fits = day.how in ("feast", "clock_change") and number.width == 4 and not number.ordinal
    return _inside(day, Day("year", (number.whole,), "year")) if fits else None


@RULES.rule(Day, "of|in|,|?", Day)
def _in_year(day: Day, year: Day) -> Day | None:
    """A day that every year has, in the year named."""
    yearly = day.how in ("feast", "monthday", "month", "nth", "season") and year.how in ("unit", "the_unit", "year")
    return _inside(day, year) if yearly and year.grain == "year" else None


def _inside(day: Day, year: Day) -> Day:
    return Day("within", (replace(day, latent=False), replace(year, latent=False)), day.grain)


RULES.rule(Day, "in", Length)(lambda day, length: _day_as_of(day, length, 1))
RULES.rule(Day, Length, "hence|later")(lambda day, length: _day_as_of(day, length, 1))
RULES.rule(Day, Length, "ago")(lambda day, length: _day_as_of(day, length, -1))


def _day_as_of(day: Day, length: Length, sign: int) -> Day | None:
    """The day with its name as it is given when that time has passed."""
    count, grain = length.parts[0]
    fits = day.how in ("feast", "month") and len(length.parts) == 1 and grain in CALENDAR_GRAINS
    return Day("as_of", (replace(day, latent=False), sign * count, grain), day.grain) if fits else None


@RULES.rule(Length, "ago", Day)
def _ago_from(length: Length, day: Day) -> Day | None:
    """Like "2 years ago tomorrow": that much before the day named."""
    count, grain = length.parts[0]
    fits = day.grain == "day" and len(length.parts) == 1 and grain in CALENDAR_GRAINS and not day.latent
    return Day("shifted", (day, -count, grain)) if fits else None
