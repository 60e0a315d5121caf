"""There and back in one breath."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from agents.conventions import Conventions
from agents.time import clock_for
from agents.understanding.text.journeys import both_ways

CLOCK = clock_for(datetime(2026, 11, 18, 10, 30, tzinfo=ZoneInfo("Europe/Lisbon")), "Europe/Lisbon", Conventions())


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("fly to porto on the 3rd and back on the 9th", "schedule trip to porto from 2026-12-03 to 2026-12-09"),
        (
            "i'm driving to faro on friday and coming back on sunday",
            "schedule trip to faro from 2026-11-20 to 2026-11-22",
        ),
        (
            "flights to porto on the 12th at 7am back on the 19th at 6pm",
            "schedule flight to porto on 2026-12-12 at 07:00. schedule flight back from porto on 2026-12-19 at 18:00",
        ),
        ("fly to porto on the 3rd", "fly to porto on the 3rd"),
        ("book flights to porto and call back on monday", "book flights to porto and call back on monday"),
    ],
)
def test_both_ways(said: str, read: str) -> None:
    assert both_ways(said, CLOCK) == read
