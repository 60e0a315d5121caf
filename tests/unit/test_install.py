"""What `make setup EXTRAS=...` says before it installs, for every extra that there is, and what it hands to pip."""

from __future__ import annotations

import importlib.util
import itertools
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = sorted(PROJECT["optional-dependencies"])


@pytest.fixture
def installing(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """scripts/install.py, which finds its neighbours as a program does."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    spec = importlib.util.spec_from_file_location("install", ROOT / "scripts" / "install.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("extra", EXTRAS)
def test_every_extra_can_be_announced(installing: ModuleType, extra: str) -> None:
    packages, megabytes = installing.pinned()[extra]
    assert packages > 0
    assert installing.announcement({extra}).startswith(f"Installing {packages} packages into ")
    assert f"about {megabytes} MB" in installing.announcement({extra})


def test_extras_are_announced_together(installing: ModuleType) -> None:
    known = installing.pinned()
    for some in itertools.combinations(EXTRAS, 2):
        assert f"Installing {sum(known[one][0] for one in some)} packages" in installing.announcement(set(some))


def test_an_extra_that_does_not_exist_is_named_before_anything_is_installed(
    installing: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert installing.main(["otel", "pipper"]) == 2
    assert capsys.readouterr().out == f"There is no extra pipper. The extras are: {', '.join(EXTRAS)}.\n"


def test_pip_is_handed_names_whose_versions_and_files_are_held_elsewhere(installing: ModuleType) -> None:
    plain, more = (installing.requirements.names(extras) for extras in (set(), {"otel"}))
    assert "fastapi" in plain
    assert set(more) - set(plain) == set(PROJECT["optional-dependencies"]["otel"])
    assert not [line for line in more if "==" in line]


@pytest.mark.parametrize("uv", [None, "/somewhere/uv"])
def test_whatever_installs_is_held_to_versions_and_files(installing: ModuleType, uv: str | None) -> None:
    assert installing.installer(uv)[0] == (uv or str(installing.PYTHON))
    assert {"constraints.txt", "hashes.txt"} <= set(installing.constraints_for(uv))


def test_what_installs_the_others_comes_with_its_hashes(installing: ModuleType) -> None:
    lines = installing.requirements.first()
    assert [line.partition("==")[0] for line in lines] == ["pip", "setuptools"]
    assert all("--hash=sha256:" in line for line in lines)
