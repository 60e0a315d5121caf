"""A few rounds of ``kill_rounds``; the script runs sixty."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.survival.kill_rounds import campaign


@pytest.mark.alone
def test_kills_at_random_moments_lose_nothing_and_do_nothing_twice(tmp_path: Path) -> None:
    found = campaign(tmp_path / "data", rounds=5, clients=8, seed=20261118)
    assert found.faults == []
    assert found.answered > 8
    assert found.quick, found
