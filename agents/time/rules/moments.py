"""Moments: a day, a clock time, or both: "tomorrow at 5", "friday night at 11", "this evening", "eod monday"."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.lexicon import MONTHS
from agents.time.rules.clock import hour, in_part, military, of_part, on_part, with_half
from agents.time.values import TODAY, Day, Dotted, Moment, Number, OfDay, Part, Weekday

RULES = Grammar()
NOON = 12
WEAK_MONTHS = (MONTHS["march"], MONTHS["may"])
YESTERDAY, TOMORROW = Day("offset", (-1, "day")), Day("offset", (1, "day"))
CLOSING = "eob|end of play|close of play|end of business"
END_OF_DAY = OfDay(18, exact=True, part="end of day")
LATER_TODAY = "later today"


def _late_today(clock: OfDay) -> Moment | None:
    if clock.part == "midnight":
        return Moment(TODAY, clock)
    if clock.part:
        return None
    late = clock if clock.exact else replace(clock, hour=clock.hour % 12 + 12, half="pm", exact=True)
    return Moment(TODAY, late)


def _tonight(clock: OfDay) -> Moment | None:
    """Tonight is pm, but for "tonight at 1am" and "tonight at 12:30", which are in the small hours."""
    small = clock.half == "am" or (clock.hour == NOON and not clock.half)
    known = on_part(clock, Part("night")) if small else None
    return Moment(TODAY, known) if known else _late_today(clock)


RULES.rule(Day)(lambda day: None if day.latent else Moment(day))
RULES.rule(OfDay)(lambda clock: Moment(time=clock))


def _of_day(day: Day) -> Moment:
    return Moment(day.explicit)


@RULES.rule(Day, ",|at|?", Dotted)
def _day_and_dotted(day: Day, dotted: Dotted) -> Moment | None:
    clock = hour(dotted)
    return Moment(day.explicit, clock) if clock and day.grain == "day" else None


@RULES.rule(Day, "at|?", Number, "h|hrs")
def _day_and_h(day: Day, number: Number) -> Moment | None:
    clock = hour(number)
    return Moment(day.explicit, replace(clock, bare=False)) if clock and day.grain == "day" else None


@RULES.rule("on|over|during", "the|?", Day)
def _on_day(day: Day) -> Moment | None:
    """Not "on the march", which is no month."""
    return None if day.how == "month" and day.latent and day.args[0] in WEAK_MONTHS else Moment(day.explicit)


@RULES.rule("for", "the|?", Day)
def _for_day(day: Day) -> Moment | None:
    """Not "for the year", which says how long something counts."""
    return None if day.how == "the_unit" and day.grain in ("quarter", "year") else Moment(day.explicit)


@RULES.rule("on|?", "or|?", "around", "the|?", Day)
def _around_day(day: Day) -> Moment | None:
    return Moment(day.explicit) if day.how == "monthday" else None


@RULES.rule("in", Day)
def _in_stretch(day: Day) -> Moment | None:
    return Moment(day.explicit) if day.grain in ("month", "year", "quarter", "week") else None


@RULES.rule(Day, ",|at|.|?", OfDay)
def _day_and_clock(day: Day, clock: OfDay) -> Moment | None:
    return Moment(day.explicit, clock) if day.grain in ("day", "weekend") else None


@RULES.rule(Day, ",|at|.|?", Number)
def _day_and_digits(day: Day, number: Number) -> Moment | None:
    clock = military(number) if number.width == 4 else None
    return Moment(day.explicit, clock) if clock and day.grain == "day" else None


@RULES.rule(Day, Number)
def _day_and_hour(day: Day, number: Number) -> Moment | None:
    """Like "saturday 11", which support.py wants nothing behind that the number may count."""
    clock = hour(number) if number.form == "digits" and 1 <= number.value <= NOON else None
    near = day.how in ("weekday", "offset", "in_week") and day.grain == "day"
    return Moment(day.explicit, clock) if clock and near else None


@RULES.rule(Day, "in|at|?", "the|?", "early|late|?", Part)
def _day_and_part(day: Day, part: Part) -> Moment | None:
    feast = part.name == "eve" and day.how not in ("weekday", "offset", "both")
    several = part.plural and day.how == "weekday"
    return Moment(day.explicit, of_part(part)) if day.grain == "day" and not feast and not several else None


@RULES.rule(Day, "am|a . m|a . m .", meant="morning")
@RULES.rule(Day, "pm|p . m|p . m .", meant="afternoon")
def _day_and_half(day: Day, meant: str) -> Moment | None:
    """Like "friday pm"; see lookalikes.py for "friday am i free"."""
    # "the 8pm show" and "10 dec 9am" end with a clock time.
    named = day.grain == "day" and day.how in ("weekday", "offset")
    return Moment(day.explicit, of_part(Part(meant))) if named else None


@RULES.rule(Day, "in|at|?", "the|?", "early|late|?", Part, ",|?", OfDay)
def _day_part_and_clock(day: Day, part: Part, clock: OfDay) -> Moment | None:
    feast = part.name == "eve" and day.how not in ("weekday", "offset", "both")
    known = on_part(clock, part)
    return Moment(day.explicit, known) if known and day.grain == "day" and not feast else None


@RULES.rule("on|?", "the|?", Part, "of", Day)
def _eve_of(part: Part, day: Day) -> Moment | None:
    """Like "the eve of christmas": the day before."""
    before = Day("shifted", (day, -1, "day"))
    return Moment(before) if part.name == "eve" and day.how == "feast" else None


@RULES.rule("in|during", "the", "early|late|?", Part, "of", "the|?", Day)
@RULES.rule(Part, "on|of", "the|?", Day)
def _part_of_day(part: Part, day: Day) -> Moment | None:
    if part.name == "eve" and day.how == "feast":
        return None
    return Moment(day.explicit, of_part(part)) if day.grain == "day" else None


@RULES.rule(OfDay, ",|on|?", Moment)
def _clock_and_part(clock: OfDay, moment: Moment) -> Moment | None:
    """Like "half past 5 tomorrow evening"."""
    part = moment.time.part if moment.time and moment.day else None
    known = on_part(clock, Part(part)) if part else None
    return replace(moment, time=known) if known else None


@RULES.rule(Number, ",|on|?", Day)
def _military_and_day(number: Number, day: Day) -> Moment | None:
    clock = military(number) if number.width == 4 else None
    clear = day.how in ("weekday", "offset") and not day.latent
    return Moment(day, clock) if clock and clear else None


@RULES.rule(Moment, Number)
def _moment_and_year(moment: Moment, year: Number) -> Moment | None:
    """Like "oct 26 11:00 2027": the year behind the clock time."""
    day = moment.day and in_year(moment.day, year)
    return replace(moment, day=day) if day and moment.time else None


def in_year(day: Day, year: Number) -> Day | None:
    """Put a day of a month, perhaps with its weekday, in a year."""
    if day.how == "both" and isinstance(day.args[1], Day):
        dated = in_year(day.args[1], year)
        return dated and Day("both", (day.args[0], dated))
    fits = day.how == "monthday" and day.args[0] is not None and year.year
    return Day("date", (year.whole, *day.args)) if fits else None


@RULES.rule(Moment, ",|at|?", OfDay)
def _part_and_clock(moment: Moment, clock: OfDay) -> Moment | None:
    """Read "sunday night 6 december at 9", "later today, around 6"."""
    vague = moment.time is not None and moment.time.part in (LATER_TODAY, END_OF_DAY.part)
    return _clock_and_part(clock, moment) if moment.day and (vague or moment.day.how == "both") else None


@RULES.rule("the|?", Number, Weekday, Part, "of|in", "the|?", Day)
def _nth_weekday_part(number: Number, weekday: Weekday, part: Part, day: Day) -> Moment | None:
    """Like "the first monday evening of june"."""
    fits = number.ordinal and number.whole and day.grain == "month"
    return Moment(Day("nth", (weekday.index, number.whole, day.explicit)), of_part(part)) if fits else None


@RULES.rule(OfDay, ",|on|?", "the|?", Day)
def _clock_and_day(clock: OfDay, day: Day) -> Moment | None:
    return Moment(day.explicit, clock) if day.grain == "day" else None


@RULES.rule(OfDay, "of", "the|?", Day)
def _clock_of_day(clock: OfDay, day: Day) -> Moment | None:
    """Not "at 2 of the 3 shops"."""
    return None if day.latent else _clock_and_day(clock, day)


RULES.rule("on|for|at", Moment)(lambda moment: moment if moment.day is None or moment.time is not None else None)


@RULES.rule("this time|the same time|same time", "on|?", Day)
def _this_time(day: Day) -> Moment | None:
    return Moment(day.explicit, OfDay(0, exact=True, part="now")) if day.grain in ("day", "week", "month") else None


for said, day, part in (
    ("last evening", YESTERDAY, "evening"), ("last night", YESTERDAY, "night"), ("tonight", TODAY, "night"),
    ("next morning", TOMORROW, "morning"), ("next evening", TOMORROW, "evening"),
):  # fmt: skip
    RULES.rule(said, day=day, time=of_part(Part(part)))(Moment)


@RULES.rule("last night", ",|?", OfDay)
@RULES.rule(OfDay, "last night")
def _last_night_at(clock: OfDay) -> Moment | None:
    """The small hours of last night are today's."""
    known = in_part(clock, Part("night"))
    return Moment(TODAY if known.hour < NOON else YESTERDAY, known) if known else None


