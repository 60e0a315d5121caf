"""Both sides of a calendar come together after random edits and kills; `make soak` runs the whole campaign."""

from __future__ import annotations

from pathlib import Path

from tests.survival.calendar_rounds import campaign


def test_both_sides_are_equal_after_edits_and_cuts(tmp_path: Path) -> None:
    assert campaign(tmp_path / "data", edits=30, cuts=2, seed=7) == []
