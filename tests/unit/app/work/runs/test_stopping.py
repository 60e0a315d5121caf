"""What ends a run from outside: its time counts on when another worker takes it up."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from app.work.runs.model.runs import Pulse, Run, RunLimits, Switch
from app.work.runs.stopping import Stop

QUIET = Pulse(cancel_requested=False, switch=Switch(engaged=False))


def taken_up(active_ms: int) -> Run:
    """A run that may work for an hour and has worked so long before."""
    return Run(
        user_id=uuid4(),
        id=uuid4(),
        goal="tidy my notes",
        status="running",
        planner="react",
        limits=RunLimits(steps=10, seconds=3600, credits=0, tokens=1000, output_chars=1000),
        allowed=(),
        generation=2,
        cancel_requested=False,
        created_at=datetime(2026, 11, 24, tzinfo=UTC),
        usage={"active_ms": active_ms},
    )


@pytest.mark.parametrize(("before", "expected"), [(0, None), (3_600_000, "timeout")], ids=["fresh", "used up"])
def test_the_time_of_earlier_claims_counts(before: int, expected: str | None) -> None:
    stop = Stop(taken_up(before))
    stop.heed(QUIET)
    assert stop.reason == expected
