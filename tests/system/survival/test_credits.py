"""Credits under kill -9, in a short form; `python -m tests.survival.credit_rounds` is the long one."""

from __future__ import annotations

from pathlib import Path

from tests.survival.credit_rounds import rounds


def test_kills_leave_no_drift_and_nothing_held(tmp_path: Path) -> None:
    found = rounds(tmp_path / "data", turns=12, users=4, kills=2, seed=3)
    assert found.faults == []
    assert found.answered == 12
    assert found.spent > 0
