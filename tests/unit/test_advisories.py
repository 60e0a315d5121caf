"""No package is pinned at a version with a weakness that the list in this repository knows."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from packaging.version import Version

ROOT = Path(__file__).parents[2]
FIXED: dict[str, list[str]] = tomllib.loads((ROOT / "tests/data/advisories.toml").read_text())["fixed"]


def pins() -> dict[str, Version]:
    lines = [line.partition(";")[0] for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line]
    return {name.strip(): Version(version.strip()) for name, version in (line.split("==") for line in lines)}


def behind(pinned: dict[str, Version]) -> dict[str, str]:
    """Advisories that a set of pins falls under."""
    return {
        advisory: f"{name} {pinned[name]} < {fixed}: {what}"
        for advisory, (name, fixed, what) in FIXED.items()
        if name in pinned and pinned[name] < Version(fixed)
    }


def test_no_pin_is_behind_an_advisory() -> None:
    assert behind(pins()) == {}


def test_one_that_were_behind_is_noticed() -> None:
    assert "CVE-2025-62727" in behind(pins() | {"starlette": Version("0.49.0")})


@pytest.mark.parametrize("advisory", FIXED)
def test_an_advisory_is_about_something_that_is_installed(advisory: str) -> None:
    assert FIXED[advisory][0] in pins(), "nothing here needs it any more; remove the line"
