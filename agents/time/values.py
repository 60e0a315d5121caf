"""What a phrase about time may mean before a clock is known: small frozen values that the rules compose."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

Grain = Literal["second", "minute", "hour", "day", "workday", "week", "weekend", "month", "quarter", "year"]
TimeKind = Literal["point", "interval", "open_before", "open_after", "set", "duration"]
Half = Literal["am", "pm"]
Freq = Literal["SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"]
Role = Literal["when", "deadline", "until", "after"]
CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
ELAPSED = ("hour", "minute", "second")
ELAPSED_RULES = ("HOURLY", "MINUTELY", "SECONDLY")
CALENDAR_UNITS = ("week", "weekend", "month", "quarter", "year")
DAYS_OF_EACH_WEEK = 4
"""So many days with hours before them are each week's; fewer are rather one market or festival."""
FEW_DAYS = 39
"""Up to here a day of the month that there is not is a slip of the finger; more is another number."""


def in_week_order(codes: Iterable[str]) -> tuple[str, ...]:
    """Weekdays from Monday on."""
    return tuple(sorted(codes, key=CODES.index))


@dataclass(frozen=True, slots=True)
class Number:
    """A number; ``form`` tells digits from words, ``ordinal`` "3rd" from "3"."""

    value: float
    form: Literal["digits", "words"] = "words"
    ordinal: bool = False
    width: int = 0

    @property
    def whole(self) -> int | None:
        """The value as an int, None when it has a fraction."""
        return int(self.value) if self.value == int(self.value) else None

    @property
    def rank(self) -> int | None:
        """The place in a row that an ordinal names, from the end when negative; None for other numbers."""
        return self.whole if self.ordinal else None

    @property
    def year(self) -> Day | None:
        """The year of that number; None when it is not written as years are."""
        written = self.width == 4 and not self.ordinal and 1900 <= self.value <= 2199
        return Day("year", (self.whole,), "year") if written else None


@dataclass(frozen=True, slots=True)
class Ordinals:
    """Days of a month by number, "the 1st and 15th", from the end when negative."""

    days: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of time: hours, weeks ..."""

    grain: Grain


@dataclass(frozen=True, slots=True)
class Weekday:
    """Monday is 0; ``weak`` forms are ordinary words too (sat, sun, wed)."""

    index: int
    weak: bool = False
    plural: bool = False
    short: bool = False

    @property
    def code(self) -> str:
        """The weekday as recurrences name it."""
        return CODES[self.index]


@dataclass(frozen=True, slots=True)
class Month:
    """January is 1; ``short`` forms may end in a dot, ``weak`` ones are ordinary words too (may, march)."""

    index: int
    short: bool = False
    weak: bool = False


@dataclass(frozen=True, slots=True)
class Length:
    """A length of time as said: ((1, "hour"), (30, "minute")); ``least`` is the lower count of "5 to 10 minutes"."""

    parts: tuple[tuple[float, Grain], ...]
    least: float | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the day: morning, noon, afternoon, evening, night, tonight."""

    name: str
    plural: bool = False


@dataclass(frozen=True, slots=True)
class Zone:
    """A time zone said by its letters: pst, gmt."""

    name: str


@dataclass(frozen=True, slots=True)
class Dotted:
    """Two numbers with a dot between, "8.30" or "5.12": a clock time or a date when neighbours say so."""

    first: int
    second: int
    clock: bool


@dataclass(frozen=True, slots=True)
class OfDay:
    """A clock time; ``half`` is None while nobody said am or pm and the hour allows both.

    ``part`` names the part of the day that it stands for; ``dawn`` is the first bare hour that is before noon. One
    ``in_words`` is "at ten", which "to six" may follow.
    """

    hour: int
    minute: int = 0
    second: int = 0
    half: Half | None = None
    exact: bool = False
    bare: bool = False
    part: str | None = None
    zone: str | None = None
    dawn: int = 7
    in_words: bool = False


