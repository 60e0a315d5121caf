"""Times told by meals and work: "after lunch", "before work on monday", "around dinner time"."""

from __future__ import annotations

from agents.time.chart import Grammar
from agents.time.rules.clock import of_part
from agents.time.rules.moments import as_explicit
from agents.time.rules.open import open_range
from agents.time.values import Day, Moment, OfDay, Part, Range

RULES = Grammar()
MEALS = (("breakfast", 8, 9), ("brunch", 11, 12), ("lunch|lunchtime", 12, 13), ("dinner|dinnertime|supper", 19, 20))


def _clock(hour: int) -> OfDay:
    return OfDay(hour, exact=True)


def _before_and_after(words: tuple[str, ...], start: OfDay, end: OfDay) -> None:
    """What ends when it begins, and begins when it ends; a day may stand on either side."""

    def _before() -> Range:
        return open_range(Moment(time=start), "deadline")

    def _after() -> Range:
        return open_range(Moment(time=end), "after")

    def _before_on(day: Day) -> Range | None:
        return open_range(Moment(as_explicit(day), start), "deadline") if day.grain == "day" else None

    def _after_on(day: Day) -> Range | None:
        return open_range(Moment(as_explicit(day), end), "after") if day.grain == "day" else None

    for side, alone, dated in (("before|by", _before, _before_on), ("after", _after, _after_on)):
        RULES.rule(side, *words)(alone)
        RULES.rule(side, *words, "on|?", Day)(dated)
        RULES.rule(Day, side, *words)(dated)


for names, first, last in MEALS:
    _before_and_after((names, "time|?"), _clock(first), _clock(last))

    def _at(first: int = first) -> OfDay:
        return _clock(first)

    RULES.rule("at|around|over|during", names, "time|?")(_at)
RULES.rule("lunch", "time")(lambda: of_part(Part("noon")))
BEGIN, END = OfDay(9, exact=True, part="start of work"), OfDay(18, exact=True, part="end of work")


@RULES.rule("in|during|within", "business|working|work|office", "hours")
def _working_hours() -> Range:
    return Range(Moment(time=BEGIN), Moment(time=END))


_before_and_after(("work",), BEGIN, END)
_before_and_after(("school",), _clock(8), _clock(15))
