"""What is due next once a round of a series is done: its day, its reminder and what is left of its rule."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from agents.ledger.next_round import next_round

FRIDAYS = "FREQ=WEEKLY;BYDAY=FR"
DONE = "2026-11-18T10:00:00+00:00"
"""A Wednesday."""
DUE_ON_FRIDAY = {"deadline": "2026-11-20", "remind_at": "2026-11-19T18:00:00+00:00", "recurrence": FRIDAYS}


@pytest.mark.parametrize(
    ("record", "now", "expected"),
    [
        pytest.param(
            DUE_ON_FRIDAY, DONE, {"deadline": "2026-11-27", "remind_at": "2026-11-26T18:00:00+00:00"}, id="before both"
        ),
        pytest.param(
            DUE_ON_FRIDAY,
            "2026-12-02T10:00:00+00:00",
            {"deadline": "2026-12-04", "remind_at": "2026-12-03T18:00:00+00:00"},
            id="two rounds late",
        ),
        pytest.param(
            DUE_ON_FRIDAY,
            "2026-11-26T19:00:00+00:00",
            {"deadline": "2026-11-27", "remind_at": "2026-12-03T18:00:00+00:00"},
            id="the reminder of the coming round has passed: the one of the round after it",
        ),
        pytest.param(
            {**DUE_ON_FRIDAY, "deadline": "2026-11-27", "remind_at": "2026-12-03T18:00:00+00:00"},
            "2026-11-27T09:00:00+00:00",
            {"deadline": "2026-12-04", "remind_at": "2026-12-03T18:00:00+00:00"},
            id="and that is then the reminder of the coming round",
        ),
        pytest.param(
            {
                "deadline": "2026-12-01T09:00:00+00:00",
                "remind_at": "2026-11-30T09:00:00+00:00",
                "recurrence": "FREQ=MONTHLY",
            },
            "2026-12-01T08:00:00+00:00",
            {"deadline": "2027-01-01T09:00:00+00:00", "remind_at": "2026-12-31T09:00:00+00:00"},
            id="done early on its day: not told again on the same day",
        ),
        pytest.param(
            {**DUE_ON_FRIDAY, "recurrence": f"{FRIDAYS};UNTIL=20261127"},
            "2026-11-26T19:00:00+00:00",
            {"deadline": "2026-11-27", "remind_at": None},
            id="no round follows whose reminder could come",
        ),
        pytest.param(
            {"remind_at": "2026-11-18T08:00:00+00:00", "recurrence": "FREQ=DAILY"},
            DONE,
            {"remind_at": "2026-11-19T08:00:00+00:00"},
            id="a reminder alone",
        ),
        pytest.param(
            {"deadline": "2026-11-18", "recurrence": "FREQ=DAILY;COUNT=3"},
            DONE,
            {"deadline": "2026-11-19", "recurrence": "FREQ=DAILY;COUNT=2"},
            id="two of three are left",
        ),
        pytest.param({"deadline": "2026-11-18", "recurrence": "FREQ=DAILY;COUNT=1"}, DONE, None, id="the last one"),
        pytest.param(
            {"deadline": "2026-11-10", "recurrence": "FREQ=DAILY;COUNT=10"},
            DONE,
            {"deadline": "2026-11-19", "recurrence": "FREQ=DAILY;COUNT=1"},
            id="rounds that were missed count",
        ),
        pytest.param({"recurrence": "FREQ=DAILY"}, DONE, {"deadline": "2026-11-19"}, id="no day was said"),
        pytest.param(
            {"deadline": "2027-03-27", "remind_at": "2027-03-26T18:00:00+00:00", "recurrence": "FREQ=WEEKLY"},
            "2027-03-27T10:00:00+00:00",
            {"deadline": "2027-04-03", "remind_at": "2027-04-02T18:00:00+01:00"},
            id="the clocks change in between",
        ),
    ],
)
def test_the_next_round(record: dict[str, Any], now: str, expected: dict[str, Any] | None) -> None:
    assert next_round(record, datetime.fromisoformat(now), "Europe/Lisbon") == expected


def test_a_counted_series_ends() -> None:
    record: dict[str, Any] = {"deadline": "2026-11-18", "recurrence": "FREQ=DAILY;COUNT=4"}
    rounds = 0
    while record:
        record, rounds = next_round(record, datetime.fromisoformat(DONE), "UTC") or {}, rounds + 1
    assert rounds == 4
