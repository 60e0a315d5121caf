"""Series on the days before and after a day of the month, as far as a rule can say them."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from dateutil.rrule import rrulestr
from hypothesis import given
from hypothesis import strategies as st

from agents.recurrence.describe import REPEATING, describe_rule
from agents.time import find_times, impossible_time
from tests.support.phrases import CLOCK, only, wall

WORKED = "BYDAY=MO,TU,WE,TH,FR"


@pytest.mark.parametrize(
    ("text", "rule", "first"),
    [
        (
            "every month on the last weekday before the 20th",
            f"FREQ=MONTHLY;BYMONTHDAY=13,14,15,16,17,18,19;{WORKED};BYSETPOS=-1",
            "2026-11-19",
        ),
        (
            "the last working day before the 10th of each month",
            f"FREQ=MONTHLY;BYMONTHDAY=3,4,5,6,7,8,9;{WORKED};BYSETPOS=-1",
            "2026-12-09",
        ),
        (
            "monthly on the first weekday on or after the 3rd",
            f"FREQ=MONTHLY;BYMONTHDAY=3,4,5,6,7,8,9;{WORKED};BYSETPOS=1",
            "2026-12-03",
        ),
        (
            "the first tuesday after the 8th of every month",
            "FREQ=MONTHLY;BYMONTHDAY=9,10,11,12,13,14,15;BYDAY=TU",
            "2026-12-15",
        ),
        (
            "every month on the second tuesday after the 8th",
            "FREQ=MONTHLY;BYMONTHDAY=16,17,18,19,20,21,22;BYDAY=TU",
            "2026-12-22",
        ),
        (
            "every month on the friday before the 28th",
            "FREQ=MONTHLY;BYMONTHDAY=21,22,23,24,25,26,27;BYDAY=FR",
            "2026-11-27",
        ),
        (
            "the monday following the 5th of each month",
            "FREQ=MONTHLY;BYMONTHDAY=6,7,8,9,10,11,12;BYDAY=MO",
            "2026-12-07",
        ),
        (
            "every month on the monday closest to the 15th",
            "FREQ=MONTHLY;BYMONTHDAY=12,13,14,15,16,17,18;BYDAY=MO",
            "2026-12-14",
        ),
        (
            "the first sunday after the 6th of january every year",
            "FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=7,8,9,10,11,12,13;BYDAY=SU",
            "2027-01-10",
        ),
        (
            "every other month on the first monday after the 10th",
            "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=11,12,13,14,15,16,17;BYDAY=MO",
            "2026-12-14",
        ),
        ("every month on the last weekday", f"FREQ=MONTHLY;{WORKED};BYSETPOS=-1", "2026-11-30"),
        ("every month on the third working day", f"FREQ=MONTHLY;{WORKED};BYSETPOS=3", "2026-12-03"),
    ],
)
def test_a_day_beside_a_day_of_the_month_is_a_rule(text: str, rule: str, first: str) -> None:
    found = only(text)
    assert (found.text, found.rrule, wall(found.start)) == (text, rule, f"{first}T00:00")
    assert describe_rule(rule) != REPEATING, rule


def test_such_a_series_has_its_hour() -> None:
    found = only("the first monday after the 10th of each month at 9am")
    assert (wall(found.start), found.timed) == ("2026-12-14T09:00", True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("every month on the first monday after the 26th", None),
        ("pay the rent every month on the last friday before the 4th", None),
        ("the last working day before the 2nd of each month", None),
        ("every month on the weekday closest to the 15th", None),
        ("every quarter on the first monday after the 10th", None),
        ("every month on the last possible day", "every month on the last possible"),
        ("every month on the last weekend", "every month on the last weekend"),
        ("every month on the first friday after payday", "every month on the first friday after"),
    ],
)
def test_what_no_rule_can_say_is_told_and_never_half_read(text: str, words: str | None) -> None:
    assert find_times(text, CLOCK) == []
    assert impossible_time(text, CLOCK) == (words or text.removeprefix("pay the rent "))


@given(st.integers(2, 21), st.integers(0, 6), st.integers(2027, 2031))
def test_the_rule_finds_the_first_such_weekday_after_the_date_in_every_month(day: int, weekday: int, year: int) -> None:
    name = "monday tuesday wednesday thursday friday saturday sunday".split()[weekday]
    rule = only(f"every month on the first {name} after the {day}th").rrule
    series = rrulestr(f"{rule};COUNT=24", dtstart=datetime(year, 1, 1), ignoretz=True)  # noqa: DTZ001 - wall clock
    months = [date(year + month // 12, month % 12 + 1, day) for month in range(24)]
    wanted = [start + timedelta(days=(weekday - start.weekday() - 1) % 7 + 1) for start in months]
    assert [moment.date() for moment in series] == wanted


@given(st.integers(5, 28), st.integers(2027, 2031))
def test_the_rule_finds_the_last_working_day_before_the_date_in_every_month(day: int, year: int) -> None:
    rule = only(f"every month on the last weekday before the {day}th").rrule
    series = rrulestr(f"{rule};COUNT=24", dtstart=datetime(year, 1, 1), ignoretz=True)  # noqa: DTZ001 - wall clock
    for month, moment in enumerate(series):
        limit = date(year + month // 12, month % 12 + 1, day)
        before = [limit - timedelta(days=back) for back in range(1, 5)]
        assert moment.date() == next(each for each in before if each.weekday() < 5)


def test_the_last_day_is_still_the_last_day() -> None:
    assert only("every month on the last").rrule == "FREQ=MONTHLY;BYMONTHDAY=-1"
    assert only("every month on the last day").rrule == "FREQ=MONTHLY;BYMONTHDAY=-1"
    assert wall(only("the last weekday before the 15th").start) == "2026-12-14T00:00"
