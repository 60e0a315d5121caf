from __future__ import annotations

import pytest

from agents.time import find_times
from agents.understanding import understand_line
from tests.support.phrases import CLOCK, only, wall


@pytest.mark.parametrize(
    "text",
    [
        "buy a christmas tree",
        "mother's day card",
        "easter eggs for the kids",
        "on the second floor",
        "on the first try",
        "this may be wrong",
        "last minute shopping",
        "between 5 and 10 people",
        "from 3 to 5 eggs",
        "by 10 percent",
        "after 3 tries",
        "at 4 different shops",
        "at 12.50 euros each",
        "one day",
        "flat 4a needs paint",
        "invoice 2026-11",
        "q3 report",
        "the score was 3-2",
        "order 20261201",
        "+351 912 345 678",
        "lent him my bike",
        "winter coat",
        "a quarter of the cake",
        "fall asleep",
        "the 1990s",
        "a few o'clock",
    ],
)
def test_words_that_only_describe(text: str) -> None:
    assert find_times(text, CLOCK) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("12 people on friday", "on friday"),
        ("friday 20 min", "friday"),
        ("plan christmas dinner", "christmas"),
        ("room 12 at 3pm", "at 3pm"),
    ],
)
def test_the_time_beside_a_number_or_noun(text: str, words: str) -> None:
    assert words in [found.text for found in find_times(text, CLOCK)]


@pytest.mark.parametrize(
    ("text", "assumption", "alternative"),
    [
        ("tomorrow at 5", "5:00 is 17:00", "2026-11-19T05:00"),
        ("3/4", "3/4 is read day first", "2027-03-04T00:00"),
        ("wednesday", "wednesday is the coming one, not today", "2026-11-18T00:00"),
        ("next friday", "next friday is in the next calendar week", "2026-11-20T00:00"),
    ],
)
def test_what_was_taken_for_granted_is_said(text: str, assumption: str, alternative: str) -> None:
    found = only(text)
    assert assumption in found.assumptions
    assert alternative in [wall(moment) for moment in found.alternatives]


def test_certain_times_assume_nothing() -> None:
    assert (only("tomorrow at 17:00").assumptions, only("24 december").alternatives) == ((), ())


def test_plain_data_shows_whole_months_as_intervals_and_names_its_assumptions() -> None:
    line = {"text": "in april, every day at 8 and 20", "now": "2026-11-18T10:30:00", "tz": "Europe/Lisbon"}
    april, daily = understand_line(line)["time"]
    assert (april["kind"], april["start"], april["end"]) == (
        "interval",
        "2027-04-01T00:00:00+01:00",
        "2027-05-01T00:00:00+01:00",
    )
    assert daily["rrule"] == "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0"
    assert daily["assumptions"] == ["8:00 is 08:00"]