@RULES.rule("this", "early|late|?", Part, ",|?", OfDay)
def _this_part_and_clock(part: Part, clock: OfDay) -> Moment | None:
    known = in_part(clock, part)
    return Moment(TODAY, known) if known else None


RULES.rule("this", "early|late|?", Part)(lambda part: Moment(TODAY, of_part(part)))
RULES.rule("the", Part, "before", "that|?")(lambda part: Moment(Day("anchor", (-1,)), of_part(part)))
RULES.rule("the", Part, "after", "that|?")(lambda part: Moment(Day("anchor", (1,)), of_part(part)))
RULES.rule("that", Part)(lambda part: Moment(Day("anchor", (0,)), of_part(part)))


@RULES.rule(OfDay, "that", Part)
def _clock_that_part(clock: OfDay, part: Part) -> Moment | None:
    known = with_half(clock, "am" if part.name == "morning" else "pm")
    return Moment(Day("anchor", (0,)), known) if known else None


RULES.rule("tonight", OfDay)(_tonight)
RULES.rule(OfDay, "tonight")(_tonight)
RULES.rule(OfDay, "this", "evening|eve|afternoon")(_late_today)
RULES.rule("this", "evening|eve", "at|?", OfDay)(_late_today)
RULES.rule("eod|cob", day=TODAY)(Moment)
RULES.rule("the|?", f"{CLOSING}|close of business|end of the business|close of the business", day=TODAY)(Moment)
RULES.rule("eod|cob|close of business", "on|?", Day)(_of_day)
RULES.rule("the|?", f"{CLOSING}|cop|eop", "on|?", Day)(_of_day)
RULES.rule(Day, f"eod|cob|cop|eop|{CLOSING}")(_of_day)
# In letters it is the day, and with "at" its last working hour, as in "at the end of the day".
RULES.rule("at|?", "the|?", "end|close", "of", "the|my|?", "day")(lambda: END_OF_DAY)
RULES.rule("at", "the|?", "end|close", "of", "business|play")(lambda: END_OF_DAY)
RULES.rule("at|?", "the|?", "end", "of", "the|my|?", "working|work|business", "day")(lambda: END_OF_DAY)


@RULES.rule("at", "the|?", "end", "of", "the|?", Day)
def _at_the_end_of(day: Day) -> Moment | None:
    """Read "at the end of tomorrow"."""
    return Moment(day.explicit, END_OF_DAY) if day.grain == "day" else None


@RULES.rule("later|a bit later|a little later", "on|?", Moment)
def _later_on(moment: Moment) -> Moment | None:
    """Read "later today", whose hour depends on the clock; one that is said counts."""
    if moment.day != TODAY or moment.shift:
        return sometime(moment) if moment.day and moment.day.grain == "day" else None
    return moment if moment.time else Moment(TODAY, OfDay(0, exact=True, part=LATER_TODAY))


def sometime(moment: Moment) -> Moment | None:
    """Leave the hour open of a day or of a stretch of days, perhaps with a part of its day."""
    known = moment.time is None or moment.time.part
    return moment if moment.day and known and moment.day.grain in ("day", "week", "weekend", "month") else None
