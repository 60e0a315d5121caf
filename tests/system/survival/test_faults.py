"""Every fault of ``fault_rounds`` once; the script brings each four times, and takes the database away for a minute."""

from __future__ import annotations

from math import inf
from pathlib import Path

from tests.survival.fault_rounds import FAULTS, rounds


def test_a_database_that_restarts_is_gone_or_only_reads_loses_nothing(tmp_path: Path) -> None:
    found = rounds(tmp_path / "data", count=1, clients=3, seed=20261124, gone_seconds=2, quiet=(0.1, 0.3))
    assert found.faults == []
    assert set(found.back) == {fault.__name__ for fault in FAULTS}
    assert inf not in found.back.values(), found.back
    assert found.answered >= 3
