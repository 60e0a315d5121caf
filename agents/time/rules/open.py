"""Open ends ("by friday", "until june", "after 6") and days that lie behind ("this past march", "earlier this week")."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.rules.clock import hour
from agents.time.rules.moments import END_OF_DAY
from agents.time.values import CALENDAR_UNITS, TODAY, Day, Moment, Number, Range, Role, Weekday

RULES = Grammar()
COMES_BACK = ("monthday", "month", "numeric", "both", "feast", "season")
PHRASES: dict[Role, str] = {
    "deadline": "by|before|due|due by|due on|due before|due in|due at|no later than|not later than|on or before|by or before|"
    "at or before|at the latest by|is due|deadline is|deadline|earlier than|sooner than|at the latest on|prior to|"
    "any time before|anytime before",
    "until": "through to|up to and including|until and including|until|till|til|through|up until|up to|thru",
    "after": "after|since|on or after|at or after|starting|starting on|starting from|beginning|beginning on|from|as of|"
    "later than|not before|not until|not till|no earlier than|not earlier than|no sooner than|any time after|"
    "anytime after|as early as|commencing|at the earliest on",
}


def _open_rule(words: list[str], role: Role) -> None:
    def _with_moment(moment: Moment) -> Range:
        return open_range(_said_with(words[0], moment, role), role)

    def _with_day(day: Day) -> Range | None:
        return _with_moment(Moment(day.explicit)) if day.latent else None

    def _with_hour(number: Number) -> Range | None:
        clock = hour(number)
        return open_range(Moment(time=clock), role) if clock else None

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
    return replace(moment, day=moment.day and (behind(moment.day) or moment.day))


def behind(day: Day) -> Day | None:
    """The last one of a day or month that comes back; None for others."""
    if day.how == "weekday" and day.args[1] == "coming":
        return Day("weekday", (day.args[0], "last"))
    yearless = day.how in COMES_BACK and not (day.how in ("month", "numeric") and day.args[2] is not None)
    return Day("latest", (day.explicit,), day.grain) if yearless else None


def open_range(moment: Moment, role: Role) -> Range:
    """The stretch that a moment leaves open: behind a beginning, before a deadline or limit."""
    return Range(moment, None, role=role) if role == "after" else Range(None, moment, role=role)


@RULES.rule("after|past", Day)
def _after_stretch(day: Day) -> Range | None:
    """After a month, week or year means once it is over; after a day begins with that day."""
    over = Moment(Day("following", (day.explicit,)))
    return open_range(over, "after") if day.grain in CALENDAR_UNITS else None


@RULES.rule("before", Day)
def _before_stretch(day: Day) -> Range | None:
    """Before a month, week or year means by the day on which it has not begun; before a day counts that day in."""
    eve = Moment(Day("shifted", (day.explicit, -1, "day")))
    return open_range(eve, "deadline") if day.grain in CALENDAR_UNITS else None


@RULES.rule(Range, ",|but|and|?", Range)
def _both_ends(first: Range, second: Range) -> Range | None:
    """Like "after 9 and before 11"."""
    fits = first.role == "after" and first.end is None and second.role == "deadline" and second.start is None
    return Range(first.start, second.end) if fits else None


for meant, said in PHRASES.items():
    for phrase in said.split("|"):
        _open_rule(phrase.split(), meant)
RULES.rule("this past", Day)(behind)


@RULES.rule("the|?", Weekday, "just|?", "gone")
@RULES.rule("the|?", Weekday, "just past")
def _just_gone(weekday: Weekday) -> Day | None:
    return None if weekday.plural else Day("weekday", (weekday.index, "last"))


@RULES.rule("earlier", "in|?", Day)
def _earlier_in(day: Day) -> Day | None:
    """Not "earlier next week", of which nothing has passed."""
    current = day.how == "the_unit" or (day.how == "unit" and day.args[0] == 0)
    return Day("so_far", (day.explicit,), "week") if current and day.grain in CALENDAR_UNITS else None
