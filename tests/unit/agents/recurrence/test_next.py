from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr
from hypothesis import given
from hypothesis import strategies as st

from agents.recurrence.next import next_in_series

LISBON, NEW_YORK, LORD_HOWE = ZoneInfo("Europe/Lisbon"), ZoneInfo("America/New_York"), ZoneInfo("Australia/Lord_Howe")
CALENDAR_RULES = ["FREQ=DAILY", "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "FREQ=WEEKLY;INTERVAL=2"]
CALENDAR_RULES += ["FREQ=MONTHLY", "FREQ=MONTHLY;BYMONTHDAY=-1", "FREQ=YEARLY", "FREQ=DAILY;COUNT=900"]
MOMENTS = st.datetimes(datetime(2024, 1, 1), datetime(2026, 12, 31))  # noqa: DTZ001 - the strategy wants walls


def rounds(rule: str, first: datetime, count: int, zone: ZoneInfo) -> list[datetime]:
    found = [first.astimezone(UTC)]
    while len(found) < count:
        following = next_in_series(rule, first, found[-1], zone)
        assert following is not None
        found.append(following)
    return found


def walls(found: list[datetime], zone: ZoneInfo) -> list[str]:
    return [f"{moment.astimezone(zone):%d %H:%M %z}" for moment in found]


def test_a_daily_round_keeps_its_wall_clock_over_both_changes() -> None:
    autumn = rounds("FREQ=DAILY", datetime(2026, 10, 24, 8, tzinfo=LISBON), 3, LISBON)
    assert walls(autumn, LISBON) == ["24 08:00 +0100", "25 08:00 +0000", "26 08:00 +0000"]
    spring = rounds("FREQ=DAILY", datetime(2026, 3, 28, 8, tzinfo=LISBON), 3, LISBON)
    assert walls(spring, LISBON) == ["28 08:00 +0000", "29 08:00 +0100", "30 08:00 +0100"]


def test_a_skipped_wall_time_moves_on_by_the_gap_and_comes_back_the_day_after() -> None:
    found = rounds("FREQ=DAILY", datetime(2026, 3, 7, 2, 30, tzinfo=NEW_YORK), 3, NEW_YORK)
    assert walls(found, NEW_YORK) == ["07 02:30 -0500", "08 03:30 -0400", "09 02:30 -0400"]


def test_a_wall_time_that_comes_twice_counts_once() -> None:
    found = rounds("FREQ=DAILY", datetime(2026, 10, 31, 1, 30, tzinfo=NEW_YORK), 3, NEW_YORK)
    assert walls(found, NEW_YORK) == ["31 01:30 -0400", "01 01:30 -0400", "02 01:30 -0500"]


def test_half_an_hour_of_change_is_right_too() -> None:
    found = rounds("FREQ=DAILY", datetime(2026, 10, 3, 2, 15, tzinfo=LORD_HOWE), 3, LORD_HOWE)
    assert walls(found, LORD_HOWE) == ["03 02:15 +1030", "04 02:45 +1100", "05 02:15 +1100"]


def test_hours_count_elapsed_time() -> None:
    found = rounds("FREQ=HOURLY", datetime(2026, 11, 1, 0, 30, tzinfo=NEW_YORK), 4, NEW_YORK)
    assert walls(found, NEW_YORK) == ["01 00:30 -0400", "01 01:30 -0400", "01 01:30 -0500", "01 02:30 -0500"]


def test_hours_that_name_clock_times_keep_the_clock() -> None:
    found = rounds("FREQ=HOURLY;BYHOUR=9,10", datetime(2026, 10, 31, 9, tzinfo=NEW_YORK), 4, NEW_YORK)
    assert walls(found, NEW_YORK) == ["31 09:00 -0400", "31 10:00 -0400", "01 09:00 -0500", "01 10:00 -0500"]


@given(MOMENTS, MOMENTS, st.sampled_from(CALENDAR_RULES), st.sampled_from([LISBON, NEW_YORK, LORD_HOWE]))
def test_the_next_round_is_the_one_that_a_walk_from_the_beginning_finds(
    first: datetime, after: datetime, rule: str, zone: ZoneInfo
) -> None:
    begin, floor = first.replace(microsecond=0, tzinfo=zone).astimezone(UTC), after.replace(tzinfo=UTC)
    wall = begin.astimezone(zone).replace(tzinfo=None)
    walked = (moment.replace(tzinfo=zone).astimezone(UTC) for moment in rrulestr(rule, dtstart=wall))
    expected = next((moment for moment in walked if moment > max(floor, begin - timedelta(seconds=1))), None)
    assert next_in_series(rule, begin, floor, zone) == expected


@pytest.mark.parametrize("rule", ["FREQ=DAILY;UNTIL=20200101T000000", "FREQ=DAILY;COUNT=3", "FREQ=HOURLY;COUNT=3"])
def test_a_series_that_is_over_ends(rule: str) -> None:
    first = datetime(2019, 1, 1, 8, tzinfo=UTC)
    assert next_in_series(rule, first, datetime(2026, 11, 21, tzinfo=UTC), LISBON) is None


def test_a_long_past_costs_nothing() -> None:
    first, after = datetime(1980, 1, 1, 8, tzinfo=UTC), datetime(2026, 11, 21, 7, 59, 30, tzinfo=UTC)
    began = time.thread_time()
    assert next_in_series("FREQ=MINUTELY", first, after, LISBON) == datetime(2026, 11, 21, 8, tzinfo=UTC)
    assert time.thread_time() - began < 5  # minute by minute it takes longer


def test_29_february_is_found_across_eight_years() -> None:
    first = datetime(2096, 2, 29, 9, tzinfo=LISBON)
    assert next_in_series("FREQ=YEARLY", first, first, LISBON) == datetime(2104, 2, 29, 9, tzinfo=LISBON)
