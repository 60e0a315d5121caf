"""Times as machines, timetables and letters write them."""

from __future__ import annotations

import pytest

from agents.time import find_times
from tests.support.phrases import CLOCK, only, wall


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("2026-12-07/2026-12-09", "2026-12-07T00:00", "2026-12-10T00:00"),
        ("2026-12-07..2026-12-09", "2026-12-07T00:00", "2026-12-10T00:00"),
        ("2026-12-07 15:00/2026-12-08 16:00", "2026-12-07T15:00", "2026-12-08T16:00"),
        ("Thu Dec 24, 10:00 - 11:30 2026", "2026-12-24T10:00", "2026-12-24T11:30"),
    ],
)
def test_stretches(text: str, start: str, end: str) -> None:
    found = only(text)
    assert (wall(found.start), wall(found.end)) == (start, end)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("20261207T153000", "2026-12-07T15:30"),
        ("20261207T1530Z", "2026-12-07T15:30"),
        ("Thu, 24 Dec 2026 18:00:00 +0100", "2026-12-24T17:00"),
        ("27.11. 16:00", "2026-11-27T16:00"),
        ("friday - 3pm", "2026-11-20T15:00"),
        ("nov/27(fri)-4pm", "2026-11-27T16:00"),
        ("2026 12 07 at 9", "2026-12-07T09:00"),
        ("9am utc+2 tomorrow", "2026-11-19T07:00"),
        ("tomorrow at 9am gmt-5", "2026-11-19T14:00"),
        ("3pm eastern on friday", "2026-11-20T20:00"),
        ("9am hst tomorrow", "2026-11-19T19:00"),
        ("noon eastern on friday", "2026-11-20T17:00"),
        ("3pm new york time tomorrow", "2026-11-19T20:00"),
        ("at 5 tokyo time tomorrow", "2026-11-19T08:00"),
        ("3pm local time", "2026-11-18T15:00"),
        ("2027-W12", "2027-03-22T00:00"),
    ],
)
def test_clock_times(text: str, start: str) -> None:
    assert wall(only(text).start) == start


@pytest.mark.parametrize(("text", "seconds"), [("1/2 an hour", 1800), ("3/4 of an hour", 2700)])
def test_a_part_of_a_unit_is_a_length(text: str, seconds: int) -> None:
    assert only(text).seconds == seconds


def test_eight_digits_are_a_date_only_beside_a_word_that_says_so() -> None:
    assert wall(only("on 20261207").start) == "2026-12-07T00:00"
    assert find_times("ticket 20261207", CLOCK) == []


def test_a_region_with_a_noun_of_its_own_is_no_zone() -> None:
    assert [found.text for found in find_times("3pm central station", CLOCK)] == ["3pm"]
