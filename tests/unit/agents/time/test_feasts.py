"""Feasts and days of observance: spellings, years, ranks, and the days on which clocks change."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from agents.time import clock_for, find_times
from tests.support.phrases import only


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("mlk jr. day", "2027-01-18"),
        ("ash wed", "2027-02-10"),
        ("good fri. 2028", "2028-04-14"),
        ("greek easter 2027", "2027-05-02"),
        ("eid-al-adha 2027", "2027-05-16"),
        ("eid-ul-fitr 2027", "2027-03-09"),
        ("patriot day 2027", "2027-09-11"),
        ("patriots' day 2027", "2027-04-19"),
        ("second sunday of advent", "2026-12-06"),
        ("3rd advent", "2026-12-13"),
        ("inauguration day", "2029-01-20"),
        ("world refugee day", "2027-06-20"),
        ("international yoga day 2028", "2028-06-21"),
        ("world philosophy day", "2026-11-19"),
        ("leif erikson day", "2027-10-09"),
        ("dev deepawali 2027", "2027-11-13"),
        ("susan b. anthony day", "2027-02-15"),
        ("yom yerushalayim 2027", "2027-06-03"),
        ("the closest christmas to march 3", "2026-12-25"),
        ("the third closest easter to today", "2028-04-16"),
        ("the second christmas after 2027", "2029-12-25"),
        ("last christmas before 2020", "2019-12-25"),
        ("daylight saving time ends", "2027-10-31"),
        ("when the clocks go forward", "2027-03-28"),
        ("dst starts 2028", "2028-03-26"),
    ],
)
def test_feasts(text: str, day: str) -> None:
    found = only(text)
    assert found.start is not None
    assert found.start.date().isoformat() == day


def test_a_feast_over_new_year_belongs_to_the_year_it_begins_in() -> None:
    found = only("kwanzaa 2026")
    assert found.start is not None
    assert found.end is not None
    assert (found.start.date().isoformat(), found.end.date().isoformat()) == ("2026-12-26", "2027-01-02")


@pytest.mark.parametrize(
    ("zone", "day"), [("America/Chicago", "2027-03-14"), ("Europe/Berlin", "2027-03-28"), ("Asia/Tokyo", None)]
)
def test_clocks_change_as_in_the_zone(zone: str, day: str | None) -> None:
    clock = clock_for(datetime(2026, 11, 18, 10, 30, tzinfo=ZoneInfo(zone)), zone)
    found = [item.start.date().isoformat() for item in find_times("daylight savings begins", clock) if item.start]
    assert found == ([day] if day else [])
