"""Words of time that mean none: more than a thousand names, measures, numbers, idioms and titles."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.time import find_times
from tests.support.phrases import CLOCK

PHRASES = (Path(__file__).parents[3] / "data" / "no_times.txt").read_text(encoding="utf-8").splitlines()


def test_words_that_mean_no_time_are_left_alone() -> None:
    assert len(PHRASES) > 1000
    read = {phrase: [found.text for found in find_times(phrase, CLOCK)] for phrase in PHRASES}
    assert {phrase: found for phrase, found in read.items() if found} == {}


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("happy hour with zoe on friday at 6", ["on friday at 6"]),
        ("flat 4a is to be painted tomorrow", ["tomorrow"]),
        ("lunch with april in april", ["in april"]),
        ("a good friday agreement by monday", ["by monday"]),
        ("run 5 km in 30m", ["in 30m"]),
        ("for 20m on 5 may", ["20m", "on 5 may"]),
        ("at 10 a friend comes", ["at 10"]),
        ("send report-2026.pdf before 3/4", ["before 3/4"]),
        ("at the end of the day call me", ["at the end of the day"]),
        ("one of the 5 people comes at 5", ["at 5"]),
        ("march 5 is fine", ["march 5"]),
        ("midnight on friday", ["midnight on friday"]),
        ("book a table for 4 tonight", ["tonight"]),
        ("a table for 8 tonight", ["tonight"]),
        ("a table for 8 pm tonight", ["for 8 pm tonight"]),
        ("pick up 5 tonight", ["tonight"]),
        ("send it at the eod", ["eod"]),
        ("eod monday", ["eod monday"]),
        ("from 3/4 on", ["from 3/4 on"]),
        ("divide the work by 3", ["by 3"]),
    ],
)
def test_a_time_beside_such_words_is_read(text: str, times: list[str]) -> None:
    assert [found.text for found in find_times(text, CLOCK)] == times
