"""The builds that ``make soak ARGS=broken`` tests are still made of lines that are there."""

from __future__ import annotations

import pytest

from tests.survival.broken_builds import BREAKS, ROOT, edited


@pytest.mark.parametrize("name", BREAKS)
def test_what_is_broken_on_purpose_is_there_to_be_broken(name: str) -> None:
    for file, lines, instead in BREAKS[name].edits:
        whole = (ROOT / file).read_text("utf-8")
        assert edited(whole, lines, instead) != whole
    assert all((ROOT / test).is_file() for test in BREAKS[name].tests)
