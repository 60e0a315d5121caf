from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from agents.dates_in_words import say_duration, say_span, say_when, telling_times

NOW = datetime(2026, 11, 18, 10, 30, tzinfo=ZoneInfo("Europe/Lisbon"))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (datetime(2026, 11, 19, 17, 0, tzinfo=NOW.tzinfo), "tomorrow at 17:00"),
        (datetime(2026, 11, 27, 15, 0, tzinfo=ZoneInfo("Europe/Berlin")), "Friday 27 November at 14:00"),
        (date(2026, 11, 18), "today"),
        (date(2027, 1, 1), "Friday 1 January 2027"),
    ],
)
def test_when(value: date, words: str) -> None:
    assert say_when(value, NOW) == words


def test_spans_name_the_day_once() -> None:
    start, end = NOW.replace(hour=14, minute=0), NOW.replace(hour=15, minute=0)
    assert say_span(start, end, NOW) == "today from 14:00 to 15:00"
    assert say_span(start, end.replace(day=19), NOW) == "today at 14:00 to tomorrow at 15:00"
    assert say_span(date(2026, 11, 19), date(2026, 11, 21), NOW) == "tomorrow to Saturday 21 November"


@pytest.mark.parametrize(
    ("hour", "words"), [(0, "12:05 am"), (9, "9:05 am"), (12, "12:05 pm"), (13, "1:05 pm"), (23, "11:05 pm")]
)
def test_times_are_told_on_twelve_hours_where_that_is_wanted(hour: int, words: str) -> None:
    with telling_times("12h"):
        assert say_when(NOW.replace(hour=hour, minute=5), NOW) == f"today at {words}"
    with telling_times(None):
        assert say_when(NOW.replace(hour=hour, minute=5), NOW) == f"today at {hour:02d}:05"


@pytest.mark.parametrize(
    ("minutes", "words"), [(45, "45 minutes"), (90, "1 hour 30 minutes"), (1500, "1 day 1 hour"), (0, "0 minutes")]
)
def test_durations(minutes: int, words: str) -> None:
    assert say_duration(minutes) == words
