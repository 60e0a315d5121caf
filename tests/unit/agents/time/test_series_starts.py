"""A series begins on the day that is said with it, however it is said; a length beside it is kept."""

from __future__ import annotations

import pytest

from agents.time import FoundTime, find_times, merge_phrases
from tests.support.phrases import CLOCK, only, wall


def series(text: str) -> list[FoundTime]:
    return [found for found in merge_phrases(find_times(text, CLOCK), CLOCK) if found.kind == "set"]


@pytest.mark.parametrize(
    ("text", "rule", "first"),
    [
        ("every other thursday at 4, start next week", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH", "2026-11-26T16:00"),
        ("mondays at 8pm, starts 30 november", "FREQ=WEEKLY;BYDAY=MO", "2026-11-30T20:00"),
        ("every saturday at 10, begin in january", "FREQ=WEEKLY;BYDAY=SA", "2027-01-02T10:00"),
        ("every thursday at 6, beginning in february", "FREQ=WEEKLY;BYDAY=TH", "2027-02-04T18:00"),
        ("every thursday at 6 and it starts next month", "FREQ=WEEKLY;BYDAY=TH", "2026-12-03T18:00"),
        ("every tuesday at 7, first one on 8 december", "FREQ=WEEKLY;BYDAY=TU", "2026-12-08T07:00"),
        ("every tuesday at 7, the first time is next week", "FREQ=WEEKLY;BYDAY=TU", "2026-11-24T07:00"),
        ("every tuesday at 7 effective january 1st", "FREQ=WEEKLY;BYDAY=TU", "2027-01-05T07:00"),
        ("every friday from next tuesday on", "FREQ=WEEKLY;BYDAY=FR", "2026-11-27T00:00"),
        ("monthly on the 5th starting february", "FREQ=MONTHLY;BYMONTHDAY=5", "2027-02-05T00:00"),
        ("every 2 hours starting tomorrow", "FREQ=HOURLY;INTERVAL=2", "2026-11-19T09:00"),
        ("every 3 hours starting tomorrow at 7", "FREQ=HOURLY;INTERVAL=3", "2026-11-19T07:00"),
    ],
)
def test_a_series_starts_on_or_after_the_day_said(text: str, rule: str, first: str) -> None:
    found = only(text)
    assert (found.text, found.rrule, wall(found.start)) == (text, rule, first)


@pytest.mark.parametrize(
    "text",
    [
        "every weekday at 8:45am for 20 minutes starting december 7",
        "every weekday at 8:45am for 20 minutes, starting december 7",
        "every weekday at 8:45am starting december 7 for 20 minutes",
        "every weekday at 8:45am, 20 minutes, from december 7",
        "every weekday at 8:45am catch-up for 20 minutes starting december 7",
        "starting december 7, every weekday at 8:45am for 20 minutes",
    ],
)
def test_rule_length_and_start_are_kept_together(text: str) -> None:
    found = series(text)
    assert [(item.rrule, wall(item.start)) for item in found] == [
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "2026-12-07T08:45")
    ]
    assert [item.seconds for item in find_times(text, CLOCK) if item.kind == "duration"] == [20 * 60]


def test_the_series_itself_knows_a_start_behind_its_length() -> None:
    found = find_times("every weekday at 8:45am for 20 minutes starting december 7", CLOCK)
    assert [(item.text, wall(item.start)) for item in found] == [
        ("every weekday at 8:45am", "2026-12-07T08:45"),
        ("20 minutes", None),
        ("starting december 7", "2026-12-07T00:00"),
    ]


def test_a_length_in_days_still_ends_what_starts_then() -> None:
    found = only("for two weeks starting december 7")
    assert (wall(found.start), wall(found.end)) == ("2026-12-07T00:00", "2026-12-21T00:00")
    found = only("for 20 minutes starting tomorrow at 3")
    assert (wall(found.start), wall(found.end)) == ("2026-11-19T15:00", "2026-11-19T15:20")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("every tuesday at 10, start the report next week", ["every tuesday at 10", "next week"]),
        ("every tuesday at 10, then start dinner", ["every tuesday at 10"]),
        ("start running next week", ["next week"]),
    ],
)
def test_starting_something_is_no_start_of_a_series(text: str, words: list[str]) -> None:
    assert [found.text for found in find_times(text, CLOCK)] == words
