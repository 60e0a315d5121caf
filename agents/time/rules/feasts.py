"""Feasts by name, with their year: "next easter", "diwali 2027", "thanksgiving in two years"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import product

from agents.time.chart import Grammar
from agents.time.feasts import feasts
from agents.time.lexicon import WEEKDAYS
from agents.time.rules.units import of_year
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


for name, feast in feasts().items():
    for pattern in _patterns(name):
        RULES.rule(*pattern)(partial(Day, "feast", (name, "coming"), latent=feast.weak))


@RULES.rule("the|?", Number, "sunday|sun", "of|in", "advent")
@RULES.rule("the|?", Number, "advent", "sunday|sun|?")
def _advent(number: Number) -> Day | None:
    rank = number.rank or 0
    return Day("feast", (ADVENT[rank - 1], "coming")) if 1 <= rank <= len(ADVENT) else None


SUMMER_TIME = "daylight saving|daylight savings|daylight saving time|daylight savings time|dst"
for starts, said, way in (
    (True, "start|starts|begin|begins|beginning", "forward"), (False, "end|ends|ending", "back")
):  # fmt: skip
    change = partial(Day, "clock_change", (starts,))
    RULES.rule(SUMMER_TIME, said, "day|?")(change)
    RULES.rule("the|?", said, "of", SUMMER_TIME)(change)
    RULES.rule("the", "clocks|clock", "go|goes|change", way)(change)


@RULES.rule("the|?", Number, "closest|nearest", Day, "to", "the|?", Day)
def _nth_closest(number: Number, feast: Day, day: Day) -> Day | None:
    fits = number.rank and feast.how == "feast" and day.grain == "day"
    return Day("closest_feast", (feast.args[0], number.rank, day.explicit)) if fits else None


RULES.rule("the|?", "closest|nearest", Day, "to", "the|?", Day)(partial(_nth_closest, Number(1, ordinal=True)))


def _nth_beside(number: Number, feast: Day, day: Day, sign: int) -> Day | None:
    """Like "the first easter after 2030"; the last one before a day is the first one back."""
    count = 1 if number.rank == -1 and sign < 0 else number.rank or 0
    fits = feast.how == "feast" and not day.latent and count > 0
    return Day("nth_feast", (feast.args[0], sign * count, day)) if fits else None


for side, sign in (("after|following|since", 1), ("before", -1)):
    RULES.rule("the|?", Number, Day, side, "the|?", Day, sign=sign)(_nth_beside)
    RULES.rule("the|?", Number, Day, side, Number, sign=sign)(of_year(_nth_beside))


@RULES.rule("this|next|coming|upcoming|following", Day)
def _coming(day: Day) -> Day | None:
    return day.explicit if day.how == "feast" else None


@RULES.rule("last|past|previous", Day)
def _last(day: Day) -> Day | None:
    return Day("feast", (day.args[0], "last")) if day.how == "feast" else None


@RULES.rule(Day, "of|in|,|?", Number)
def _of_year(day: Day, number: Number) -> Day | None:
    return _inside(day, number.year) if day.how in ("feast", "clock_change") and number.year else None


@RULES.rule(Day, "of|in|,|?", Day)
def _in_year(day: Day, year: Day) -> Day | None:
    """A day that every year has, in the year named."""
    yearly = day.how in ("feast", "monthday", "month", "nth", "season") and year.how in ("unit", "the_unit", "year")
    return _inside(day, year) if yearly and year.grain == "year" else None


def _inside(day: Day, year: Day) -> Day:
    return Day("within", (day.explicit, year.explicit), day.grain)


@RULES.rule(Day, "in", Length, sign=1)
@RULES.rule(Day, Length, "hence|later", sign=1)
@RULES.rule(Day, Length, "ago", sign=-1)
def _day_as_of(day: Day, length: Length, sign: int) -> Day | None:
    """The day with its name as it is given when that time has passed."""
    count, grain = length.parts[0]
    fits = day.how in ("feast", "month") and len(length.parts) == 1 and grain in CALENDAR_GRAINS
    return Day("as_of", (day.explicit, sign * count, grain), day.grain) if fits else None


@RULES.rule(Length, "ago", Day)
def _ago_from(length: Length, day: Day) -> Day | None:
    """Like "2 years ago tomorrow": that much before the day named."""
    count, grain = length.parts[0]
    fits = day.grain == "day" and len(length.parts) == 1 and grain in CALENDAR_GRAINS and not day.latent
    return Day("shifted", (day, -count, grain)) if fits else None
