"""Both sides of a calendar come together after random edits and kills; `make soak` runs the whole campaign."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from app.calendars.model.synced import Form
from tests.survival.calendar_rounds import campaign


@pytest.mark.parametrize("form", get_args(Form))
def test_both_sides_are_equal_after_edits_and_cuts(tmp_path: Path, form: Form) -> None:
    assert campaign(tmp_path / "data", form, edits=16, cuts=2, seed=7) == []
