"""Open ends: deadlines ("by friday"), limits ("until june") and beginnings ("after 6", "starting monday")."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.rules.clock import hour
from agents.time.rules.moments import END_OF_DAY, TODAY, as_explicit
from agents.time.values import Day, Moment, Number, Range, Role

RULES = Grammar()
COMES_BACK = ("monthday", "month", "numeric", "both", "feast", "season")
DEADLINE = (
    "by|before|due|due by|due on|due before|due in|due at|no later than|not later than|on or before|by or before|at or before|at the latest by|is due|"
    "deadline is|deadline|earlier than|sooner than|at the latest on|prior to|any time before|anytime before"
)
LIMIT_WORDS = "through to|up to and including|until and including|until|till|til|through|up until|up to|thru"
BEGINNING = (
    "after|since|on or after|at or after|starting|starting on|starting from|beginning|beginning on|from|as of|later than|not before|"
    "not until|not till|no earlier than|not earlier than|no sooner than|any time after|anytime after|as early as|commencing|"
    "at the earliest on"
)


def _open_rule(words: list[str], role: Role) -> None:
    def _with_moment(moment: Moment) -> Range:
        return open_range(_said_with(words[0], moment, role), role)

    def _with_day(day: Day) -> Range | None:
        return _with_moment(Moment(as_explicit(day))) if day.latent else None

    def _with_hour(number: Number) -> Range | None:
        clock = hour(number)
        return open_range(Moment(time=clock), role) if clock and number.width <= 2 else None

    RULES.rule(*words, Moment)(_with_moment)
    RULES.rule(*words, "the|?", Day)(_with_day)
    RULES.rule(*words, Number)(_with_hour)


def _said_with(word: str, moment: Moment, role: Role) -> Moment:
    """Give the moment behind such words; what has to be over by the end of a day has that day."""
    if moment.time == END_OF_DAY and role != "after":
        return Moment(moment.day or TODAY)
    if word in ("through", "thru"):
        return _through(moment)
    return _since(moment) if word == "since" else moment


def _through(moment: Moment) -> Moment:
    """Through a month or year means its last day too."""
    day = moment.day if moment.time is None else None
    return moment if day is None or day.grain in ("day", "weekend") else Moment(Day("edge", (day, "end")))


def _since(moment: Moment) -> Moment:
    """Since a day that comes back means the last one that was."""
    day = moment.day and (behind(moment.day) or moment.day)
    return replace(moment, day=day)


def behind(day: Day) -> Day | None:
    """The last one of a day or month that comes back; None for others."""
    if day.how == "weekday" and day.args[1] == "coming":
        return Day("weekday", (day.args[0], "last"))
    yearless = day.how in COMES_BACK and not (day.how in ("month", "numeric") and day.args[2] is not None)
    return Day("latest", (as_explicit(day),), day.grain) if yearless else None


def open_range(moment: Moment, role: Role) -> Range:
    """The stretch that a moment leaves open: behind a beginning, before a deadline or limit."""
    if role == "after":
        return Range(moment, None, role="after")
    return Range(None, moment, role=role)


@RULES.rule("after|later than|past", Day)
def _after_stretch(day: Day) -> Range | None:
    """After a month, week or year means once it is over; after a day begins with that day."""
    coarse = day.grain in ("week", "weekend", "month", "quarter", "year")
    return Range(Moment(Day("following", (as_explicit(day),))), None, role="after") if coarse else None


@RULES.rule("before|prior to", Day)
def _before_stretch(day: Day) -> Range | None:
    """Before a month, week or year means by the day on which it has not begun; before a day counts that day in."""
    coarse = day.grain in ("week", "weekend", "month", "quarter", "year")
    eve = Day("shifted", (as_explicit(day), -1, "day"))
    return Range(None, Moment(eve), role="deadline") if coarse else None


@RULES.rule(Range, ",|but|and|?", Range)
def _both_ends(first: Range, second: Range) -> Range | None:
    """Like "after 9 and before 11"."""
    fits = first.role == "after" and first.end is None and second.role == "deadline" and second.start is None
    return Range(first.start, second.end) if fits else None


PHRASES: tuple[tuple[str, Role], ...] = ((DEADLINE, "deadline"), (LIMIT_WORDS, "until"), (BEGINNING, "after"))
for said, meant in PHRASES:
    for phrase in said.split("|"):
        _open_rule(phrase.split(), meant)
