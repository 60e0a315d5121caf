"""From what was said to instants: hours get their half of the day, days their date, and a zone makes them real."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from agents.conventions import Conventions
from agents.time.calendar import FIRST_YEAR, LAST_YEAR, Frame, later, locate
from agents.time.customs import DEFAULT
from agents.time.values import ELAPSED, Day, Grain, Length, Moment, OfDay, Range

SECONDS: dict[Grain, float] = {
    "second": 1, "minute": 60, "hour": 3600, "day": 86400, "workday": 86400, "week": 604800, "weekend": 172800,
    "month": 2592000, "quarter": 7776000, "year": 31536000,
}  # fmt: skip
MONDAY, SUNDAY = 0, 6
MIDNIGHT = 24
QUARTER, EVENING_ENDS = 15, time(22)
STRETCHES = {"morning": (6, 12), "afternoon": (12, 18), "later today": (0, 24)} | dict.fromkeys(
    ("evening", "eve", "night"), (18, 23)
)
# Days without a year or week of their own: as the end of a stretch they are the first after its start.
FOLLOWS_START = ("monthday", "month", "weekday", "feast", "both")


@dataclass(frozen=True, slots=True)
class Clock:
    """The instant the words were said at, in the speaker's zone, and how numeric dates are read there.

    ``anchor`` is the day last talked about: "that day", "the day before"; ``conventions`` are those of the speaker.
    """

    at: datetime
    zone: ZoneInfo
    month_first: bool = False
    anchor: date | None = None
    conventions: Conventions = DEFAULT

    @property
    def frame(self) -> Frame:
        """The calendar's view of the same clock."""
        sunday = self.conventions.week_start == "sunday"
        working = self.conventions.working_weekdays, self.conventions.business_holidays
        return Frame(self.at.date(), self.month_first, self.anchor, SUNDAY if sunday else MONDAY, *working, self.zone)


@dataclass(frozen=True, slots=True)
class Placed:
    """A moment on the clock: ``end`` is exclusive; for a clock time it is the same instant."""

    start: datetime
    end: datetime
    grain: Grain
    timed: bool
    day_said: bool


def _at_instant(instant: datetime, *, day_said: bool = True) -> Placed:
    return Placed(instant, instant, "minute", timed=True, day_said=day_said)


def _whole_days(found: tuple[date, date], grain: Grain, clock: Clock) -> Placed:
    start, end = (to_instant(datetime.combine(edge, time()), clock.zone) for edge in found)
    return Placed(start, end, grain, timed=False, day_said=True)


def to_instant(wall: datetime, zone: ZoneInfo) -> datetime:
    """A wall time as an instant; one that the clocks skip moves on by the gap, one that they repeat is the first."""
    return wall.replace(tzinfo=zone, fold=0).astimezone(UTC).astimezone(zone)


def seconds_of(length: Length) -> int:
    """A length in seconds; months count 30 days, years 365."""
    return round(sum(count * SECONDS[grain] for count, grain in length.parts))


def sure(clock: OfDay) -> OfDay:
    """The clock time with its half of the day: bare 1 to 6 mean pm, 7 to 11 am (a convention), 12 noon."""
    if clock.exact or clock.half or clock.hour >= 12 or clock.hour == 0:
        return replace(clock, exact=True)
    return replace(clock, hour=clock.hour + (12 if clock.hour < clock.dawn else 0), exact=True)


def place(moment: Moment, clock: Clock, *, base: date | None = None) -> Placed | None:
    """A moment on the calendar; ``base`` is the day that a lone clock time belongs to, else the coming one."""
    try:
        if moment.shift is not None:
            return _shift_from_now(moment, moment.shift, clock)
        if moment.day is None:
            return _clock_only(moment.time, clock, base) if moment.time else None
        return _on_day(moment.day, moment.time, clock)
    except (OverflowError, ValueError):
        return None


def _on_day(day: Day, clock_time: OfDay | None, clock: Clock) -> Placed | None:
    found = locate(day, clock.frame)
    if found is None:
        return None
    if clock_time is None:
        return _whole_days(found, day.grain, clock)
    if clock_time.part == "now":
        return _same_time(found[0], day, clock)
    if clock_time.part == "later today":
        return _later_today(clock) or _on_day(day, None, clock)
    instant = _at(_night_of(found[0], clock_time, clock), clock_time, clock.zone)
    return _at_instant(instant)


