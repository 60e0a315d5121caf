from __future__ import annotations

import pytest

from app.voice.speech.spelling import readable_times


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Move it to 1030 euros", "Move it to 1030 euros"),
        ("Call mom at 10.30 tomorrow", "Call mom at 10:30 tomorrow"),
        ("at 930", "at 9:30"),
        ("Remind me at 9.", "Remind me at 9."),
        ("Put it off to 2030", "Put it off to 2030"),
        ("Fly to 1099 Main Street", "Fly to 1099 Main Street"),
        ("Set the budget to 10.305", "Set the budget to 10.305"),
        ("at 10:30", "at 10:30"),
    ],
)
def test_only_times_of_day_are_spelled_as_times(written: str, read: str) -> None:
    assert readable_times(written) == read
