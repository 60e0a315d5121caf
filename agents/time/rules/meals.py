"""Times told by meals and work: "after lunch", "before work on monday", "around dinner time"."""

from __future__ import annotations

from agents.time.chart import Grammar
from agents.time.rules.clock import of_part
from agents.time.rules.open import open_range
from agents.time.values import Day, Moment, OfDay, Part, Range, Role

RULES = Grammar()
MEALS = (("breakfast", 8, 9), ("brunch", 11, 12), ("lunch|lunchtime", 12, 13), ("dinner|dinnertime|supper", 19, 20))


def _clock(hour: int) -> OfDay:
    return OfDay(hour, exact=True)


def _open_at(day: Day | None = None, *, clock: OfDay, role: Role) -> Range | None:
    return open_range(Moment(day and day.explicit, clock), role) if day is None or day.grain == "day" else None


def _before_and_after(words: tuple[str, ...], start: OfDay, end: OfDay) -> None:
    """What ends when it begins, and begins when it ends; a day may stand on either side."""
    sides: tuple[tuple[str, OfDay, Role], ...] = (("before|by", start, "deadline"), ("after", end, "after"))
    for side, clock, role in sides:
        RULES.rule(side, *words, clock=clock, role=role)(_open_at)
        RULES.rule(side, *words, "on|?", Day, clock=clock, role=role)(_open_at)
        RULES.rule(Day, side, *words, clock=clock, role=role)(_open_at)


for names, first, last in MEALS:
    _before_and_after((names, "time|?"), _clock(first), _clock(last))
    RULES.rule("at|around|over|during", names, "time|?", hour=first)(_clock)
RULES.rule("lunch", "time")(lambda: of_part(Part("noon")))
BEGIN, END = OfDay(9, exact=True, part="start of work"), OfDay(18, exact=True, part="end of work")


@RULES.rule("in|during|within", "business|working|work|office", "hours")
def _working_hours() -> Range:
    return Range(Moment(time=BEGIN), Moment(time=END))


_before_and_after(("work",), BEGIN, END)
_before_and_after(("school",), _clock(8), _clock(15))
