"""A short campaign of kills in the middle of runs; the long one is run by hand."""

from __future__ import annotations

from pathlib import Path

from tests.survival.run_rounds import campaign


def test_no_kill_does_anything_twice_or_loses_a_run(tmp_path: Path) -> None:
    found = campaign(tmp_path / "data", kills=2, runs=2, seed=7, life=2.0)
    assert found.faults == []
    assert set(found.ends) == {"goal_achieved"}
