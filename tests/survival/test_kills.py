"""A few rounds of ``kill_rounds``; the script runs sixty."""

from __future__ import annotations

from pathlib import Path

from tests.survival.kill_rounds import READY_SECONDS, campaign


def test_kills_at_random_moments_lose_nothing_and_do_nothing_twice(tmp_path: Path) -> None:
    found = campaign(tmp_path / "data", rounds=5, clients=8, seed=20261118)
    assert found.faults == []
    assert found.answered > 8
    assert max(found.restarts) < READY_SECONDS
