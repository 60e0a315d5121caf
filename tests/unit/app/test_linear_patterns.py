"""No pattern of the server or the graph takes longer than its text is long: while it matches, nothing else runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest

import app
import graph
from app.memory.model.memory import Document
from app.memory.units import units_of
from app.work.projects.manifests import GEM, GO_MODULE
from tests.unit.agents.test_linear_patterns import MOST, UNITS, growth, patterns

RAW = (*UNITS, " ", "\n", " \n", "\t", ".", "_", "-", ":", "'", '"', "<", "|", "\\", "<think>", 'W/"')
"""What the server meets: also runs of blanks and signs, as nothing is collapsed there."""
TAKES_A_PATTERN = frozenset({"search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn"})
BOUNDED = frozenset({"app/voice/engines/remote.py", "app/work/projects/manifests.py"})
"""Files with patterns that are written where they are used, for one number or the name of one package."""
ROOT = Path(__file__).parents[3]


def written_in_place(package: ModuleType) -> Iterator[str]:
    """The files that hand the words of a pattern to a function of ``re``: no test sees such a pattern."""
    for path in Path(str(package.__path__[0])).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "re"
                and node.func.attr in TAKES_A_PATTERN
            ):
                yield path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("package", [app, graph], ids=lambda package: package.__name__)
def test_no_pattern_takes_longer_than_its_text_is_long(package: ModuleType) -> None:
    found = {
        (name, method, unit): round(times)
        for name, pattern, method in patterns(package).values()
        for unit in RAW
        if (times := growth((name, pattern, method), unit)) > MOST
    }
    assert found == {}


def test_every_pattern_has_a_name_that_the_measure_finds() -> None:
    assert {*written_in_place(app), *written_in_place(graph)} <= BOUNDED


def test_a_run_of_full_stops_ends_one_sentence() -> None:
    units = units_of(Document("memo", "1", "Well... I see. Yes?!", datetime(2026, 3, 2, tzinfo=UTC)), most=4)
    assert [unit.text for unit in units] == ["Well...", "I see.", "Yes?!"]


def test_modules_and_gems_are_found_behind_blank_lines_and_indents() -> None:
    assert GO_MODULE.findall("module x\n\n\nrequire (\n\n\texample.org/a/b v1.2.0\n)\n") == ["example.org/a/b"]
    assert GEM.findall("\n\n  gem 'rake'\n\tgem \"rack\"\n") == ["rake", "rack"]