def _night_of(day: date, clock_time: OfDay, clock: Clock) -> date:
    """The day that a night began on: who says "tonight at 2" after midnight means the night that is on."""
    on = clock_time.hour > MIDNIGHT and day == clock.at.date() and clock.at.hour < clock_time.hour - MIDNIGHT
    return day - timedelta(days=on)


def _same_time(first: date, day: Day, clock: Clock) -> Placed:
    """Like "this time next week": the wall clock of now, on its day of the week or of the month named."""
    wall = clock.at.replace(tzinfo=None, second=0, microsecond=0)
    since_start = (clock.at.weekday() - clock.frame.week_start) % 7
    date_of = first + timedelta(days=since_start if day.grain == "week" else 0)
    if day.grain == "month":
        date_of = first.replace(day=min(clock.at.day, monthrange(first.year, first.month)[1]))
    instant = to_instant(datetime.combine(date_of, wall.time()), clock.zone)
    return _at_instant(instant)


def _later_today(clock: Clock) -> Placed | None:
    """Place it in about three hours while that is in the evening at the latest, else in one; None before midnight."""
    for hours in (3, 1):
        wall = clock.at.replace(tzinfo=None, minute=0, second=0, microsecond=0) + timedelta(
            hours=hours, minutes=round(clock.at.minute / QUARTER) * QUARTER
        )
        if wall.date() == clock.at.date() and (hours == 1 or wall.time() <= EVENING_ENDS):
            instant = to_instant(wall, clock.zone)
            return _at_instant(instant)
    return None


def stretch_of(clock_time: OfDay, start: datetime, clock: Clock) -> tuple[datetime, datetime] | None:
    """Give the part of a day that a clock time stands for, around it; of "later today" what is left of the day."""
    if clock_time.part not in STRETCHES:
        return None
    day = datetime.combine(start.date(), time())
    ends = [to_instant(day + timedelta(hours=hour), clock.zone) for hour in STRETCHES[clock_time.part]]
    return (clock.at if clock_time.part == "later today" else ends[0]), ends[1]


def _to_speaker_zone(known: OfDay, day: date, zone: ZoneInfo) -> datetime:
    """A clock time of a zone that was said, in the speaker's zone."""
    wall = datetime.combine(day, time(known.hour, known.minute, known.second))
    return to_instant(wall, ZoneInfo(known.zone)).astimezone(zone) if known.zone else to_instant(wall, zone)


def _at(day: date, clock_time: OfDay, zone: ZoneInfo) -> datetime:
    known = sure(clock_time)
    if known.part == "midnight" or known.hour >= MIDNIGHT:
        day, known = day + timedelta(days=1), replace(known, hour=known.hour % MIDNIGHT)
    return _to_speaker_zone(known, day, zone)


def _clock_only(clock_time: OfDay, clock: Clock, base: date | None) -> Placed:
    instant = _at(base or _night_of(clock.at.date(), clock_time, clock), clock_time, clock.zone)
    if base is None and instant <= clock.at:
        instant = _at(clock.at.date() + timedelta(days=1), clock_time, clock.zone)
    return _at_instant(instant, day_said=False)


def _from_base(base: Moment, seconds: float, clock: Clock) -> Placed | None:
    """Elapsed time from another moment: "an hour before friday at 3"."""
    placed = place(base, clock)
    if placed is None:
        return None
    instant = (placed.start.astimezone(UTC) + timedelta(seconds=seconds)).astimezone(clock.zone)
    return _at_instant(instant, day_said=placed.day_said)


def _shift_from_now(moment: Moment, shift: Length, clock: Clock) -> Placed | None:
    if moment.base is not None:
        return _from_base(moment.base, moment.sign * seconds_of(shift), clock)
    day, elapsed, timed = clock.at.date(), 0.0, False
    for count, grain in shift.parts:
        if grain in ELAPSED:
            elapsed, timed = elapsed + count * SECONDS[grain], True
        else:
            day = _days_later(clock.frame, day, moment.sign * count, grain)
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        return None
    if moment.time is not None:
        instant = _at(day, moment.time, clock.zone)
        return _at_instant(instant)
    if not timed:
        return _whole_days((day, day + timedelta(days=1)), "day", clock)
    return _after_elapsed(day, moment.sign * elapsed, clock)


