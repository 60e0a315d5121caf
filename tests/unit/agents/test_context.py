"""The clock of a run: as it was said, in the run's zone, and within reach."""

from __future__ import annotations

import pytest

from agents.context import clock_of


def test_the_clock_is_told_in_the_zone_of_the_run() -> None:
    assert clock_of({"at": "2026-11-18T10:30:00+00:00", "timezone": "Asia/Tokyo"}).isoformat() == (
        "2026-11-18T19:30:00+09:00"
    )


@pytest.mark.parametrize("at", ["9999-12-31T23:00:00+00:00", "1969-12-31T23:00:00+00:00"])
def test_a_clock_out_of_reach_is_refused_by_name(at: str) -> None:
    with pytest.raises(ValueError, match="`at` must lie between 1970 and 2199"):
        clock_of({"at": at})
