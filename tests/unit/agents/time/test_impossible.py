"""Days that no calendar has are told as they were said, and no part of them is read."""

from __future__ import annotations

from calendar import monthrange
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.time import find_times, impossible_time
from tests.support.phrases import CLOCK

MONTHS = "january february march april may june july august september october november december".split()
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("choir on the fifth monday of february at 6pm", "on the fifth monday of february at 6pm"),
        ("the 5th thursday in november 2026", "the 5th thursday in november 2026"),
        ("on the fifth friday of next month", "on the fifth friday of next month"),
        ("the 6th monday of april", "the 6th monday of april"),
        ("the fifth friday of the month", "the fifth friday of the month"),
        ("the 5th weekend of february", "the 5th weekend of february"),
        ("pay it by 2026/14/2", "by 2026/14/2"),
        ("on 2027-04-31", "on 2027-04-31"),
        ("31.6.2027 at noon", "31.6.2027 at noon"),
        ("hand it in on 31/6", "on 31/6"),
        ("30-2-2027", "30-2-2027"),
        ("2027-02-29T10:00", "2027-02-29T10:00"),
        ("29 february 2027", "29 february 2027"),
        ("february 29th 2026 at 8", "february 29th 2026 at 8"),
        ("choir practice on the 34th at 7pm", "on the 34th at 7pm"),
        ("hand it in by the 33rd", "by the 33rd"),
        ("in week 55", "in week 55"),
        ("by week 60 of 2027", "by week 60 of 2027"),
        ("the 54th week of 2027", "the 54th week of 2027"),
        ("the 366th day of 2027", "the 366th day of 2027"),
    ],
)
def test_days_that_do_not_exist_are_told_as_one_phrase(text: str, words: str) -> None:
    assert impossible_time(text, CLOCK) == words
    assert find_times(text, CLOCK) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("lunch on the 31st of september at 1", "31st of september"),
        ("from 28 june to 31 june", "31 june"),
        ("dinner on the 33rd of december at 7", "33rd of december"),
        ("saturday the 31st of november", "31st of november"),
        ("every year on february 30", "february 30"),
    ],
)
def test_a_day_its_month_never_has_is_told_alone_and_nothing_beside_it_is_read(text: str, words: str) -> None:
    assert impossible_time(text, CLOCK) == words
    assert find_times(text, CLOCK) == []


def test_what_is_said_elsewhere_is_still_read() -> None:
    found = find_times("choir on the fifth monday of february, and call Ida tomorrow at 9", CLOCK)
    assert [item.text for item in found] == ["tomorrow at 9"]


@given(st.integers(1, 12), st.integers(0, 6), st.integers(2027, 2035))
def test_the_fifth_weekday_of_a_month_is_read_exactly_where_there_is_one(month: int, weekday: int, year: int) -> None:
    days = [day for day in range(1, monthrange(year, month)[1] + 1) if date(year, month, day).weekday() == weekday]
    text = f"the fifth {WEEKDAYS[weekday]} of {MONTHS[month - 1]} {year}"
    found = find_times(text, CLOCK)
    assert [item.start.day for item in found if item.start] == days[4:]
    assert impossible_time(text, CLOCK) == (None if days[4:] else text)


@pytest.mark.parametrize(
    "text",
    [
        "the 5th tuesday of every month",
        "the 31st of each month",
        "the fifth sunday of february every year",
        "week 53",
        "in week 60 minutes of running",
        "version 2027.13.1",
        "24/7",
        "50/50",
        "call 555-13-2020",
        "born on 12/3/1850",
        "a score of 31/40",
        "1/2 cup",
        "every 5th friday",
        "the viewing is on the 38th floor",
        "the 35th anniversary",
        "buy a lamp for the 33rd street office",
        "the 64th",
        "29 february",
    ],
)
def test_what_exists_or_names_no_day_is_not_told(text: str) -> None:
    assert impossible_time(text, CLOCK) is None
