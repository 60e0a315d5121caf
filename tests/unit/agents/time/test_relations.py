"""Days told from a day that was talked about before: "a week before", "two days after that"."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from agents.time import find_times
from tests.support.phrases import CLOCK, wall

ABOUT = replace(CLOCK, anchor=date(2026, 12, 18))


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("wrap the present a week before", "2026-12-11"),
        ("wrap the present the day before", "2026-12-17"),
        ("two days after that write a card", "2026-12-20"),
        ("a month beforehand", "2026-11-18"),
        ("3 days before it, buy a card", "2026-12-15"),
        ("a week before to wrap it", "2026-12-11"),
        ("two weeks after", "2027-01-01"),
    ],
)
def test_a_day_before_or_after_is_counted_from_the_day_talked_about(text: str, day: str) -> None:
    assert [wall(found.start) for found in find_times(text, ABOUT)] == [f"{day}T00:00"]
    assert [found.kind for found in find_times(text, CLOCK) if found.kind != "duration"] == []


@pytest.mark.parametrize(
    "text",
    [
        "the day after my birthday buy a cake",
        "a week before the exam",
        "two days after Ida comes home",
        "the day before i leave",
        "an hour before",
    ],
)
def test_what_counts_from_something_else_is_no_such_day(text: str) -> None:
    assert [found.kind for found in find_times(text, ABOUT) if found.kind != "duration"] == []
