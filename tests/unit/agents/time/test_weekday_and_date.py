"""A weekday, a date and a time of day that are said together are one time; where they disagree, they are none."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.time import find_times, impossible_time
from tests.support.phrases import CLOCK, only, wall

WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = "January February March April May June July August September October November December".split()
HOURS = {"morning": "09:00", "afternoon": "15:00", "evening": "19:00", "night": "20:00"}
ORDERS = (
    "{weekday} {part} {day} {month}",
    "{weekday} {part}, {day} {month}",
    "{weekday} {part} the {day} of {month}",
    "{weekday} {part} on {month} {day}",
    "{weekday} {part} ({day} {month})",
    "{weekday} in the {part} on the {day} of {month}",
    "{day} {month}, {weekday} {part}",
    "{weekday} {day} {month} in the {part}",
    "{month} {day} in the {part} on {weekday}",
    "on the {part} of {weekday} {day} {month}",
)


@given(st.integers(1, 300), st.sampled_from(sorted(HOURS)), st.sampled_from(ORDERS))
def test_weekday_part_of_the_day_and_date_are_one_time_in_any_order(ahead: int, part: str, order: str) -> None:
    day = date(2026, 11, 18) + timedelta(days=ahead)
    text = order.format(weekday=WEEKDAYS[day.weekday()], part=part, day=day.day, month=MONTHS[day.month - 1])
    if "night" in text and "in the night" in text:
        text = text.replace("in the night", "at night")
    assert wall(only(text).start) == f"{day}T{HOURS[part]}", text
    assert impossible_time(text, CLOCK) is None


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("saturday night 5/12", "2026-12-05T20:00"),
        ("saturday night 12/5", "2026-12-05T20:00"),
        ("saturday evening 2026-12-05", "2026-12-05T19:00"),
        ("saturday night 05.12.2026", "2026-12-05T20:00"),
        ("saturday morning 5-dec", "2026-12-05T09:00"),
        ("saturday night 5 december 2026", "2026-12-05T20:00"),
        ("saturday morning the 5th", "2026-12-05T09:00"),
        ("saturday afternoon on the 5th", "2026-12-05T15:00"),
        ("saturday at 7pm, 5th december", "2026-12-05T19:00"),
        ("saturday 7pm 5 december", "2026-12-05T19:00"),
        ("saturday night at 9, 5 december", "2026-12-05T21:00"),
        ("saturday night 5 december at 9", "2026-12-05T21:00"),
        ("the evening of the 5th of december, a saturday", "2026-12-05T19:00"),
        ("saturday (5/12) in the morning", "2026-12-05T09:00"),
        ("tomorrow night 19 november", "2026-11-19T20:00"),
        ("sat 5th dec eve", "2026-12-05T19:00"),
        ("saturday 5/12 9pm Casa Rita", "2026-12-05T21:00"),
        ("saturday night, 5 december party at ours", "2026-12-05T20:00"),
    ],
)
def test_any_way_of_writing_the_date_and_the_hour_will_do(text: str, start: str) -> None:
    assert wall(only(text).start) == start


def test_hours_may_follow_the_date() -> None:
    found = only("saturday night 5th december from 8 to 10")
    assert (wall(found.start), wall(found.end)) == ("2026-12-05T20:00", "2026-12-05T22:00")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("concert friday night 5th december", "friday night 5th december"),
        ("concert on friday 5 december with Max", "on friday 5 december"),
        ("5 december, friday", "5 december, friday"),
        ("friday the 5th of december at 9", "friday the 5th of december at 9"),
        ("move it to friday evening 2026-12-05", "friday evening 2026-12-05"),
        ("friday at 8pm, 5 december", "friday at 8pm, 5 december"),
        ("by friday 5 december", "by friday 5 december"),
        ("supper on friday the 3rd", "on friday the 3rd"),
        ("monday the 1st at 10am", "monday the 1st at 10am"),
        ("by wed the 24th", "by wed the 24th"),
        ("on the 30th, tuesday", "on the 30th, tuesday"),
        ("the 30th, a tuesday", "the 30th, a tuesday"),
        ("from friday 5 december to sunday 6 december", "from friday 5 december to sunday 6 december"),
        ("tomorrow evening 20 november", "tomorrow evening 20 november"),
        ("every monday from friday 5 december", "every monday from friday 5 december"),
    ],
)
def test_a_weekday_that_contradicts_its_date_is_told_as_one_phrase(text: str, words: str) -> None:
    assert impossible_time(text, CLOCK) == words
    assert find_times(text, CLOCK) == []


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("monday 16 november", "2026-11-16T00:00"),
        ("monday night the 16th of november", "2026-11-16T20:00"),
        ("friday the 13th", "2026-11-13T00:00"),
    ],
)
def test_one_that_has_just_passed_is_that_day_and_asked_about(text: str, start: str) -> None:
    assert wall(only(text).start) == start
    assert impossible_time(text, CLOCK) == text
    assert impossible_time(f"what did I do on {text}", CLOCK) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("gym saturday at 9, 6 december dentist", ["saturday at 9", "6 december"]),
        ("call ann saturday night, 2nd birthday party", ["saturday night"]),
        ("make friday night 3/4 pint of custard", ["friday night"]),
        ("4 dec, monday 7 dec and 8 dec", ["4 dec", "monday 7 dec", "8 dec"]),
        ("tomorrow night, the 3rd is free", ["tomorrow night"]),
    ],
)
def test_times_of_different_things_stay_apart(text: str, words: list[str]) -> None:
    assert [found.text for found in find_times(text, CLOCK)] == words
    assert impossible_time(text, CLOCK) is None
