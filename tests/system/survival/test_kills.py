"""A few rounds of ``kill_rounds``; the script runs sixty, and looks at the clock."""

from __future__ import annotations

from pathlib import Path

from tests.survival.kill_rounds import campaign


def test_kills_at_random_moments_lose_nothing_and_do_nothing_twice(tmp_path: Path) -> None:
    found = campaign(tmp_path / "data", rounds=2, clients=4, seed=20261118, database_every=2)
    assert found.faults == []
    assert len(found.restarts) == 2
    assert found.answered >= 4  # each client at least once, however slow the starts are