@dataclass(frozen=True, slots=True)
class Day:
    """A stretch of the calendar: ``how`` names the way to find it, ``args`` fill it in (see calendar.py).

    ``latent`` ones ("the third", "may") count only when a neighbour supports them.
    """

    how: str
    args: tuple[object, ...] = ()
    grain: Grain = "day"
    latent: bool = False

    @property
    def explicit(self) -> Day:
        """The day with its support: a neighbour made "the third" a date."""
        return replace(self, latent=False)


TODAY = Day("offset", (0, "day"))


@dataclass(frozen=True, slots=True)
class Moment:
    """A day, a clock time, or both; ``shift`` is elapsed time from the clock ("in two hours") or from ``base``."""

    day: Day | None = None
    time: OfDay | None = None
    shift: Length | None = None
    sign: int = 1
    base: Moment | None = None


NOW = Moment(shift=Length(((0, "second"),)))


@dataclass(frozen=True, slots=True)
class Range:
    """From a moment to another; None is open."""

    start: Moment | None
    end: Moment | None
    length: Length | None = None
    role: Role = "when"


@dataclass(frozen=True, slots=True)
class Near:
    """Days of a month that fall on ``byday``, or the one of them at ``place``: "the first monday after the 10th"."""

    byday: tuple[str, ...]
    days: tuple[int, ...]
    place: int | None = None
    worked: bool = False


@dataclass(frozen=True, slots=True)
class Repeat:
    """A recurrence: the parts of an RRULE, and the clock time and first day that were said with it.

    ``spread``: only how often was said, its days or hours are assumed; ``listed``: days were listed without
    "every"; ``worked``: its days are the working days; ``quarterly``: its days are counted in quarters of the year.
    """

    freq: Freq
    interval: int = 1
    byday: tuple[str, ...] = ()
    bymonthday: tuple[int, ...] = ()
    bymonth: tuple[int, ...] = ()
    time: OfDay | None = None
    until: Moment | None = None
    start: Moment | None = None
    times: int | None = None
    end_time: OfDay | None = None
    byweekno: int | None = None
    byyearday: int | None = None
    bysetpos: int | None = None
    hours: tuple[OfDay, ...] = ()
    spread: int = 0
    listed: bool = False
    worked: bool = False
    quarterly: bool = False


Reading = Moment | Range | Repeat | Length
Value = Number | Ordinals | Near | Unit | Weekday | Month | Part | Zone | Dotted | OfDay | Day | Reading
COUNTING_ON, NEXT_DAY = frozenset(("later", "earlier", "prior", "back", "following")), frozenset(("next", "day"))


@dataclass(frozen=True, slots=True)
class FoundTime:
    """A resolved phrase: instants are aware, ``end`` is exclusive, ``role`` says what the phrase wants of its time.

    A recurrence starts at its first occurrence. ``timed``: a clock time was said; ``day_said``: a day was.
    ``assumptions`` say which convention decided; ``alternatives`` are the other starts that the words allow.
    ``ambiguous`` are the assumptions worth telling, as clauses: "I took 5 as 17:00".
    ``stretch`` is the whole part of the day, where ``start`` is only the hour that stands for it: "friday afternoon".
    """

    text: str
    span: tuple[int, int]
    kind: TimeKind
    start: datetime | None = None
    end: datetime | None = None
    grain: Grain = "minute"
    rrule: str | None = None
    seconds: int | None = None
    role: Role = "when"
    timed: bool = False
    day_said: bool = True
    assumptions: tuple[str, ...] = field(default=())
    alternatives: tuple[datetime, ...] = field(default=())
    ambiguous: tuple[str, ...] = field(default=())
    stretch: tuple[datetime, datetime] | None = None

    @property
    def counts_on(self) -> bool:
        """Whether it counts from what is talked about, and from now only where nothing is: "two days later"."""
        words = frozenset(self.text.lower().split())
        return not words.isdisjoint(COUNTING_ON) or words >= NEXT_DAY

    @property
    def moment(self) -> datetime | None:
        """The instant that the phrase points at: a deadline's end, otherwise the start."""
        return self.start if self.start is not None else self.end