def _days_later(frame: Frame, day: date, count: float, grain: Grain) -> date:
    """Days, weeks, months or years on; half a month is 15 days."""
    rest = timedelta(days=round((count % 1) * 30)) if grain == "month" else timedelta()
    return later(frame, day, count if grain != "month" else count // 1, grain) + rest


def _after_elapsed(day: date, seconds: float, clock: Clock) -> Placed | None:
    wall = to_instant(datetime.combine(day, clock.at.time()), clock.zone) if day != clock.at.date() else clock.at
    instant = (wall.astimezone(UTC) + timedelta(seconds=seconds)).astimezone(clock.zone)
    if not FIRST_YEAR <= instant.year <= LAST_YEAR:
        return None
    return _at_instant(instant)


def place_range(span: Range, clock: Clock) -> tuple[Placed | None, Placed | None] | None:
    """Both ends of a range; None when an end that was said cannot be placed."""
    if span.start is None or span.end is None:
        return _half_open(span, clock)
    first, last = match_halves(span.start, span.end)
    if first.day is None and first.shift is None and last.day is not None:
        # Like "10pm to 2am on saturday": the day is that of the start.
        first, last = replace(first, day=last.day), replace(last, day=None if last.time else last.day)
    start = place(first, clock)
    if start is None:
        return None
    base = start.start.date() if last.day is None and last.shift is None else None
    relative = last.day is not None and last.day.how in FOLLOWS_START and last.day != first.day
    end = place(last, replace(clock, at=start.start) if relative else clock, base=base)
    end = _after(start, end, last, clock)
    return (start, end) if end is not None and end.end > start.start else None


def _half_open(span: Range, clock: Clock) -> tuple[Placed | None, Placed | None] | None:
    start = place(span.start, clock) if span.start else None
    end = place(span.end, clock) if span.end else None
    if start is not None and span.length is not None:
        end = _lasting(start, span.length, clock)
    return (start, end) if start or end else None


def _lasting(start: Placed, length: Length, clock: Clock) -> Placed:
    if start.timed:
        end = (start.start.astimezone(UTC) + timedelta(seconds=seconds_of(length))).astimezone(clock.zone)
        return _at_instant(end, day_said=start.day_said)
    day = start.start.date()
    for count, grain in length.parts:
        day = _days_later(clock.frame, day, count, grain)
    day = max(day, start.start.date() + timedelta(days=1))
    return _whole_days((day, day), "day", clock)


def match_halves(start: Moment, end: Moment) -> tuple[Moment, Moment]:
    """The halves of the day of both ends: "2 to 4 pm" begins at 14, "11 to 1" ends at 13."""
    first, last = start.time, end.time
    if first is None or last is None:
        return start, end
    if not first.exact and last.half:
        same = with_hour(first, last.hour >= 12)
        first = same if (same.hour, same.minute) < (last.hour, last.minute) else with_hour(first, last.hour < 12)
    first = sure(first)
    if last.zone and not first.zone:
        first = replace(first, zone=last.zone)
    if not last.exact and end.day is None:
        options = [with_hour(last, late) for late in (False, True)]
        later = [option for option in options if (option.hour, option.minute) > (first.hour, first.minute)]
        last = later[0] if later else options[0]
    return replace(start, time=first), replace(end, time=last)


def with_hour(clock: OfDay, late: bool) -> OfDay:  # noqa: FBT001 - half a day is a yes or no
    """The clock time in the morning or in the afternoon half."""
    return replace(clock, hour=clock.hour % 12 + (12 if late else 0), exact=True)


def _after(start: Placed, end: Placed | None, said: Moment, clock: Clock) -> Placed | None:
    """An end before its start belongs to the next day, or to the next week or year."""
    if end is None or end.end > start.start or said.shift is not None:
        return end
    if said.day is None:
        return place(said, clock, base=start.start.date() + timedelta(days=1))
    return place(said, replace(clock, at=start.start))
