"""Open ends: deadlines ("by friday"), limits ("until june") and beginnings ("after 6", "starting monday")."""

from __future__ import annotations

from agents.understanding.time.chart import Grammar
from agents.understanding.time.rules_clock import hour
from agents.understanding.time.rules_ranges import supported
from agents.understanding.time.values import Day, Moment, Number, Range, Role

RULES = Grammar()
DEADLINE = (
    "by|before|due|due by|due on|due before|due in|due at|no later than|not later than|at the latest by|is due|"
    "deadline is|deadline"
)
LIMIT = "until|till|til|through|up until|up to"
BEGINNING = "after|since|starting|starting on|starting from|beginning|beginning on|from|as of"


def _open_rule(words: list[str], role: Role) -> None:
    def _with_moment(moment: Moment) -> Range:
        return _opened(moment, role)

    def _with_day(day: Day) -> Range | None:
        return _opened(Moment(supported(day)), role) if day.latent else None

    def _with_hour(number: Number) -> Range | None:
        clock = hour(number)
        return _opened(Moment(time=clock), role) if clock and number.width <= 2 else None

    RULES.rule(*words, Moment)(_with_moment)
    RULES.rule(*words, "the|?", Day)(_with_day)
    RULES.rule(*words, Number)(_with_hour)


def _opened(moment: Moment, role: Role) -> Range:
    if role == "after":
        return Range(moment, None, role="after")
    return Range(None, moment, role=role)


PHRASES: tuple[tuple[str, Role], ...] = ((DEADLINE, "deadline"), (LIMIT, "until"), (BEGINNING, "after"))
for said, meant in PHRASES:
    for phrase in said.split("|"):
        _open_rule(phrase.split(), meant)
