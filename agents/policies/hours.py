"""When a standing wish holds: stretches of the day and days of the week, read by the time library.

A wish is no appointment, so a bare hour is read for what it bounds: nothing before six is about the morning, nothing
after nine about the night. What may as well mean the other half of the day is not read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import get_args

from agents.conventions import Conventions, Weekday
from agents.index.words import tokens
from agents.time import Clock, FoundTime, clock_for, find_times, merge_phrases

WEEK: tuple[Weekday, ...] = get_args(Weekday)
DAY, NOON = 24 * 60, 12 * 60
EVENING, NIGHT = 19, 22 * 60
"""The hour that stands for the evening, and when the night begins in which nothing is wanted."""
LONGEST_DOUBTFUL = 6 * 60
"""Minutes of a stretch between two bare hours above which it may be the day as well as the night: "11 to 7"."""
FIRST_WORKING_HOUR, FIRST_HOUR, FIRST_HOUR_OF_MORNING, FIRST_HOUR_OF_EVENING, FIRST_HOUR_BEFORE = 6, 7, 1, 12, 5
"""From which bare hour on the morning is meant: of working hours, of others, always, never, of what ends a stretch."""
FILLERS = frozenset("on in at the my a an and or of hour hours".split())
LUNCH = frozenset("lunch lunchtime lunchtimes break time over during".split())
NOONTIME = (12 * 60, 13 * 60)
"""When lunch is, which as a time is an instant."""
SHORT_FORMS = {"b4": "before", "past": "after", "a": "every", "an": "every", "n": "and", "+": "and"}
AFTER_WORDS, PARTLY = frozenset(("after", "from")), frozenset(("early", "late", "mid"))


@dataclass(frozen=True)
class HoursWindow:
    """From one minute of the day to another, past midnight where it is not later; no days are all.

    ``open``: its end was not said. ``vague``: a part of the day was named.
    """

    days: tuple[Weekday, ...] = ()
    start: int = 0
    end: int = DAY
    open: bool = False
    vague: bool = False

    @property
    def whole(self) -> bool:
        """Whether it lasts all day."""
        return (self.start, self.end) == (0, DAY)

    def spans(self) -> list[tuple[int, int]]:
        """Return its parts within one day."""
        return [(self.start, self.end)] if self.start < self.end else [(self.start, DAY), (0, self.end)]


@cache
def clock_of(first_morning_hour: int = FIRST_HOUR) -> Clock:
    """Return the clock by which wishes are read: a fixed one, as a rule names no dates."""
    conventions = Conventions(first_morning_hour=first_morning_hour)
    return clock_for(datetime(2024, 1, 1, tzinfo=UTC), "UTC", conventions)


def read_windows(words: str, *, working: bool = False) -> list[HoursWindow]:
    """Return the stretches that words name, those of a working day by its hours; none where a word is not read.

    A weekday is every such day, and two bare hours are from one on.
    """
    said = words.lower()
    if "lunch" in said and set(tokens(said)) <= LUNCH | FILLERS:
        return [HoursWindow((), *NOONTIME)]
    each = " ".join(SHORT_FORMS.get(word, word) for word in said.split() if word not in ("my", "the"))
    ways = (said, each, f"every {each.removeprefix('on ').removeprefix('in ')}")
    found = next((found for way in ways if (found := _windows_in(way, working=working))), list[HoursWindow]())
    between = [] if found else _windows_in(f"from {each.removeprefix('lunch ')}", working=working)
    return found or ([] if any(window.open for window in between) else between)


def _windows_in(said: str, *, working: bool) -> list[HoursWindow]:
    firsts = (
        FIRST_WORKING_HOUR if working else FIRST_HOUR,
        FIRST_HOUR_BEFORE,
        FIRST_WORKING_HOUR if working else FIRST_HOUR_OF_EVENING,
    )
    default, early, late = (_times(said, first) for first in firsts)
    if not default or not len(default) == len(early) == len(late) or _unread(said, default):
        return []
    found = [_window(*each) for each in zip(default, early, late, strict=True)]
    read = [window for window in found if window is not None]
    if len(read) < len(found) or any(_is_doubtful(said, window, working=working) for window in read):
        return []
    joined = _combine_windows(read)
    return [] if any(one.days and one.start > one.end for one in joined) else joined  # it would end on the next day


def _times(said: str, first: int) -> tuple[FoundTime, ...]:
    clock = clock_of(first)
    return tuple(merge_phrases(find_times(said, clock), clock))


def _unread(said: str, times: Sequence[FoundTime]) -> list[str]:
    """Return the words outside of times that may change them."""
    rest = list(said)
    for start, end in (one.span for one in times):
        rest[start:end] = " " * (end - start)
    return [word for word in tokens("".join(rest)) if word not in FILLERS]


def _window(found: FoundTime, early: FoundTime, late: FoundTime) -> HoursWindow | None:
    """Return the stretch of one time, its bare hours as the other two have them where they bound it."""
    days = _days_of(found)
    if days is None:
        return None
    if found.stretch:
        return _part_of_day(days, found)
    if not found.timed:
        return HoursWindow(days) if days else None
    edges = _edges_of(found, early.end, late.start)
    return HoursWindow(days, *edges) if edges else None


def _edges_of(
    found: FoundTime, early_end: datetime | None, late_start: datetime | None
) -> tuple[int, int, bool] | None:
    """Return which minutes an hour bounds, and whether their end was not said; an hour alone bounds none."""
    if found.kind == "open_before":
        end = _minute(early_end) if early_end and found.role == "deadline" else 0
        return (0, end, False) if end else None
    if found.start and found.end:
        start, end = _minute(found.start), _minute(found.end) or DAY
        return (start, end, False) if start != end else None
    after = found.kind == "open_after" or (found.kind == "set" and AFTER_WORDS & set(tokens(found.text)))
    start = _minute(late_start) if late_start and after else 0
    return (start, DAY, True) if start else None


def _days_of(found: FoundTime) -> tuple[Weekday, ...] | None:
    """Return the weekdays of a time; none for every day, and None where it is on other days than on weekdays."""
    if found.kind != "set":
        return None if found.day_said else ()
    rule = dict(part.split("=") for part in (found.rrule or "").split(";"))
    if rule == {"FREQ": "DAILY"}:
        return ()
    named = [day for day in WEEK if day[:2].upper() in rule.get("BYDAY", "").split(",")]
    whole = rule.keys() == {"FREQ", "BYDAY"} and rule["FREQ"] == "WEEKLY"
    return tuple(named) if named and whole else None


def _part_of_day(days: tuple[Weekday, ...], found: FoundTime) -> HoursWindow | None:
    """Return a part of the day up to the night before or after it; the night itself begins late."""
    if not found.stretch or not found.start or PARTLY & set(tokens(found.text)):
        return None
    start, end = map(_minute, found.stretch)
    if found.start.hour > EVENING and start > NOON:
        return HoursWindow(days, NIGHT, open=True, vague=True)
    return HoursWindow(days, start if start >= NOON else 0, end if end <= NIGHT else DAY, vague=True)


def _minute(moment: datetime) -> int:
    return moment.hour * 60 + moment.minute


def _is_doubtful(said: str, window: HoursWindow, *, working: bool) -> bool:
    """Return whether a stretch between bare hours may lie in the other half of the day."""
    length = (window.end - window.start) % DAY
    if window.open or window.vague or window.start == 0 or not length:
        return False
    fits = window.start < window.end if working else length <= LONGEST_DOUBTFUL
    return not fits and _hours(said, FIRST_HOUR_OF_MORNING) != _hours(said, FIRST_HOUR_OF_EVENING)


def _hours(said: str, first: int) -> list[tuple[int, int]]:
    return [(_minute(one.start), _minute(one.end)) for one in _times(said, first) if one.start and one.end]


def _combine_windows(found: Sequence[HoursWindow]) -> list[HoursWindow]:
    """Return stretches, the days of some with the hours of others; hours replace the part of the day around them."""
    exact = any(not one.vague and not one.whole for one in found)
    days = {day for one in found if one.whole or (exact and one.vague) for day in one.days}
    named = tuple(day for day in WEEK if day in days)
    timed = [one for one in found if not one.whole and not (exact and one.vague)]
    bare = [one for one in timed if not one.days]
    if bare and len(bare) < len(timed):
        return []
    if bare:
        return [HoursWindow(named, one.start, one.end, one.open, one.vague) for one in bare]
    return [*timed, *([HoursWindow(named)] if named else [])]
