"""Zones as calendar files describe them: a rule for each change of clocks, or its date where it follows none.

The library would list the dates of all changes in one line, of which some programs read the first alone.
"""

from __future__ import annotations

from bisect import bisect_left
from calendar import monthrange
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from icalendar import Calendar, Component, Timezone, TimezoneDaylight, TimezoneStandard, vRecur
from icalendar.timezone import tzp

YEARS_AHEAD = 10
WEEK = range(1, 7 * 24 * 3600 + 1)
SECOND = timedelta(seconds=1)
MIN_RUN_ONSETS = 3
"""Years in a row that make a rule."""
FOR_GOOD = 12
"""After so many a rule is taken to go on: in them a weekday has had every date that it can have."""
DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
WEEKS_OF_MONTH = (-1, 1, 2, 3, 4)
LISTED_COMMENT = "This timezone only works from "
"""How the library marks what it has described by dates."""


@dataclass(frozen=True)
class Onset:
    """A change of clocks: by how much they differ from UTC before and after it, and what their time is called then."""

    at: datetime
    before: timedelta
    after: timedelta
    name: str
    summer: bool

    @property
    def clock(self) -> datetime:
        """When it happens, by the clock as it was before."""
        return (self.at + self.before).replace(tzinfo=None)

    @property
    def kind(self) -> tuple[Any, ...]:
        """What changes that follow one rule have in common."""
        clock = self.clock
        return self.before, self.after, self.name, self.summer, clock.month, clock.weekday(), clock.time()


def describe_zones(calendar: Calendar, years: Sequence[int]) -> None:
    """Describe each zone that is named and not described yet, for these years and ten more."""
    listed = [one for one in calendar.walk("VTIMEZONE") if str(one.get("COMMENT", "")).startswith(LISTED_COMMENT)]
    calendar.subcomponents = [one for one in calendar.subcomponents if one not in listed]
    for tzid in sorted(calendar.get_missing_tzids(), reverse=True):
        zone = tzp.timezone(tzid)
        if isinstance(zone, ZoneInfo):
            calendar.subcomponents.insert(0, described_zone(tzid, zone, min(years), max(years) + YEARS_AHEAD))


@lru_cache(maxsize=100)
def described_zone(tzid: str, zone: ZoneInfo, first: int, last: int) -> Timezone:
    """The description of a zone for these years; where its clocks still change by a rule, it holds for ever."""
    begin = datetime(first - 1, 1, 1, tzinfo=UTC)
    onsets = list(_onsets(zone, begin, datetime(last + 1, 1, 1, tzinfo=UTC)))
    made = Timezone()
    made.add("tzid", tzid)
    if not onsets or onsets[0].at.year >= first:
        made.add_component(_component(_at(zone, begin), None))
    for run in sorted(_runs(onsets), key=lambda run: run[0].at):
        made.add_component(_component(run[0], _rule(run, last)))
    return made


def _at(zone: ZoneInfo, at: datetime, before: timedelta | None = None) -> Onset:
    """The clocks at a time, as if they had changed then."""
    local = at.astimezone(zone)
    after, summer = local.utcoffset() or timedelta(), (local.dst() or timedelta()) > timedelta()
    return Onset(at, after if before is None else before, after, local.tzname() or zone.key, summer)


def _local_type_at(zone: ZoneInfo, at: datetime) -> tuple[timedelta, str, bool]:
    found = _at(zone, at)
    return found.after, found.name, found.summer


def _onsets(zone: ZoneInfo, at: datetime, end: datetime) -> Iterator[Onset]:
    """The changes in a time; there is one a week at most."""
    while at < end:
        shown, since = _local_type_at(zone, at), at
        at += len(WEEK) * SECOND
        if _local_type_at(zone, at) != shown:
            place = bisect_left(WEEK, x=True, key=lambda passed: _local_type_at(zone, since + passed * SECOND) != shown)
            at = since + WEEK[place] * SECOND
            yield _at(zone, at, shown[0])


def _runs(onsets: Sequence[Onset]) -> Iterator[list[Onset]]:
    """The changes that follow one rule for some years together; each other one by itself."""
    kinds = defaultdict[tuple[Any, ...], list[Onset]](list)
    for onset in onsets:
        kinds[onset.kind].append(onset)
    for alike in kinds.values():
        run: list[Onset] = []
        for onset in alike:
            if run and (onset.clock.year != run[-1].clock.year + 1 or _days([*run, onset]) is None):
                yield from _split_short_run(run)
                run = []
            run.append(onset)
        yield from _split_short_run(run)


def _split_short_run(run: list[Onset]) -> list[list[Onset]]:
    return [run] if len(run) >= MIN_RUN_ONSETS else [[onset] for onset in run]


def _days(run: Sequence[Onset]) -> dict[str, Any] | None:
    """The day of each year in the words of a rule: the second Sunday, or the Sunday from the 8th to the 14th."""
    clocks = [onset.clock for onset in run]
    day, dates = DAYS[clocks[0].weekday()], [clock.day for clock in clocks]
    for place in WEEKS_OF_MONTH:
        if all(_is_in_place(clock, place) for clock in clocks):
            return {"BYDAY": f"{place}{day}"}
    first = min(dates)
    return {"BYDAY": day, "BYMONTHDAY": list(range(first, first + 7))} if max(dates) < first + 7 else None


def _is_in_place(clock: datetime, place: int) -> bool:
    if place < 0:
        return clock.day + 7 > monthrange(clock.year, clock.month)[1]
    return (clock.day - 1) // 7 + 1 == place


def _rule(run: Sequence[Onset], last: int) -> vRecur | None:
    """The rule of a run, without an end where it goes on."""
    days = _days(run) if len(run) > 1 else None
    if days is None:
        return None
    goes_on = len(run) >= FOR_GOOD and run[-1].clock.year == last
    # Some programs read the end of a rule by the clock of the zone: a day more has no change, however it is read.
    end = {} if goes_on else {"UNTIL": run[-1].at + timedelta(days=1)}
    return vRecur({"FREQ": "YEARLY", "BYMONTH": run[0].clock.month, **days, **end})


def _component(onset: Onset, rule: vRecur | None) -> Component:
    made = TimezoneDaylight() if onset.summer else TimezoneStandard()
    made.add("dtstart", onset.clock)
    made.add("tzoffsetfrom", onset.before)
    made.add("tzoffsetto", onset.after)
    made.add("tzname", onset.name)
    if rule is not None:
        made.add("rrule", rule)
    return made
