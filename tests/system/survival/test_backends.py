"""A few rounds of ``backend_rounds``; the script runs sixty."""

from __future__ import annotations

from pathlib import Path

from tests.survival.backend_rounds import rounds

CLIENTS = 3


def test_connections_cut_at_random_moments_lose_no_part_of_a_message(tmp_path: Path) -> None:
    found = rounds(tmp_path / "data", kills=6, clients=CLIENTS, seed=20261118)
    assert found.faults == []
    assert found.cut
    assert found.answered >= CLIENTS
