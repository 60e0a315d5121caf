"""When a schedule starts its workflow, also in the nights in which clocks change."""

from __future__ import annotations

from datetime import datetime

import pytest

from app.work.workflows.definition import Definition
from app.work.workflows.schedule import next_moment

HALF_PAST_ONE = Definition.model_validate(
    {
        "slug": "night",
        "name": "Night",
        "trigger": {"kind": "schedule", "rule": "FREQ=DAILY;BYHOUR=1;BYMINUTE=30"},
        "steps": [{"id": "tell", "kind": "notify", "text": "Good night."}],
    }
)


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ("2026-11-24T12:00:00+00:00", "2026-11-25T01:30:00+00:00"),
        ("2026-10-24T12:00:00+00:00", "2026-10-25T00:30:00+00:00"),
        ("2027-03-27T12:00:00+00:00", "2027-03-28T01:30:00+00:00"),
    ],
    ids=["any night", "one that has it twice: the first", "one that lacks it: an hour later"],
)
def test_a_schedule_goes_by_the_wall_clock(now: str, expected: str) -> None:
    found = next_moment(HALF_PAST_ONE, datetime.fromisoformat(now), "Europe/Lisbon")
    assert found == datetime.fromisoformat(expected)
