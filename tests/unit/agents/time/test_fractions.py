"""Lengths with a fraction, as people and speech engines write them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.time import find_times
from tests.support.phrases import CLOCK, only, wall


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("3 and a 1/2 hours", 210),
        ("for 2 and a 1/4 hours", 135),
        ("4 and 3/4 hours", 285),
        ("2 1/2 hours", 150),
        ("2-1/2 hours", 150),
        ("three and a half hours", 210),
        ("three-and-a-half hours", 210),
        ("two-and-a-quarter-hour", 135),
        ("two and one half hours", 150),
        ("1 and one quarter hours", 75),
        ("a 3/4 hour", 45),
        ("one half hour", 30),
        ("one-half hour", 30),
        ("3 quarters of an hour", 45),
        ("20 and a 1/2 minutes", 20.5),
        ("2 & a 1/2 days", 3600),
    ],
)
def test_a_fraction_belongs_to_the_number_before_it(text: str, minutes: float) -> None:
    found = only(text)
    assert (found.kind, found.seconds) == ("duration", minutes * 60)
    assert found.text == text.removeprefix("for ").removeprefix("a ")


@given(st.integers(1, 9), st.sampled_from([(1, 2), (1, 4), (3, 4)]), st.sampled_from(["and a ", "and ", "& a ", ""]))
def test_a_written_fraction_is_the_sum_of_its_parts(whole: int, fraction: tuple[int, int], joint: str) -> None:
    found = only(f"{whole} {joint}{fraction[0]}/{fraction[1]} hours")
    assert found.seconds == 3600 * whole + 3600 * fraction[0] // fraction[1]


def test_fractions_are_read_wherever_a_length_is() -> None:
    assert wall(only("in 2 and a 1/2 hours").start) == "2026-11-18T13:00"
    assert only("every 2 and a 1/2 hours").rrule == "FREQ=MINUTELY;INTERVAL=150"
    found = only("tomorrow at 3pm for 1 and a 1/4 hours")
    assert found.start
    assert found.end
    assert found.end - found.start == timedelta(minutes=75)


@pytest.mark.parametrize("text", ["2 and a 1/2 cups of sugar", "3 and a 1/2 miles", "a 1/2 price deal"])
def test_fractions_of_other_things_are_no_time(text: str) -> None:
    assert find_times(text, CLOCK) == []


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("1 minute 20", 80), ("two minutes forty", 160), ("5 minutes 30 seconds", 330), ("3 minutes 4 eggs", 180)],
)
def test_seconds_behind_minutes_need_no_word(text: str, seconds: int) -> None:
    assert only(text).seconds == seconds
