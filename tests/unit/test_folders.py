"""Runs of the tests side by side keep out of each other's files."""

from __future__ import annotations

from pathlib import Path

from tests.support.memory import own_folder


def test_two_runs_at_once_have_folders_of_their_own(tmp_path: Path) -> None:
    assert own_folder(tmp_path) != own_folder(tmp_path)
