"""Times as calendars of elsewhere write them: floating, in zones by many names, as whole days."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta, timezone, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from icalendar import Component

from app.calendars.known_zones import places

UTC_ZONE = ZoneInfo("UTC")
PROBED_WEEKS = 104
Moment = datetime | date
"""A whole day, or an instant that carries the zone whose wall clock it follows."""


class Zones:
    """Gives every time a zone: the one it names, or the user's.

    ``unknown`` counts times whose zone nobody knows, ``peculiar`` those of a zone that no place on earth keeps.
    """

    def __init__(self, home: ZoneInfo, since: datetime) -> None:
        self.home = home
        self.unknown = 0
        self.peculiar = 0
        self._probes = [since + timedelta(days=7 * week) for week in range(PROBED_WEEKS)]
        self._found: dict[int, tuple[tzinfo, ZoneInfo | None]] = {}

    def settle(self, value: Moment, *, named: bool) -> Moment:
        """The time with an IANA zone; ``named`` when it names one, so that having none means it is unknown."""
        if not isinstance(value, datetime):
            return value
        if value.tzinfo is None:
            self.unknown += named
            return value.replace(tzinfo=self.home)
        zone = self._zone(value.tzinfo)
        self.peculiar += zone is None
        return value.astimezone(zone or UTC_ZONE)

    def _zone(self, stated: tzinfo) -> ZoneInfo | None:
        if isinstance(stated, ZoneInfo):
            return stated
        if isinstance(stated, timezone):
            return UTC_ZONE
        if id(stated) not in self._found:
            self._found[id(stated)] = stated, self._keeping_the_same_hours(stated)
        return self._found[id(stated)][1]

    def _keeping_the_same_hours(self, described: tzinfo) -> ZoneInfo | None:
        """A zone of the database for one that the file describes itself: the user's if it fits."""
        wanted = [probe.astimezone(described).utcoffset() for probe in self._probes]
        fitting = (zone for zone in (self.home, *places()) if self._offsets(zone) == wanted)
        return next(fitting, None)

    def _offsets(self, zone: ZoneInfo) -> list[timedelta | None]:
        return [probe.astimezone(zone).utcoffset() for probe in self._probes]


def moment(component: Component, name: str, zones: Zones) -> Moment | None:
    """The time in a property; None when it has none that can be read."""
    return next(moments(component, name, zones), None)


def moments(component: Component, name: str, zones: Zones) -> Iterator[Moment]:
    """Every time in a property that may be given several times and hold several times; periods count by their start."""
    for value in _as_list(component.get(name)):
        named = "TZID" in getattr(value, "params", {})
        for item in getattr(value, "dts", None) or [value]:
            found = getattr(item, "dt", None)
            start = found[0] if isinstance(found, tuple) else found
            if isinstance(start, date):
                yield zones.settle(start, named=named)


def as_in_series(value: Moment, start: Moment, zones: Zones) -> Moment:
    """A time of a series in the form of its start: of whole days many programs write the midnight.

    A midnight in UTC may be that of the user; in any other zone the day is the one that is written.
    """
    if isinstance(start, datetime) or not isinstance(value, datetime):
        return value
    elsewhere = value.tzinfo == UTC_ZONE and value.time() != time()
    return (value.astimezone(zones.home) if elsewhere else value).date()


def length(component: Component, start: Moment, zones: Zones) -> timedelta | None:
    """How long an event lasts by wall clock; None when it ends before it starts or cannot be read."""
    end = moment(component, "DTEND", zones)
    if end is not None:
        if isinstance(end, datetime) != isinstance(start, datetime):
            return None
        found = end - start
    else:
        stated: Any = getattr(component.get("DURATION"), "dt", None)
        least = timedelta(0) if isinstance(start, datetime) else timedelta(days=1)
        found = stated if isinstance(stated, timedelta) else least
        if timedelta(0) <= found < least:  # an hour that begins at no hour: its day
            found = least
    return found if found >= timedelta(0) else None


def _as_list(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
