"""Days that lie behind, by the words before or after them: "this past march", "friday gone", "earlier this week"."""

from __future__ import annotations

from agents.time.chart import Grammar
from agents.time.rules.days import CALENDAR_UNITS
from agents.time.rules.moments import as_explicit
from agents.time.rules.open import behind
from agents.time.values import Day, Weekday

RULES = Grammar()


RULES.rule("this", "past", Day)(behind)


@RULES.rule("the|?", Weekday, "just|?", "gone")
@RULES.rule("the|?", Weekday, "just", "past")
def _just_gone(weekday: Weekday) -> Day | None:
    return None if weekday.plural else Day("weekday", (weekday.index, "last"))


@RULES.rule("earlier", "in|?", Day)
def _earlier_in(day: Day) -> Day | None:
    """Not "earlier next week", of which nothing has passed."""
    current = day.how == "the_unit" or (day.how == "unit" and day.args[0] == 0)
    return Day("so_far", (as_explicit(day),), "week") if current and day.grain in CALENDAR_UNITS else None
