"""The built-in understanding only shrinks: lines and patterns may fall below these numbers, never rise above them."""

from __future__ import annotations

import ast
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from agents.understanding.grammar import PIECE, rows
from agents.understanding.text.patterns import PATTERNS

AGENTS = Path(__file__).resolve().parents[4] / "agents"
SOURCES = [path for room in ("time", "understanding", "grounding") for path in (AGENTS / room).rglob("*.py")]
MOST_LINES, MOST_PATTERNS, MOST_READINGS = 25_006, 964, 306
"""Lower them with every deletion; the gate stands within 100 lines and 10 patterns of them."""
SLACK_LINES, SLACK_PATTERNS = 100, 10


def lines() -> int:
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES)


def patterns() -> int:
    """Calls of re.compile, and rows of patterns.tsv."""
    calls = [node for path in SOURCES for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    compiled = sum(isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile" for node in calls)
    return compiled + sum(not row.name.endswith("=") for row in grammar())


@dataclass(frozen=True)
class Row:
    path: Path
    section: str
    name: str
    text: str


def grammar() -> list[Row]:
    found = sorted((AGENTS / "understanding").rglob("patterns.tsv"))
    return [
        Row(path, section, name, text)
        for path in found
        for section, name, text, _ in rows(path.read_text(encoding="utf-8"))
    ]


def test_every_row_of_the_grammar_is_used_by_its_module_once() -> None:
    there = grammar()
    assert there
    assert [
        key for key, times in Counter((row.path, row.section, row.name) for row in there).items() if times > 1
    ] == []
    pieces = {(row.path, row.section, f"{name}=") for row in there for name in PIECE.findall(row.text)}
    unused = [
        row
        for row in there
        if (row.path, row.section, row.name) not in pieces
        and not re.search(rf"\bP\.{row.name}\b", (row.path.parent / f"{row.section}.py").read_text(encoding="utf-8"))
    ]
    assert unused == []


@pytest.mark.parametrize(
    ("found", "most", "slack"),
    [
        (lines, MOST_LINES, SLACK_LINES),
        (patterns, MOST_PATTERNS, SLACK_PATTERNS),
        (lambda: len(PATTERNS), MOST_READINGS, SLACK_PATTERNS),
    ],
)
def test_it_only_shrinks(found: object, most: int, slack: int) -> None:
    assert callable(found)
    assert most - slack <= found() <= most, "lower the number in this file to what is found"
