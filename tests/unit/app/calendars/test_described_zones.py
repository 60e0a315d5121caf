"""How files describe zones, as two other readers of the format understand it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import pairwise
from zoneinfo import ZoneInfo, available_timezones

import pytest
from dateutil.tz import tzical
from icalendar import Calendar, Event, Timezone

from app.calendars.described_zones import describe_zones, described_zone
from tests.support.calendars.ics import ics

FIRST, LAST = 2027, 2037
BY_RULE = {
    "Europe/Berlin": ("FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3", "FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10"),
    "America/New_York": ("FREQ=YEARLY;BYDAY=2SU;BYMONTH=3", "FREQ=YEARLY;BYDAY=1SU;BYMONTH=11"),
    "Australia/Lord_Howe": ("FREQ=YEARLY;BYDAY=1SU;BYMONTH=4", "FREQ=YEARLY;BYDAY=1SU;BYMONTH=10"),
    "America/Santiago": (
        "FREQ=YEARLY;BYDAY=SU;BYMONTHDAY=2,3,4,5,6,7,8;BYMONTH=4",
        "FREQ=YEARLY;BYDAY=SU;BYMONTHDAY=2,3,4,5,6,7,8;BYMONTH=9",
    ),
}


@cache
def unlike() -> list[str]:
    """A zone for each way in which clocks go in these years."""
    weeks = [datetime(FIRST, 1, 1, tzinfo=UTC) + timedelta(days=4 * n) for n in range(92 * (LAST - FIRST + 1))]
    ways = {
        tuple(week.astimezone(ZoneInfo(name)).utcoffset() for week in weeks): name
        for name in sorted(available_timezones(), reverse=True)
        if "/" in name and not name.startswith("Etc/")
    }
    return sorted(ways.values())


def written(zone: str, first: int = FIRST, last: int = LAST) -> str:
    lines = described_zone(zone, ZoneInfo(zone), first, last).to_ical().decode()
    return f"BEGIN:VCALENDAR\r\n{lines}END:VCALENDAR\r\n"


def changes(zone: ZoneInfo, first: int, last: int) -> Iterator[datetime]:
    """The hours in which clocks change."""
    at, days = datetime(first, 1, 1, tzinfo=UTC), timedelta(days=1)
    while at.year <= last:
        hours = [at + timedelta(hours=hour) for hour in range(25)]
        if at.astimezone(zone).utcoffset() != (at + days).astimezone(zone).utcoffset():
            yield from (
                one
                for one, two in pairwise(hours)
                if one.astimezone(zone).utcoffset() != two.astimezone(zone).utcoffset()
            )
        at += days


def probes(zone: ZoneInfo, first: int, last: int) -> Iterator[datetime]:
    """Clocks at which a description that is wrong would be seen: around each change, and in every month."""
    for at in changes(zone, first, last):
        for hours in (-26, -3, 3, 26):
            yield (at + timedelta(hours=hours)).astimezone(zone)
    for year in range(first, last + 1):
        for month in range(1, 13):
            yield datetime(year, month, 12, 12, tzinfo=zone)


def differing(zone: str, first: int, last: int) -> list[str]:
    """Where a reader of the description sees another offset than there is in some years."""
    [read] = [tzical(io.StringIO(written(zone))).get()]
    found = list(probes(ZoneInfo(zone), first, last))
    return [str(at) for at in found if at.replace(tzinfo=read, fold=0).utcoffset() != at.utcoffset()]


def test_every_zone_is_understood_as_it_is() -> None:
    assert len(unlike()) > 60
    for year in (2028, LAST):
        assert {zone: wrong for zone in unlike() if (wrong := differing(zone, year, year))} == {}


def test_no_change_is_listed_with_others_in_one_line() -> None:
    assert [zone for zone in unlike() if "RDATE" in written(zone)] == []


@pytest.mark.parametrize(("zone", "rules"), BY_RULE.items())
def test_clocks_that_change_by_a_rule_are_described_by_it_for_good(zone: str, rules: tuple[str, str]) -> None:
    lines = [line.partition(":")[2] for line in written(zone).split("\r\n") if line.startswith("RRULE")]
    assert sorted(lines) == sorted(rules)
    assert written(zone).count("DTSTART") == 2
    assert differing(zone, 2071, 2073) == []


def test_a_rule_that_has_ended_ends() -> None:
    """Clocks in America changed by another rule until 2006."""
    [read] = [tzical(io.StringIO(written("America/Denver", 1999, 2030))).get()]
    for at in probes(ZoneInfo("America/Denver"), 2000, 2020):
        assert at.replace(tzinfo=read, fold=0).utcoffset() == at.utcoffset()


def test_a_zone_whose_clocks_stand_still_has_one_offset() -> None:
    assert written("Asia/Kolkata").count("DTSTART") == 1
    assert differing("Asia/Kolkata", 2060, 2060) == []


def test_what_was_listed_by_dates_before_is_described_anew_and_what_others_describe_stays() -> None:
    calendar, event = Calendar(), Event()
    event.start = datetime(2028, 7, 1, 9, tzinfo=ZoneInfo("Europe/Berlin"))
    event.end = datetime(2028, 7, 1, 9, tzinfo=ZoneInfo("Asia/Tokyo"))
    calendar.add_component(event)
    calendar.add_missing_timezones(datetime(2027, 1, 1, tzinfo=UTC).date(), datetime(2037, 1, 1, tzinfo=UTC).date())
    assert b"RDATE" in calendar.to_ical()
    describe_zones(calendar, [2028])
    assert b"RDATE" not in calendar.to_ical()
    names = [str(zone["TZID"]) for zone in calendar.timezones]
    assert names == ["Asia/Tokyo", "Europe/Berlin"]
    foreign = Timezone()
    foreign.add("tzid", "Europe/Berlin")
    calendar.subcomponents = [foreign, event]
    describe_zones(calendar, [2028])
    assert foreign in calendar.subcomponents
    assert [str(zone["TZID"]) for zone in calendar.timezones] == ["Asia/Tokyo", "Europe/Berlin"]


def test_a_name_of_windows_is_described_by_that_name_and_one_that_nobody_knows_is_not() -> None:
    for name, described in (("W. Europe Standard Time", 2), ("Middle/Earth", 0)):
        event = f"UID:1\nDTSTART;TZID={name}:20280701T090000\nDURATION:PT1H"
        found = Calendar.from_ical(ics(event))
        assert isinstance(found, Calendar)
        describe_zones(found, [2028])
        assert found.to_ical().count(b"RRULE") == described
        assert [str(zone["TZID"]) for zone in found.timezones] == [name] * (described // 2)
